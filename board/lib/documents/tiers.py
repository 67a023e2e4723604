"""The table of steps in TESTING.md, beside the scenarios, the modules and the steps of board/test."""
import os
import re

from .text import read

PAGE = "docs/developers/TESTING.md"
TIERS = ("test", "full", "nightly")
ROW = re.compile(r"\| `([a-z0-9_-]+)` \| (\S+) \| (\S+) \| ([^|]*)\| ?([^|]*)\|$")


def rows(text):
    """(line, step, tier, seconds, [folder], what it proves) of each row of the table."""
    for number, line in enumerate(text.split("\n"), 1):
        found = ROW.match(line)
        if found:
            step, tier, seconds, about, proves = found.groups()
            yield number, step, tier, seconds, re.findall(r"`([^`]+)`", about), proves.strip()


def scenarios(root):
    return {name[:-3] for name in os.listdir(os.path.join(root, "board/tests")) if name.endswith(".sh")}


def steps(root):
    """What board/test runs beside scenarios; a target's firmware is a step for each target."""
    named = set(re.findall(r"^[^#\n]*?\b(?:step|beside) ([a-z][a-z0-9_-]*)", read(root, "board/test"), re.M))
    targets = re.findall(r"^(\w+) +\S+-\S+ ", read(root, "board/lib/targets.sh"), re.M)
    return named | {f"firmware-{target}" for target in targets}


def check(root):
    table = list(rows(read(root, PAGE)))
    played, others = scenarios(root), steps(root)
    wrong, seen = [], set()
    for line, step, tier, seconds, about, proves in table:
        complaints = []
        if step in seen:
            complaints.append("has two rows")
        if step not in played | others:
            complaints.append("is neither a scenario nor a step of board/test")
        if tier not in TIERS:
            complaints.append(f"is in no tier: {tier}")
        if not seconds.isdigit():
            complaints.append(f"takes no number of seconds: {seconds}")
        if not proves:
            complaints.append("proves nothing")
        complaints += [f"is about Sources/{place}, which is not there" for place in about
                       if not os.path.exists(os.path.join(root, "Sources", place))]
        wrong += [f"{PAGE}:{line}: {step} {complaint}" for complaint in complaints]
        seen.add(step)
    wrong += [f"{PAGE}:0: there is no row of {step}" for step in sorted((played | others) - seen)]
    return len(table), wrong
