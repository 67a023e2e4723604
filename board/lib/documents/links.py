"""Relative links and anchors."""
import os
import re
import urllib.parse

from .text import files, headings, prose, read


def anchors(text):
    """What may follow # in a link to this file, as GitHub makes it of headings."""
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


def place(page, name):
    """The path from the root on that a link in this page leads to."""
    if not name:
        return page
    folder = "" if name.startswith("/") else os.path.dirname(page)
    path = os.path.normpath(os.path.join(folder, name.lstrip("/")))
    return "" if path == "." else path


def fault(root, paths, page, target):
    """What is wrong with a link; None: nothing."""
    name, _, anchor = map(urllib.parse.unquote, target.partition("#"))
    path = place(page, name)
    if path not in paths:
        return f"no such file: {target}"
    if not anchor:
        return None
    text = read(root, path)
    if path.endswith(".md"):
        return None if anchor in anchors(text) else f"no such heading: {target}"
    numbers = re.fullmatch(r"L(\d+)(?:-L(\d+))?", anchor)
    return None if numbers and int(numbers[2] or numbers[1]) <= text.count("\n") else f"no such line: {target}"


def check(root):
    paths = set(files(root))
    pages = sorted(path for path in paths if path.endswith(".md"))
    for path in list(paths):
        while path := os.path.dirname(path):
            paths.add(path)
    paths.add("")
    found = [(page, line, target) for page in pages for line, target in links(read(root, page))
             if not re.match(r"[a-z][a-z0-9+.-]*:|//", target, re.I)]
    wrong = [f"{page}:{line}: {why}" for page, line, target in found if (why := fault(root, paths, page, target))]
    return len(found), wrong
