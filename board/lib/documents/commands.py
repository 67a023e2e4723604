"""Commands and options of the command line: those of --help, and those that the handbook names."""
import re

from .text import files, handbook, lines, read, spans

SHELL = ("sh", "bash", "console")
LISTED = re.compile(r"^ +talon ([a-z][a-z-]*)  +\S", re.M)
USAGE = re.compile(r"Usage\(\s*command: \"([a-z-]+)\",(.*?)(?=Usage\(\s*command:|\Z)", re.S)
# Names under which the agent or systemd runs the program again, which --help does not list.
CONFINED = re.compile(r"static let name(?:: StaticString)? = \"([a-z-]+)\"")
# The command is the first word of a line or of a part of it.
CALL = re.compile(r"(?:^|[|;&(]\s*|\bsudo (?:-u \w+ )?)talon ([a-z][a-z-]*)([^|;&)#]*)")


def known(root):
    """The help of each command by its name."""
    texts = [read(root, path) for path in files(root) if re.match(r"Sources/talon/.*Usage[^/]*\.swift$", path)]
    listed = {name for text in texts for name in LISTED.findall(text)}
    helps = {name: help for text in texts for name, help in USAGE.findall(text)}
    return {name: helps.get(name, "") for name in listed}


def confined(root):
    paths = [path for path in files(root) if path.startswith(("Sources/Board/", "Sources/Script/", "Sources/talon/Full/"))]
    return {name for path in paths for name in CONFINED.findall(read(root, path))}


def calls(text):
    """(line, command, what follows it) of each call in code."""
    found = [(number, line) for number, line, language in lines(text) if language in SHELL]
    for number, code in found + list(spans(text)):
        for match in CALL.finditer(code.strip()):
            yield number, match[1], match[2]


def fault(helps, name, words):
    """What is wrong with a call; None: nothing."""
    if name not in helps:
        return f"no such command: talon {name}"
    for option in re.findall(r"(?<!\S)--[a-z][a-z-]*", words):
        if option not in ("--help", "--config") and option not in re.findall(r"--[a-z][a-z-]*", helps[name]):
            return f"no such option: talon {name} {option}"
    return None


def check(root):
    helps = known(root)
    count, wrong, named = 0, [], set()
    hidden = confined(root)
    for page in handbook(root):
        for line, name, words in calls(read(root, page)):
            count += 1
            named.add(name)
            if name not in hidden and (why := fault(helps, name, words)):
                wrong.append(f"{page}:{line}: {why}")
    return count, wrong + [f"Sources/talon/Usage.swift:0: not in the handbook: talon {name}" for name in sorted(set(helps) - named)]
