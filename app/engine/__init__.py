"""The rules of All Fives and its relatives, pure: no clock, no randomness, no I/O.

A game is a log: `decide` judges an action and says what happens, `evolve` keeps the books.

>>> from app.engine.game import new_game, turn
>>> from app.engine.actions import DealScripted, Play
>>> from app.engine.evolve import evolve, replay
>>> from app.engine.turns import decide
>>> log = [new_game("all-fives", 2, house_rules={"deal": {"2": 2}})]
>>> log += decide(replay(log), DealScripted(holdings=(("55", "52"), ("53", "66")), boneyard=(), leader=0))
>>> log += decide(replay(log), Play(seat=0, tile="55"))
>>> replay(log).scores, turn(replay(log))
((10, 0), 1)
"""
