#!/usr/bin/env python3
"""Checks what board/tests/docs.sh claims about comments and documents. Prints what is wrong and ends with 1, or prints a count.

  docs.py sections ROOT   every section of docs/protocol that is cited below Sources, Tests, board and systemd exists
  docs.py links ROOT      every relative link and every anchor in the *.md files resolves

Files are those that git knows or would add; in a folder that is no repository, all.
"""
import os
import re
import subprocess
import sys
import urllib.parse

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


def files(root):
    """Paths from root on, sorted."""
    if os.path.exists(os.path.join(root, ".git")):
        listed = subprocess.run(["git", "-C", root, "ls-files", "-zco", "--exclude-standard"], capture_output=True, check=True)
        found = [path for path in listed.stdout.decode().split("\0") if path]
    else:
        found = []
        for folder, folders, names in os.walk(root):
            folders[:] = [name for name in folders if not name.startswith(".")]
            found += [os.path.relpath(os.path.join(folder, name), root) for name in names]
    return sorted(path for path in set(found) if os.path.isfile(os.path.join(root, path)))


def read(root, path):
    try:
        with open(os.path.join(root, path), encoding="utf-8") as file:
            return file.read()
    except UnicodeDecodeError:
        return ""


# --- sections

def headings(text):
    """(level, text) of each heading outside of code."""
    fence = None
    for line in text.split("\n"):
        mark = re.match(r"\s{0,3}(```+|~~~+)", line)
        if mark and (fence is None or line.strip().startswith(fence)):
            fence = None if fence else mark[1]
        elif fence is None and (match := re.match(r"(#{1,6})\s+(.*?)\s*#*\s*$", line)):
            yield len(match[1]), match[2]


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


def check_sections(root):
    known = {}
    for page in {page for _, page in NAMES}:
        path = os.path.join("docs/protocol", page)
        text = read(root, path) if os.path.isfile(os.path.join(root, path)) else ""
        known[page] = sections(text) | set(re.findall(r"^\*\*(E\d+)\. ", text, re.M))
    count, wrong = 0, []
    for path in files(root):
        ends = next((ends for folder, ends in FOLDERS.items() if path.startswith(folder)), ())
        if not path.endswith(ends) or path.startswith("board/tests/docs."):
            continue
        for line, page, section in citations(path, read(root, path)):
            count += 1
            if section not in known[page]:
                wrong.append(f"{path}:{line}: docs/protocol/{page} has no section {section}")
    return count, wrong


# --- links

def prose(text):
    """The lines without what stands in code."""
    fence = None
    for number, line in enumerate(text.split("\n"), 1):
        mark = re.match(r"\s{0,3}(```+|~~~+)", line)
        if mark and (fence is None or line.strip().startswith(fence)):
            fence = None if fence else mark[1]
        elif fence is None:
            yield number, re.sub(r"(`+)(?!`).*?(?<!`)\1(?!`)", "", line)


def anchors(text):
    """What may stand behind # in a link to this file, as GitHub makes it of headings."""
    made, times = set(), {}
    for _, title in headings(text):
        title = re.sub(r"!?\[([^\]]*)\]\([^)]*\)", r"\1", title)
        title = re.sub(r"<[^>]*>", "", title)
        slug = "".join(c for c in title.lower() if c.isalnum() or c in "-_ ").replace(" ", "-")
        again = times.get(slug, 0)
        times[slug] = again + 1
        made.add(f"{slug}-{again}" if again else slug)
    return made | set(re.findall(r"<[^>]*\b(?:id|name)=\"([^\"]+)\"", text))


def links(text):
    """(line, target) of each link and picture, in brackets, as a definition, or in HTML."""
    for number, line in prose(text):
        for match in re.finditer(r"\]\(\s*<?([^\s)>]+)>?(?:\s+\"[^\"]*\")?\s*\)", line):
            yield number, match[1]
        if match := re.match(r"\s{0,3}\[[^\]]+\]:\s+<?(\S+?)>?(?:\s|$)", line):
            yield number, match[1]
        for match in re.finditer(r"<(?:img|a|source)\b[^>]*?\b(?:src|href|srcset)=\"([^\"]+)\"", line):
            yield number, match[1]


def check_links(root):
    every = files(root)
    paths = set(every) | {os.path.dirname(path) for path in every}
    while any(more := {os.path.dirname(path) for path in paths} - paths):
        paths |= more
    count, wrong = 0, []
    for path in every:
        if not path.endswith(".md"):
            continue
        text = read(root, path)
        for line, target in links(text):
            if re.match(r"[a-z][a-z0-9+.-]*:|//", target, re.I):
                continue
            count += 1
            name, _, anchor = target.partition("#")
            name = urllib.parse.unquote(name)
            there = path if not name else os.path.normpath(os.path.join("" if name.startswith("/") else os.path.dirname(path), name.lstrip("/")))
            there = "" if there == "." else there
            if there not in paths:
                wrong.append(f"{path}:{line}: no such file: {target}")
            elif anchor and there.endswith(".md") and urllib.parse.unquote(anchor) not in anchors(read(root, there)):
                wrong.append(f"{path}:{line}: no such heading: {target}")
            elif anchor and not there.endswith(".md"):
                lines = re.fullmatch(r"L(\d+)(?:-L(\d+))?", anchor)
                if not lines or int(lines[2] or lines[1]) > read(root, there).count("\n"):
                    wrong.append(f"{path}:{line}: no such line: {target}")
    return count, wrong


def main():
    checks = {"sections": check_sections, "links": check_links}
    if len(sys.argv) != 3 or sys.argv[1] not in checks:
        sys.exit(__doc__)
    count, wrong = checks[sys.argv[1]](sys.argv[2])
    if wrong:
        print("\n".join(wrong))
        sys.exit(1)
    print(count)


if __name__ == "__main__":
    main()
