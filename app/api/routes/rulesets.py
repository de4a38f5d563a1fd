"""Rule sets."""

from __future__ import annotations

from typing import Any

from flask.views import MethodView

from app.api.auth import Asks
from app.api.blueprint import Noun
from app.api.catalogue import Described, RuleSetList, all_rulesets, laid_out, ruleset
from app.api.schemas.calculations import LayoutCalculationSchema, NewLayoutSchema
from app.api.schemas.rulesets import RuleSetDetailSchema, RuleSetListSchema
from app.engine.calculator import Calculation

noun = Noun("rulesets", "The rules are data: what each rule set is, field by field.")


@noun.route("/rulesets")
class RuleSetsView(MethodView):
    @noun.operation("listRuleSets", asks=Asks.ANYONE, answer=RuleSetListSchema, answers_with="Every rule set.")
    def get(self) -> RuleSetList:
        """List the rule sets, the default first."""
        return all_rulesets()


@noun.route("/rulesets/<ruleset_id>")
class RuleSetView(MethodView):
    @noun.operation(
        "getRuleSet", asks=Asks.ANYONE, answer=RuleSetDetailSchema, refuses=["not_found"], answers_with="The rule set."
    )
    def get(self, ruleset_id: str) -> Described:
        """Tell one rule set."""
        return ruleset(ruleset_id)


@noun.route("/rulesets/<ruleset_id>/layouts")
class LayoutsView(MethodView):
    @noun.operation(
        "calculateLayout",
        asks=Asks.ANYONE,
        body=NewLayoutSchema,
        answer=LayoutCalculationSchema,
        refuses=[
            "not_found",
            "not_in_holding",
            "does_not_fit",
            "end_closed",
            "end_required",
            "lengthwise_not_allowed",
        ],
        example={"plays": [{"tile": "55"}, {"tile": "50", "end": "55.left"}, {"tile": "53", "end": "55.right"}]},
        answers_with="Count, points and ends after every play.",
    )
    def post(self, body: dict[str, Any], ruleset_id: str) -> Calculation:
        """Lay tiles by the rules, without a table, and see what each step counts and scores.

        A play that is not allowed is refused with 409; `params.step` says which, from 0. The same body always gets the
        same answer and nothing is changed, so an `Idempotency-Key` has no effect here.
        """
        return laid_out(ruleset_id, body)
