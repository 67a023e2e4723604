"""Pages of the site that are made of what the program says of itself: the help of each command, and every key of the configuration.

They are made of Sources/talon/**/Usage*.swift, whose texts are what `talon COMMAND --help` prints, and of systemd/talon.conf.example.
"""
import os
import re
import sys
import textwrap

ROOT = os.path.join(os.path.dirname(os.path.abspath(__file__)), "../..")
sys.path.insert(0, os.path.join(ROOT, "board/lib"))

from documents import commands, keys  # noqa: E402
from documents.text import read  # noqa: E402

HELP = re.compile(r'text:\s*"""\n(.*?)"""', re.S)


def plain(text):
    """Text in which nothing is a mark of Markdown."""
    return re.sub(r"([\\`*_{}\[\]<>#|])", r"\\\1", text)


def help_page():
    """Each command with what its --help prints."""
    parts = ["# Command line: help of every command",
             "What `talon COMMAND --help` prints. [Commands](commands.md) has them by what they are for."]
    for name, source in sorted(commands.known(ROOT).items()):
        found = HELP.search(source)
        if not found:
            raise ValueError(f"no help of talon {name} was found in Sources/talon")
        # A backslash at the end of a line of the source goes on with the line.
        text = textwrap.dedent(re.sub(r"\\\n\s*", "", found[1]) + " ").rstrip()
        parts += [f"## talon {name}", f"```text\n{text}\n```"]
    return "\n\n".join(parts) + "\n"


def groups(text):
    """(section, explanation, lines) of each group of keys, and of each explanation without keys, in the order of the file."""
    section, said, lines = None, [], []
    for line in text.split("\n") + [""]:
        if match := keys.SECTION.fullmatch(line):
            section = line.lstrip("#")
        elif keys.KEY.match(line):
            lines.append(line.lstrip("#"))
        elif line.startswith("#"):
            said.append(line[1:].strip())
        elif said or lines:
            yield section, " ".join(said), lines
            said, lines = [], []


def keys_page():
    """Each section with its keys: the default or an example, and what systemd/talon.conf.example says of it."""
    parts = ["# Every key of the configuration",
             "What `man talon.conf` has: each key with its default, or with an example where it has none. "
             "[Configuration](configuration.md) says how the file is changed."]
    before = None
    for section, said, lines in groups(read(ROOT, keys.EXAMPLE)):
        if section is None:
            continue
        if section != before:
            parts.append(f"## {plain(section)}")
            before = section
        if lines:
            parts.append("```ini\n" + "\n".join(lines) + "\n```")
        if said:
            parts.append(plain(said))
    return "\n\n".join(parts) + "\n"


PAGES = {"owners/help.md": help_page, "owners/keys.md": keys_page}
