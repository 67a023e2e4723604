"""Figures of README.md: each stands in docs/developers/FIGURES.md, and is the same there. Bars of FIGURES.md: each has a command that
holds a figure to it, and those of talon-lab are those of its table."""
import re

from .text import files, prose, read, rows, spans

# Whose times are compared.
PAGES = ("README.md", "docs/developers/TESTING.md")
TABLE = "docs/developers/FIGURES.md"
BARS = "Sources/talon-lab/Bench/Bar.swift"
# What can fail: a command of talon-lab, a script, or a unit test.
COMMAND = re.compile(r"(?:[A-Z]\w+=\S+ )*(talon-lab|board/|images/|Tests/|\w+Tests$)")


def figures(text):
    """(line, what, (figure, bar)) of each row of a table of figures; a table without bars has none."""
    for number, head, cells in rows(text):
        if head[:2] == ["what", "figure"]:
            yield number, cells[0], (cells[1], cells[2] if head[2:3] == ["bar"] else "")


def check(root):
    text, table = read(root, "README.md"), read(root, TABLE)
    measured = {what: figure for _, what, figure in figures(table)}
    shown = list(figures(text))
    wrong = [f"README.md:{line}: {TABLE} says {measured.get(what, 'nothing')} of: {what}"
             for line, what, figure in shown if measured.get(what) != figure]
    said = [(page, line, time) for page in PAGES for line, sentence in prose(read(root, page))
            for time in re.findall(r"\babout \d+ (?=minutes)", sentence)]
    wrong += [f"{page}:{line}: {TABLE} has no figure: {time}minutes" for page, line, time in said if time not in table]
    return len(shown) + len(said), wrong


def bars(text):
    """(line, bar, command of talon-lab, limit) of each row of the program's table."""
    for number, line in enumerate(text.split("\n"), 1):
        if match := re.search(r'case \.(\w+): \("([^"]+)", \.at(?:Most|Least), ([\d._]+),', line):
            yield number, match[1], match[2], match[3]


def check_bars(root):
    table, program = read(root, TABLE), list(bars(read(root, BARS)))
    limits = {command: {limit for _, _, other, limit in program if other == command} for _, _, command, _ in program}
    used = set(re.findall(r"\.(\w+)", "".join(
        read(root, path) for path in files(root) if path.startswith("Sources/talon-lab/") and path != BARS)))
    wrong = [f"{BARS}:{line}: no command of talon-lab uses the bar {bar}" for line, bar, _, _ in program if bar not in used]
    told = {}
    count = 0
    for number, head, cells in rows(table):
        if head[:3] != ["what", "figure", "bar"] or not cells[2]:
            continue
        count += 1
        called = [code for _, code in spans(cells[3]) if COMMAND.match(code)]
        if not called:
            wrong.append(f"{TABLE}:{number}: no command holds this figure to its bar: {cells[0]}")
        of_lab = [code[len("talon-lab "):] for code in called if code.startswith("talon-lab ")]
        # The longest name, for some are the beginning of others.
        named = {max((name for name in limits if f"{code} ".startswith(f"{name} ")), key=len, default="") for code in of_lab} - {""}
        numbers = set(re.findall(r"\d+(?:\.\d+)?", cells[2]))
        for name in named:
            told.setdefault(name, set()).update(numbers)
        strange = numbers - set().union(*(limits[name] for name in named)) if named else set()
        wrong += [f"{TABLE}:{number}: {BARS} has no bar of {limit} for {' or '.join(sorted(named))}" for limit in sorted(strange)]
    wrong += [f"{BARS}:{line}: {TABLE} has no bar of {limit} for talon-lab {command}"
              for line, _, command, limit in program if command in told and limit not in told[command]]
    return count, wrong
