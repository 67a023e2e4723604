"""The files of the repository, and what stands where in their Markdown."""
import os
import re
import subprocess


def files(root):
    """Paths from root on, sorted: those that git knows or would add; in a folder that is no repository, all."""
    if os.path.exists(os.path.join(root, ".git")):
        command = ["git", "-C", root, "ls-files", "-zco", "--exclude-standard"]
        found = [path for path in subprocess.run(command, capture_output=True, check=True).stdout.decode().split("\0") if path]
    else:
        found = []
        for folder, folders, names in os.walk(root):
            folders[:] = [name for name in folders if not name.startswith(".")]
            found += [os.path.relpath(os.path.join(folder, name), root) for name in names]
    return sorted(path for path in set(found) if os.path.isfile(os.path.join(root, path)))


def read(root, path):
    """The text of a file; empty when there is none, or it is no text."""
    try:
        with open(os.path.join(root, path), encoding="utf-8") as file:
            return file.read()
    except (FileNotFoundError, UnicodeDecodeError):
        return ""


def handbook(root):
    """The pages about Talon itself: README.md and docs, without the reference of the protocol."""
    pages = [path for path in files(root) if path == "README.md" or path.startswith("docs/") and path.endswith(".md")]
    return [path for path in pages if not path.startswith("docs/protocol/")]


def lines(text):
    """(number, line, language) of each line; the language is that of the fence that it stands in, None outside of one."""
    fence, language = None, None
    for number, line in enumerate(text.split("\n"), 1):
        mark = re.match(r"\s*(```+|~~~+)\s*(\w*)", line)
        if mark and fence is None:
            fence, language = mark[1], mark[2]
        elif mark and line.strip().startswith(fence):
            fence, language = None, None
        else:
            yield number, line, language


def prose(text):
    """(number, line) outside of fences, without code in the line."""
    for number, line, language in lines(text):
        if language is None:
            yield number, re.sub(r"(`+)(?!`).*?(?<!`)\1(?!`)", "", line)


def spans(text):
    """(number, code) of each piece of code within a line."""
    for number, line, language in lines(text):
        if language is None:
            yield from ((number, match[2].strip()) for match in re.finditer(r"(`+)(?!`)(.*?)(?<!`)\1(?!`)", line))


def rows(text):
    """(number, head, cells) of each row of a table below its head."""
    head = None
    for number, line, language in lines(text):
        if language is not None or not line.startswith("|"):
            head = None
            continue
        cells = [cell.strip() for cell in re.split(r"(?<!\\)\|", line.strip().strip("|"))]
        if head is None:
            head = cells
        elif not cells[0].startswith("---"):
            yield number, head, cells


def headings(text):
    """(level, text) of each heading."""
    for _, line, language in lines(text):
        if language is None and (match := re.match(r"(#{1,6})\s+(.*?)\s*#*\s*$", line)):
            yield len(match[1]), match[2]
