"""Keys of the configuration: those of systemd/talon.conf.example, and those that the handbook names."""
import re

from .text import handbook, lines, read, rows, spans

EXAMPLE = "systemd/talon.conf.example"
SECTION = re.compile(r"#?\[([a-z]+)(?: [a-zA-Z]+)?\]")
KEY = re.compile(r"#?([a-z][a-z0-9_]*) =")
# `[canvas] eval`, `[canvas] eval = off`, `[camera door] device`
NAMED = re.compile(r"\[([a-z]+)(?: [a-zA-Z]+)?\] ([a-z][a-z0-9_]*)(?: =.*)?")


def known(root):
    """(section, key) of each; those of `[camera NAME]` are of `camera`."""
    found, section = set(), None
    for line in read(root, EXAMPLE).split("\n"):
        if match := SECTION.fullmatch(line):
            section = match[1]
        elif match := KEY.match(line):
            found.add((section, match[1]))
    return found


def in_files(text):
    """(line, section, key) of each line of a configuration in a fence."""
    section = None
    for number, line, language in lines(text):
        if language != "ini":
            section = None
        elif match := SECTION.fullmatch(line.strip()):
            section = match[1]
        elif match := KEY.match(line.strip()):
            yield number, section, match[1]


def in_tables(text):
    """(line, section, key) of each piece of code in a row that begins with `[section]`."""
    for number, _, cells in rows(text):
        if match := SECTION.fullmatch(cells[0].strip("`")):
            yield from ((number, match[1], key) for key in re.findall(r"`([a-z][a-z0-9_]*)`", cells[1]))


def in_sentences(text):
    """(line, section, key) of each piece of code that names both; the section is None where it names a key and a value."""
    for number, code in spans(text):
        if match := NAMED.fullmatch(code):
            yield number, match[1], match[2]
        elif match := re.fullmatch(r"([a-z][a-z0-9_]*) = .*", code):
            yield number, None, match[1]


def check(root):
    every = known(root)
    of_any = {(None, key) for _, key in every}
    count, wrong, named = 0, [], set()
    for page in handbook(root):
        text = read(root, page)
        for find in (in_files, in_tables, in_sentences):
            for line, section, key in find(text):
                count += 1
                named.add((section, key))
                if (section, key) not in every | of_any:
                    wrong.append(f"{page}:{line}: no such key: [{section or 'any section'}] {key}")
        wrong += [f"{page}:{number}: a comment after a value belongs to the value" for number, line, language in lines(text)
                  if language == "ini" and re.match(r"[a-z_0-9]+ = .*\s[#;]", line.strip())]
    return count, wrong + [f"{EXAMPLE}:0: not in the handbook: [{section}] {key}" for section, key in sorted(every - named)]
