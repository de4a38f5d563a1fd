"""POST and GET /v1/tables/{id}/hands/{n}/analysis."""

from __future__ import annotations

import hashlib
from concurrent.futures import ThreadPoolExecutor
from typing import Any

import msgspec
import pytest

from app.analysis.hands import moments
from app.analysis.service import OF_ADDRESS, OF_PLAYER, PATIENCE, TRIES
from app.api.schemas.analyses import AnalysisSchema
from app.engine.game import rules_of
from app.tables.requests import Asker
from tests.analysis.hands import worths
from tests.api.cast import Caller, House, refused
from tests.tables.room import QUICK, bot

BLUNDER: dict[str, Any] = {"holdings": [["55", "50"], ["21", "42"]], "leader": 0}
"""Nobody draws. 55 and then 50 is worth 30, the other way round 25."""
HOUSE_RULES = {"deal": {"2": 2}, "drawing": False}


@pytest.fixture
def private(house: House) -> str:
    """A private table of Ann and Bob, where Ann has blundered in the first hand and the second is running."""
    table = house.scripted(BLUNDER, house_rules=HOUSE_RULES, clock={"hand_break_seconds": 0})
    for caller, move in ((house.ann, "50"), (house.bob, "pass"), (house.ann, "55>50.left")):
        assert caller.move(table, move).status_code == 200
    house.room.run(table)
    assert house.ann.see(table)["hand"]["number"] == 2
    return table


@pytest.fixture
def public(house: House) -> str:
    """A public table of bots, two hands of which are over."""
    return bots_at(house, 2, {"deal": {"2": 5}, "drawing": False, "max_hands": 2})


def bots_at(house: House, players: int, house_rules: dict[str, Any], **request: Any) -> str:
    """A public table of bots, played to its end; the same deals every time."""
    chance = house.room.tables._chance
    chance.secret = lambda: "5" * 64  # type: ignore[method-assign]
    chance.table_id = lambda: f"table-of-{players}"  # type: ignore[method-assign]
    bots = tuple(bot(seat, "easy") for seat in range(players))
    table = house.room.open(players=players, sit=False, bots=bots, clock=QUICK, house_rules=house_rules, **request)
    house.room.later(table, 1_000)
    assert house.room.table(table).status == "finished"
    return table


def path(table: str, hand: int = 1) -> str:
    return f"/tables/{table}/hands/{hand}/analysis"


def work(house: House) -> int:
    """The clerk does all that was asked for; how many jobs that were."""
    jobs = 0
    while house.room.queue.to_analyse:
        house.room.analyses.work(*house.room.queue.to_analyse.pop(0))
        jobs += 1
    return jobs


class TestAsking:
    def test_the_first_who_asks_makes_it_begin_and_others_find_it(self, house: House, private: str) -> None:
        first = house.ann.post(path(private))
        assert first.status_code == 202
        assert first.headers["Location"] == f"/v1{path(private)}"
        asked = first.get_json()
        assert (asked["table"], asked["hand"], asked["status"], asked["progress"]) == (private, 1, "pending", 0)
        assert (asked["analysis"], asked["ready_at"]) == (None, None)
        second = house.bob.post(path(private))
        assert (second.status_code, second.get_json()) == (200, asked)
        assert house.bob.get(path(private)).get_json() == asked
        assert house.room.queue.to_analyse == [(private, 1)]

    def test_what_it_cost_is_told_once_it_is_ready(self, house: House, private: str) -> None:
        house.ann.post(path(private))
        assert work(house) == 1
        ready = house.bob.get(path(private)).get_json()
        assert (ready["status"], ready["progress"]) == ("ready", 1)
        lead, passed, last = ready["analysis"]["moves"]
        assert (lead["tile"], lead["cost"], lead["method"], lead["error"]) == ("50", 5, "exact", None)
        assert [(one["tile"], one["open"], one["chosen"]) for one in lead["alternatives"]] == [
            ("55", 30, False),
            ("50", 25, True),
        ]
        assert lead["deals"] > 0
        assert all(one["error"] is not None for one in lead["alternatives"])
        assert [(move["forced"], move["cost"]) for move in (passed, last)] == [(True, 0), (True, 0)]
        assert [seat["exact_cost"] for seat in ready["analysis"]["seats"]] == [5, 0]
        again = house.bob.post(path(private))
        assert (again.status_code, again.get_json()) == (200, ready)
        assert work(house) == 0

    def test_exact_values_are_those_of_brute_force(self, house: House, public: str) -> None:
        for number in (1, 2):
            house.spectator.post(path(public, number))
        work(house)
        compared = 0
        for number in (1, 2):
            analysis = house.spectator.get(path(public, number)).get_json()["analysis"]
            table = house.room.table(public)
            hand = house.room.tables.finished_hand(Asker(), public, number)
            made = moments(hand, table.ruleset, table.players, table.seating)
            assert [move["seq"] for move in analysis["moves"]] == [moment.event.seq for moment in made]
            for moment, move in zip(made, analysis["moves"], strict=True):
                assert moment.before.hand is not None
                right = worths(rules_of(moment.before), moment.before.hand) if move["alternatives"] else {}
                for one in move["alternatives"]:
                    game, points = right[one["tile"], one["end"], one["lengthwise"]]
                    assert (one["open_game"], one["open"]) == (game, points)
                    compared += 1
        assert compared > 5

    def test_sixteen_at_once_make_one_job(self, house: House, public: str) -> None:
        def ask(number: int) -> int:
            with house.app.test_client() as client:
                return Caller(client, house.ann.token if number % 2 else None).post(path(public)).status_code

        with ThreadPoolExecutor(16) as askers:
            statuses = sorted(askers.map(ask, range(16)))
        assert statuses == [200] * 15 + [202]
        assert house.room.queue.to_analyse == [(public, 1)]


class TestWhoMayAsk:
    def test_spectators_may_at_public_tables(self, house: House, public: str, spectator: Caller, eve: Caller) -> None:
        assert spectator.post(path(public)).status_code == 202
        assert eve.post(path(public)).status_code == 200
        work(house)
        assert spectator.get(path(public)).get_json()["status"] == "ready"

    @pytest.mark.parametrize("method", ["GET", "POST"])
    def test_strangers_learn_nothing_of_a_private_table(
        self, house: House, private: str, eve: Caller, spectator: Caller, method: str
    ) -> None:
        house.ann.post(path(private))
        work(house)
        for stranger in (eve, spectator):
            told = []
            for table in (private, "nowhere"):
                for hand in (1, 2, 99):
                    problem = refused(stranger.ask(method, path(table, hand)), 404, "not_found")
                    told.append({**problem, "request_id": "", "instance": ""})
            assert all(one == told[0] for one in told)
        assert house.room.queue.to_analyse == []

    @pytest.mark.parametrize("method", ["GET", "POST"])
    def test_a_running_hand_is_not_analysed(self, house: House, private: str, method: str) -> None:
        refused(house.ann.ask(method, path(private, 2)), 409, "hand_not_finished")
        for hand in (0, 3):
            refused(house.ann.ask(method, path(private, hand)), 404, "not_found")
        assert house.room.queue.to_analyse == []

    def test_nothing_of_the_running_hand_is_in_the_analysis_of_the_one_before(self, house: House, private: str) -> None:
        house.ann.post(path(private))
        work(house)
        last = house.ann.get(f"/tables/{private}/hands/1").get_json()["events"][-1]["seq"]
        analysis = house.ann.get(path(private)).get_json()["analysis"]
        assert all(move["seq"] <= last for move in analysis["moves"])
        named = {one["tile"] for move in analysis["moves"] for one in move["alternatives"]}
        assert named == {"55", "50"}

    def test_what_nobody_has_asked_for_is_not_found_and_looking_begins_nothing(self, house: House, public: str) -> None:
        problem = refused(house.ann.get(path(public)), 404, "not_found")
        assert "POST" in problem["detail"]
        assert house.room.queue.to_analyse == []
        assert house.room.analyses.work(public, 1) is False


class TestKeys:
    def test_the_same_key_gets_the_first_answer_again(self, house: House, private: str) -> None:
        key = {"Idempotency-Key": "mine"}
        first = house.ann.post(path(private), headers=key)
        work(house)
        again = house.ann.post(path(private), headers=key)
        assert (again.status_code, again.get_json()) == (202, first.get_json())
        assert (again.headers["Idempotent-Replayed"], again.headers["Location"]) == ("true", first.headers["Location"])
        assert house.ann.post(path(private)).get_json()["status"] == "ready"

    def test_a_key_of_another_request_is_refused(self, house: House, public: str) -> None:
        key = {"Idempotency-Key": "mine"}
        assert house.ann.post(path(public, 1), headers=key).status_code == 202
        refused(house.ann.post(path(public, 2), headers=key), 422, "idempotency_key_reused")
        assert house.bob.post(path(public, 2), headers=key).status_code == 202

    @pytest.mark.parametrize("ready", [False, True], ids=["pending", "ready"])
    def test_an_answer_that_began_nothing_is_given_again_as_well(
        self, house: House, private: str, public: str, ready: bool
    ) -> None:
        house.bob.post(path(private))
        if ready:
            work(house)
        key = {"Idempotency-Key": "mine"}
        first = house.ann.post(path(private), headers=key)
        assert (first.status_code, first.get_json()["status"]) == (200, "ready" if ready else "pending")
        work(house)
        house.room.clock.advance(60)
        again = house.ann.post(path(private), headers=key)
        assert (again.status_code, again.get_json()) == (200, first.get_json())
        assert again.headers["Idempotent-Replayed"] == "true"
        refused(house.ann.post(path(public, 2), headers=key), 422, "idempotency_key_reused")
        refused(house.ann.post("/tables", {}, headers=key), 422, "idempotency_key_reused")

    def test_while_the_first_request_runs_the_second_is_told_so(self, house: House, private: str) -> None:
        assert house.ann.id is not None
        key = {"Idempotency-Key": "mine"}
        first = house.ann.post(path(private), headers=key)
        house.room.register._reserved.clear()  # as if it had not been answered yet
        digest = hashlib.sha256(msgspec.json.encode(["POST", f"/v1{path(private)}", {}])).hexdigest()
        house.room.register.reserve(house.ann.id, "mine", digest, private)
        refused(house.ann.post(path(private), headers=key), 409, "request_in_progress")
        house.room.clock.advance(11)  # whoever reserved it is gone
        later = house.ann.post(path(private), headers=key)
        assert (later.status_code, later.get_json()) == (200, first.get_json())

    def test_a_key_is_free_again_after_a_refusal(self, house: House, private: str) -> None:
        key = {"Idempotency-Key": "mine"}
        use_up(house, f"player {house.ann.id}", OF_PLAYER.at_most)
        refused(house.ann.post(path(private), headers=key), 429, "rate_limited")
        house.room.clock.advance(OF_PLAYER.seconds)
        assert house.ann.post(path(private), headers=key).status_code == 202


def use_up(house: House, who: str, number: int, what: str = "analysis") -> None:
    for _ in range(number):
        assert house.room.attempts.take(what, who, number, OF_PLAYER.seconds) is None


class TestLimits:
    def test_a_player_may_ask_for_so_many_and_no_more(self, house: House, public: str) -> None:
        use_up(house, f"player {house.ann.id}", OF_PLAYER.at_most - 1)
        assert house.ann.post(path(public, 1)).status_code == 202
        answer = house.ann.post(path(public, 2))
        refused(answer, 429, "rate_limited")
        assert int(answer.headers["Retry-After"]) == OF_PLAYER.seconds
        assert house.ann.post(path(public, 1)).status_code == 200, "what is there is not counted"
        assert house.bob.post(path(public, 2)).status_code == 202

    def test_who_comes_without_a_token_is_counted_by_address(self, house: House, public: str) -> None:
        use_up(house, "address 127.0.0.1", OF_PLAYER.at_most)
        refused(house.spectator.post(path(public)), 429, "rate_limited")
        assert house.ann.post(path(public)).status_code == 202

    def test_the_players_of_one_address_are_counted_together(self, house: House, public: str) -> None:
        use_up(house, "address 127.0.0.1", OF_ADDRESS.at_most, "analyses")
        for _ in range(OF_PLAYER.at_most + 1):
            refused(house.ann.post(path(public)), 429, "rate_limited")
        house.room.attempts.give_back("analyses", "address 127.0.0.1")
        assert house.ann.post(path(public)).status_code == 202, "what was refused is not counted for her either"

    def test_whoever_comes_second_of_two_at_once_has_not_used_one_up(self, house: House, public: str) -> None:
        use_up(house, f"player {house.ann.id}", OF_PLAYER.at_most - 1)
        unseen = house.room.analyses._kept.look
        looks = iter([None])
        house.room.analyses._kept.ask(public, 1, PATIENCE, anew=True)
        house.room.analyses._kept.look = lambda *hand: next(looks, unseen(*hand))  # type: ignore[method-assign]
        assert house.ann.post(path(public, 1)).status_code == 200
        assert house.ann.post(path(public, 2)).status_code == 202


class TestLostJobs:
    def test_a_lost_job_is_asked_for_again_by_whoever_looks_once_a_patience(self, house: House, public: str) -> None:
        house.ann.post(path(public))
        house.room.queue.to_analyse.clear()
        house.room.clock.advance(PATIENCE.total_seconds() - 1)
        house.ann.get(path(public))
        assert house.room.queue.to_analyse == []
        house.room.clock.advance(1)
        for ask in (house.spectator.get, house.spectator.post, house.ann.get):
            assert ask(path(public)).get_json()["status"] == "pending"
        assert house.room.queue.to_analyse == [(public, 1)]
        work(house)
        assert house.ann.get(path(public)).get_json()["status"] == "ready"

    def test_a_job_that_comes_twice_finds_what_is_done(self, house: House, public: str) -> None:
        house.ann.post(path(public))
        house.room.queue.to_analyse *= 3
        work(house)
        first = house.ann.get(path(public)).get_json()
        assert house.room.analyses.work(public, 1) is False
        assert house.ann.get(path(public)).get_json() == first

    def test_what_kills_every_worker_is_given_up_and_can_be_asked_for_anew(self, house: House, public: str) -> None:
        house.ann.post(path(public))
        for _ in range(TRIES):
            assert house.room.analyses._kept.begin(public, 1) is not None  # and the worker is gone
        work(house)
        failed = house.ann.get(path(public)).get_json()
        assert (failed["status"], failed["analysis"]) == ("failed", None)
        house.room.clock.advance(PATIENCE.total_seconds())
        assert house.ann.get(path(public)).get_json()["status"] == "failed"
        assert house.room.queue.to_analyse == []
        assert house.ann.post(path(public)).status_code == 202
        work(house)
        assert house.ann.get(path(public)).get_json()["status"] == "ready"

    def test_the_work_is_done_in_pieces_and_what_is_done_is_kept(self, house: House, public: str) -> None:
        house.ann.post(path(public))
        progress = [0.0]
        while house.room.queue.to_analyse:
            job = house.room.queue.to_analyse.pop(0)
            house.room.analyses.work(*job, piece=1)
            progress.append(house.ann.get(path(public)).get_json()["progress"])
        assert progress == sorted(progress)
        assert 0 < progress[1] < progress[-1] == 1


def test_three_players_and_pairs_are_analysed_too(house: House) -> None:
    three = bots_at(house, 3, {"deal": {"3": 3}, "max_hands": 1}, ruleset="five-up")
    pairs = bots_at(house, 4, {"deal": {"4": 2}, "max_hands": 1})
    claim = bots_at(house, 2, {"deal": {"2": 3}, "drawing": False, "max_hands": 1}, ruleset="all-fives-claim")
    for table in (three, pairs, claim):
        house.spectator.post(path(table))
    work(house)
    for table in (three, pairs, claim):
        assert AnalysisSchema().validate(house.spectator.get(path(table)).get_json()) == {}
    told = {table: house.spectator.get(path(table)).get_json()["analysis"] for table in (three, pairs, claim)}
    assert all(move["method"] == "estimate" for move in told[three]["moves"] if move["alternatives"])
    for table in (pairs, claim):
        assert all(move["method"] == "exact" for move in told[table]["moves"])
    assert [seat["side"] for seat in told[pairs]["seats"]] == [0, 1, 0, 1]
    assert told[three]["game_worth"] == 60
