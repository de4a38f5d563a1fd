"""A process of its own: many greenlets wait at table T1; tells when they do and how many were woken."""

import sys


def wait_together(url: str, number: int) -> None:
    import gevent

    from app.storage.connection import connect
    from app.storage.due import RedisDue
    from app.storage.tables import RedisTables
    from app.tables.log import replay

    client = connect(url)
    tables = RedisTables(client, RedisDue(client), listening=connect(url), refold=replay)
    waiters = [gevent.spawn(tables.wait, "T1", 1, 60.0) for _ in range(number)]
    while tables.doorbell.waiting < number:
        gevent.sleep(0.01)
    print(f"{tables.doorbell.waiting} waiting", flush=True)
    gevent.joinall(waiters)
    print(f"{sum(waiter.value is True for waiter in waiters)} woken", flush=True)
    print(f"{tables.doorbell.waiting} waiting", flush=True)
    tables.doorbell.stop()


if __name__ == "__main__":
    from gevent import monkey

    monkey.patch_all()
    wait_together(sys.argv[1], int(sys.argv[2]))
