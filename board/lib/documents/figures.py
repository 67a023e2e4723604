"""Figures of README.md: each stands in docs/developers/FIGURES.md, and is the same there."""
import re

from .text import prose, read, rows

# Whose times are compared.
PAGES = ("README.md", "docs/developers/TESTING.md")
TABLE = "docs/developers/FIGURES.md"


def figures(text):
    """(line, what, (figure, bar)) of each row of a table of figures."""
    for number, head, cells in rows(text):
        if head[:3] == ["what", "figure", "bar"]:
            yield number, cells[0], tuple(cells[1:3])


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
