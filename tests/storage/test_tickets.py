"""Who waits for a ticket is sent away when the process stops."""

from __future__ import annotations

import threading

from app.storage.tickets import RedisTickets
from tests.storage.test_contract import LONG, a_pool, a_ticket


def test_stopping_answers_those_who_wait_and_those_who_come_later(tickets: RedisTickets) -> None:
    tickets.commit(a_pool(1, waiting=(a_ticket("P-1"),)), [a_ticket("P-1")], None)
    ends: list[bool] = []
    waiter = threading.Thread(target=lambda: ends.append(tickets.wait("P-1", LONG)))
    waiter.start()
    while not tickets.doorbell.waiting:
        pass
    tickets.stop_waiting()
    waiter.join(LONG / 2)
    assert ends == [False]
    assert tickets.wait("P-1", LONG) is False
