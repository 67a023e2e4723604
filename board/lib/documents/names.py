"""Files and names of the sources that the developers' pages send people to."""
import os
import re

from .text import files, read, spans

PAGES = ("docs/developers/ARCHITECTURE.md", "docs/developers/CONTRIBUTING.md")
FOLDERS = ("Sources/", "Tests/", "board/", "docs/", "images/", "systemd/", ".ci/")
# `Router`, `Router.begin`, `isFileOnly`, `boardChanged(_:)`: what Swift calls something.
NAME = re.compile(r"[A-Za-z_]\w*(?:\.[A-Za-z_]\w*)*(?:\([\w:]*\))?")


def pattern(path):
    """The path with * for a part of a name."""
    return re.escape(path.rstrip("/")).replace(r"\*", "[^/]*")


def has_path(every, path):
    """Some file has this path or stands below it."""
    wanted = re.compile(pattern(path) + "(/.*)?")
    return any(wanted.fullmatch(file) for file in every)


def has_file(every, name):
    """Some file has this name, or this end of a path."""
    wanted = re.compile("(.*/)?" + pattern(name))
    return any(wanted.fullmatch(file) for file in every)


def fault(every, words, code):
    """What is wrong with a piece of code in a page; None: nothing, or it is neither a path nor a name."""
    if code.startswith(FOLDERS):
        path = code.split(" ")[0]
        return None if has_path(every, path) else f"no such path: {path}"
    if re.fullmatch(r"[\w./+*-]+\.(?:swift|sh|py|md|txt|c|h)", code):
        return None if has_file(every, code) else f"no such file: {code}"
    if NAME.fullmatch(code) and re.search(r"[A-Z]", code):
        lost = [word for word in re.findall(r"\w+", code) if word not in words]
        return f"nothing in the sources is called {', '.join(lost)}" if lost else None
    return None


def check(root):
    every = files(root)
    sources = [path for path in every if path.startswith(("Sources/", "Tests/", "Package.swift"))]
    words = {os.path.basename(path).split(".")[0] for path in sources} | {part for path in sources for part in path.split("/")}
    for path in sources:
        words.update(re.findall(r"\w+", read(root, path)))
    found = [(page, line, code) for page in PAGES for line, code in spans(read(root, page))]
    wrong = [f"{page}:{line}: {why}" for page, line, code in found if (why := fault(every, words, code))]
    return len(found), wrong
