"""Games from any kind of file, one at a time."""

from __future__ import annotations

import json
from collections.abc import Iterator

import msgspec

from app.records.notation import written
from app.records.reading import games as games_in
from app.records.writing import pieces
from app.tables.shapes import RecordHead
from tests.records import games

ONE = games.played_by_bots("one", "all-fives", 2)
OTHER = games.played_by_bots("other", "five-up", 3)


def lines(text: bytes) -> list[bytes]:
    return text.splitlines(keepends=True)


def test_a_document_in_one_line_and_in_many_is_the_same_game() -> None:
    flat = msgspec.json.encode(ONE)
    indented = json.dumps(json.loads(flat), indent=2).encode()
    for document in (flat, indented, b"\n\n" + indented):
        [game] = games_in(lines(document))
        assert game.record == ONE


def test_a_file_of_lines_has_a_game_in_each_and_a_broken_one_spoils_no_other() -> None:
    document = b"\n".join([msgspec.json.encode(ONE), b"", b'{"format": 1}', b"{", msgspec.json.encode(OTHER)])
    found = list(games_in(lines(document)))
    assert [(game.line, game.record) for game in found] == [(1, ONE), (3, None), (4, None), (5, OTHER)]
    assert "$.format" in str(found[1].report().findings[0])


def test_texts_follow_one_another() -> None:
    both = f"\n{written(ONE)}\n\n# a remark\n{written(OTHER)}"
    found = list(games_in(lines(both.encode())))
    assert [game.record.table for game in found if game.record] == ["one", "other"]
    assert not any(game.report().findings for game in found)
    assert found[1].line > found[0].line == 2


def test_games_are_read_one_at_a_time() -> None:
    """The second line is not asked for before the first game is done with."""
    asked = []

    def slowly() -> Iterator[bytes]:
        for number in range(1000):
            asked.append(number)
            yield msgspec.json.encode(ONE) + b"\n"

    found = games_in(slowly())
    next(found)
    assert len(asked) == 1
    next(found)
    assert len(asked) == 2


def test_anything_else_is_no_game() -> None:
    for text in (b"hello\n", b"[1]\n", b"\xff\xfe\n"):
        [game] = games_in(lines(text))
        assert not game.report().is_right
    assert list(games_in([])) == []


def test_pieces_are_the_document() -> None:
    """Written hand by hand it is, byte for byte, the record written at once."""
    for record in (ONE, OTHER, games.abandoned("none")):
        told = msgspec.structs.asdict(record)
        head = RecordHead(**{name: told[name] for name in RecordHead.__struct_fields__})
        assert b"".join(pieces(head, iter(record.hands), record.result)) == msgspec.json.encode(record)
