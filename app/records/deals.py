"""Whether a hand was dealt from the chain its table committed to: link, commitment, seeds, tiles."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from itertools import chain

from app.engine.actions import Deal, DealScripted
from app.engine.events import HandDealt, Proof
from app.records.findings import Finding, differences
from app.tables.fair_deal import ALGORITHM, LINKS, Shuffled, link_before, shuffled
from app.tables.shapes import FinishedHand, GameRecord

_HEX = frozenset("0123456789abcdef")


class DealCheck:
    """The deals of one record."""

    def __init__(self, record: GameRecord) -> None:
        self._record = record
        self._known: dict[tuple[int, str], str] = {}
        self._committed = self._agreed()

    def of_record(self) -> Iterator[Finding]:
        """What is wrong with the record's own commitment."""
        if self._record.commitment != self._committed:
            yield Finding(what="commitment", expected=self._committed, found=self._record.commitment)
        elif self._committed is not None and not is_link(self._committed):
            yield Finding(what="commitment", expected="64 hex digits", found=self._committed)

    def of_hand(self, hand: FinishedHand) -> Iterator[Finding]:
        """What is wrong with a hand's link, commitment, seeds and tiles."""
        number, proof, dealt = hand.number, hand.proof, dealt_in(hand)
        if proof is None:
            if not self.is_scripted(hand) and self._committed is not None:
                yield Finding(what="proof", expected="a link and seeds", found=None, hand=number)
            return
        if proof.algorithm != ALGORITHM:
            yield Finding(what="proof.algorithm", expected=ALGORITHM, found=proof.algorithm, hand=number)
            return
        if self._end_of(proof.link, number) != self._committed:
            expected = f"a link that hashes {number} times to {self._committed}"
            yield Finding(what="proof.link", expected=expected, found=proof.link, hand=number)
        if dealt is not None and self._end_of(dealt.commitment, number - 1) != self._committed:
            expected = f"a link that hashes {number - 1} times to {self._committed}"
            yield Finding(what="commitment", expected=expected, found=dealt.commitment, hand=number)
        if len(proof.client_seeds) != self._record.players:
            expected = f"{self._record.players} seeds"
            yield Finding(what="proof.client_seeds", expected=expected, found=proof.client_seeds, hand=number)
        elif dealt is not None and dealt.client_seeds != proof.client_seeds:
            yield Finding(what="client_seeds", expected=proof.client_seeds, found=dealt.client_seeds, hand=number)
        if dealt is not None and self._proves(hand):
            yield from self._tiles(proof, dealt, number)

    def is_scripted(self, hand: FinishedHand) -> bool:
        """The first hand of a practice table may have been written down beforehand; it has no proof then."""
        return self._record.practice and hand.number == 1 and hand.proof is None

    def ways(self, hand: FinishedHand) -> list[Deal | DealScripted]:
        """Deals to judge the hand by, likeliest first: as recorded, and as proved where that is something else."""
        dealt = dealt_in(hand)
        holdings = hand.holdings if dealt is None else tuple(tiles or () for tiles in dealt.holdings)
        boneyard = hand.boneyard if dealt is None else dealt.boneyard_tiles or ()
        leader = hand.leader if dealt is None else dealt.leader
        if self.is_scripted(hand):
            forced = (hand if dealt is None else dealt).lead_by != "scripted"
            return [DealScripted(holdings=holdings, boneyard=boneyard, leader=None if forced else leader)]
        order = (*chain.from_iterable(holdings), *boneyard)
        if hand.proof is None or not self._proves(hand):
            return [Deal(order=order, lot=leader)]
        proved = self._shuffled(hand.proof, hand.number)
        ways: list[Deal | DealScripted] = [Deal(order=order, lot=proved.lot)]
        if order != proved.order:
            ways.append(Deal(order=proved.order, lot=proved.lot))
        return ways

    def _agreed(self) -> str | None:
        """The table's commitment: what most of the record's commitments and links come down to."""
        said = [self._record.commitment]
        for hand in self._record.hands:
            dealt = dealt_in(hand)
            said.append(None if dealt is None else self._end_of(dealt.commitment, hand.number - 1))
            said.append(None if hand.proof is None else self._end_of(hand.proof.link, hand.number))
        votes = Counter(end for end in said if end is not None).most_common(1)
        return votes[0][0] if votes else None

    def _end_of(self, link: str | None, steps: int) -> str | None:
        """Where a link comes to after so many steps; None: it is no link. Chains that meet are walked once."""
        if link is None or not is_link(link) or not 0 <= steps <= LINKS:
            return None
        walked: list[tuple[int, str]] = []
        here = link
        while steps and (steps, here) not in self._known:
            walked.append((steps, here))
            here, steps = link_before(here), steps - 1
        end = self._known.get((steps, here), here)
        self._known.update(dict.fromkeys(walked, end))
        return end

    def _proves(self, hand: FinishedHand) -> bool:
        """Whether the hand's proof can be dealt from."""
        proof = hand.proof
        return (
            proof is not None
            and proof.algorithm == ALGORITHM
            and self._end_of(proof.link, hand.number) == self._committed
            and len(proof.client_seeds) == self._record.players
        )

    def _shuffled(self, proof: Proof, number: int) -> Shuffled:
        return shuffled(proof.link, self._record.table, number, proof.client_seeds)

    def _tiles(self, proof: Proof, dealt: HandDealt, number: int) -> Iterator[Finding]:
        order, players = self._shuffled(proof, number).order, self._record.players
        each = self._record.rules.deal.get(str(players), 0)
        holdings = tuple(order[seat * each : (seat + 1) * each] for seat in range(players))
        for what, expected, found in (
            *((f"holdings[{seat}]", holdings[seat], dealt.holdings[seat]) for seat in range(len(dealt.holdings))),
            ("boneyard", order[players * each :], dealt.boneyard_tiles),
        ):
            if expected != found:
                yield Finding(what=what, expected=expected, found=found, hand=number)


def dealt_in(hand: FinishedHand) -> HandDealt | None:
    """The hand's `hand_dealt`."""
    return next((event for event in hand.events if isinstance(event, HandDealt)), None)


def copies(hand: FinishedHand) -> Iterator[Finding]:
    """Where what is said of the hand is not what its events say."""
    dealt = dealt_in(hand)
    if dealt is not None:
        happened = (dealt.leader, dealt.lead_by, dealt.holdings, dealt.boneyard_tiles)
        said = (hand.leader, hand.lead_by, hand.holdings, hand.boneyard)
        for what, one, other in zip(("leader", "lead_by", "holdings", "boneyard"), happened, said, strict=True):
            if one != other:
                yield Finding(what=what, expected=one, found=other, hand=hand.number)
    for what, expected, found in differences(hand.result.proof, hand.proof, "proof"):
        yield Finding(what=what, expected=expected, found=found, hand=hand.number)


def is_link(link: str) -> bool:
    """Whether this is a link as it is written: 64 hex digits, no capitals."""
    return len(link) == 64 and set(link) <= _HEX
