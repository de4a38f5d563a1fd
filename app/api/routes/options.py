"""What may be chosen."""

from __future__ import annotations

from flask.views import MethodView

from app.api.auth import Asks
from app.api.blueprint import Noun
from app.api.choices import Options, options
from app.api.schemas.options import OptionsSchema
from app.api.services import services

noun = Noun("options", "Levels, limits and defaults.")


@noun.route("/options")
class OptionsView(MethodView):
    @noun.operation("getOptions", asks=Asks.ANYONE, answer=OptionsSchema, answers_with="Everything there is to choose.")
    def get(self) -> Options:
        """Tell levels, limits and defaults."""
        return options(services().stream_terms)
