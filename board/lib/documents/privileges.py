"""docs/privileges.md against what it tells of: units, their settings, limits of the budget, system calls of confined processes."""
import os
import re

from .text import read, rows

PAGE = "docs/privileges.md"
UNITS = ("systemd", "images/root/usr/lib/systemd/system")
CALLS = "Sources/CLinux/confine.c"
BUDGET = "Sources/Runtime/Budget"
# A cell that needs a second look is two.
LONGEST = 200


def units(root):
    """The lines of each unit file and drop-in."""
    found = {}
    for folder in UNITS:
        path = os.path.join(root, folder)
        for name in sorted(os.listdir(path)) if os.path.isdir(path) else []:
            if name.endswith((".service", ".conf")):
                found[name] = read(root, os.path.join(folder, name)).split("\n")
    return found


def budget(root):
    """The text of every limit of the budget: `static let NAME: TYPE = TEXT`."""
    found = {}
    for folder, _, names in os.walk(os.path.join(root, BUDGET)):
        for name in names:
            text = read(root, os.path.relpath(os.path.join(folder, name), root))
            found.update(re.findall(r"static let (\w+)(?:: \w+)? = ([^\n]+)", text))
    return found


def value(text):
    """What a limit's text says, where it is numbers alone; None otherwise."""
    text = text.replace("_", "")
    return eval(text) if re.fullmatch(r"[\d *<+]+", text) else None  # digits and operators alone


def calls(root):
    """The system calls of each list of the confined processes' filter."""
    text = read(root, CALLS)
    return {name: set(re.findall(r"__NR_(\w+),", body))
            for name, body in re.findall(r"static const unsigned (\w+)\[\] = \{(.*?)\};", text, re.S)}


def sections(text):
    """(heading, [(line, cells)]) of each section with tables."""
    heads = [(number, line) for number, line in enumerate(text.split("\n"), 1) if line.startswith("## ")]
    table = list(rows(text))
    for index, (start, head) in enumerate(heads):
        end = heads[index + 1][0] if index + 1 < len(heads) else len(text)
        yield head, [(number, cells) for number, _, cells in table if start < number < end]


def check(root):
    text = read(root, PAGE)
    unit, limits, lists = units(root), budget(root), calls(root)
    told = {name: set() for name in lists}
    seen, named, wrong = 0, set(), []
    for _, table in sections(text):
        mine = set()
        for _, cells in table:
            mine |= set(re.findall(r"`([\w@.-]+\.(?:service|conf))`", " ".join(cells))) & set(unit)
        named |= mine
        settings = {line for name in mine for line in unit[name]}
        for number, cells in table:
            seen += 1
            line = " ".join(cells)
            wrong += [f"{PAGE}:{number}: a cell of {len(cell)} characters" for cell in cells if len(cell) > LONGEST]
            wrong += [f"{PAGE}:{number}: there is no unit {name}"
                      for name in re.findall(r"`([\w@.-]+\.service)`", line) if name not in unit]
            wrong += [f"{PAGE}:{number}: no unit of its section has {setting}"
                      for setting in re.findall(r"`([A-Z]\w+=[^`]*)`", line) if setting not in settings]
            for count, kind, name in re.findall(r"(\d+) (MiB|s|open files)[^(,;]*\(`Budget\.(\w+)`\)", line):
                size = {"MiB": 1 << 20, "s": 1000, "open files": 1}[kind]
                if value(limits.get(name, "")) != int(count) * size:
                    wrong.append(f"{PAGE}:{number}: Budget.{name} is {limits.get(name)}")
            for name, words in re.findall(r"\(`(\w+)`\)((?: `\w+`)+)", line):
                if name in told:
                    told[name] |= set(re.findall(r"`(\w+)`", words))
    for name in sorted(lists):
        wrong += [f"{PAGE}:0: {name} has {call} in one of {CALLS} and here" for call in sorted(lists[name] ^ told[name])]
    wrong += [f"{PAGE}:0: no table has {name}" for name in sorted(unit) if name.endswith(".service") and name not in named]
    return seen, wrong
