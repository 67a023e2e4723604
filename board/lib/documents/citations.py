"""Citations of the protocol reference in comments, by the names that docs/protocol/README.md gives."""
import os
import re

from .text import files, headings, read

# How comments name a page, the longest first. docs/protocol/README.md says the same.
NAMES = [
    (r"(?:gateway|protocol) reference", "gateway.md"),
    (r"canvas reference", "canvas.md"),
    (r"node[- ]commands?(?: reference)?", "node-commands.md"),
    (r"newer[- ]gateways(?: reference)?", "newer-gateways.md"),
    (r"(?<!\w)reference", "gateway.md"),
]
NUMBER = r"\d{1,2}(?:\.\d{1,2})*(?!\d)"
# "9.5 and 10", "4.6, 5.2, 5.6 and 8.4", "9.9 to 9.12"
LIST = rf"{NUMBER}(?:(?:,| and|, and| to|, section| and section) {NUMBER}(?![\w%]))*"
ANY_NAME = "|".join(f"(?P<n{i}>{name})" for i, (name, _) in enumerate(NAMES))
CITED = re.compile(rf"(?:{ANY_NAME})(?:,? sections?)? (?P<list>{LIST})", re.I)
# A section without a name, where the folder says the page.
BARE = re.compile(rf"[Ss]ections? (?P<list>{LIST})")
# "talk mode (node-commands 7.1), push to talk (7.4)": of the page named before.
BRACKETS = re.compile(rf"\((?P<list>{LIST})\)")
EXAMPLE = re.compile(r"\bexamples? E(\d+)(?: to E(\d+))?")
OF_OTHERS = re.compile(r"RFC \d+,? $")
# Here a section without a name is one of gateway.md; in a file that says so, also a number in brackets.
ALL_OF_GATEWAY = ("Sources/talon-gateway/", "Tests/TalonGatewayTests/")
SAYS_PAGE = "Section numbers are those of the protocol reference"

# Of which folders which files: below board and systemd all text.
FOLDERS = {"Sources/": (".swift", ".c", ".h"), "Tests/": (".swift",), "board/": ("",), "systemd/": ("",)}

COMMENT = re.compile(r"^\s*(?:///?|#+|\*|/\*+|;)(?:\s|$)")


def sections(text):
    numbered = (re.match(rf"({NUMBER})\.?\s", title) for _, title in headings(text))
    return {match[1] for match in numbered if match}


def passages(text):
    """(first line, text, whether it is a comment, where its lines begin in the text): a comment's lines as one, others alone."""
    lines = text.split("\n")
    at = 0
    while at < len(lines):
        parts, begins, length, first = [], [], 0, at
        while at < len(lines) and (match := COMMENT.match(lines[at])):
            part = lines[at][match.end():].strip()
            begins.append(length)
            parts.append(part)
            length += len(part) + 1
            at += 1
        if parts:
            yield first + 1, " ".join(parts), True, begins
        else:
            yield at + 1, lines[at], False, [0]
            at += 1


def numbers(listed):
    """The sections of a list; of a range (9.9 to 9.12) all."""
    cited = re.findall(NUMBER, listed)
    for begin, end in re.findall(rf"({NUMBER}) to (?=({NUMBER}))", listed):
        if begin.rpartition(".")[0] == end.rpartition(".")[0]:
            stem, low = begin.rpartition(".")[::2]
            cited += [f"{stem}.{n}".lstrip(".") for n in range(int(low), int(end.rpartition(".")[2]))]
    return dict.fromkeys(cited)


def citations(path, text):
    """(line, page, section) of each."""
    everywhere = SAYS_PAGE in text
    bare = path.startswith(ALL_OF_GATEWAY)
    for first, passage, is_comment, begins in passages(text):
        found = []
        for match in CITED.finditer(passage):
            page = next(NAMES[int(name[1:])][1] for name, value in match.groupdict().items() if name != "list" and value)
            found.append((match.start(), match.end(), page, match["list"]))
        taken = [(begin, end) for begin, end, _, _ in found]
        for match in BARE.finditer(passage) if bare else []:
            if not any(begin <= match.start() < end for begin, end in taken) and not OF_OTHERS.search(passage[:match.start()]):
                found.append((match.start(), match.end(), "gateway.md", match["list"]))
        for match in BRACKETS.finditer(passage) if is_comment else []:
            before = [page for _, end, page, _ in found if end <= match.start()]
            if before and "." in match["list"]:
                found.append((match.start(), match.end(), before[-1], match["list"]))
            elif everywhere:
                found.append((match.start(), match.end(), "gateway.md", match["list"]))
        for match in EXAMPLE.finditer(passage):
            low, high = int(match[1]), int(match[2] or match[1])
            found += [(match.start(), match.end(), "gateway.md", f"E{n}") for n in range(low, high + 1)]
        for at, _, page, listed in sorted(found):
            line = first + sum(begin <= at for begin in begins) - 1
            for section in [listed] if listed.startswith("E") else numbers(listed):
                yield line, page, section


def check(root):
    known = {}
    for page in {page for _, page in NAMES}:
        path = os.path.join("docs/protocol", page)
        text = read(root, path)
        known[page] = sections(text) | set(re.findall(r"^\*\*(E\d+)\. ", text, re.M))
    count, wrong = 0, []
    for path in files(root):
        ends = next((ends for folder, ends in FOLDERS.items() if path.startswith(folder)), ())
        if not path.endswith(ends) or path.startswith(("board/tests/docs.", "board/lib/documents/")):
            continue
        for line, page, section in citations(path, read(root, path)):
            count += 1
            if section not in known[page]:
                wrong.append(f"{path}:{line}: docs/protocol/{page} has no section {section}")
    return count, wrong
