"""A player for Quintet that takes any legal move: quintet play gridlock --p2 "exec:python3 examples/random_bot.py"."""

import random
import sys

for line in sys.stdin:
    command, _, rest = line.strip().partition(" ")
    if command == "hello":
        answer = "hello 1 Random Bot"
    elif command in ("new", "position"):
        answer = "ok"  # A bot that thinks would remember the position here.
    elif command == "go":
        seconds, _, moves = rest.partition(" from ")
        answer = "move " + random.choice(moves.split("; "))
    elif command == "quit":
        break
    else:
        answer = "error unknown command"
    print(answer, flush=True)
