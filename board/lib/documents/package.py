"""The targets of Package.swift, as the package manager reads it, and whether drawing, tables and imports agree with them."""
import json
import os
import re
import subprocess
import tempfile

from .text import files, lines, read, rows

PAGE = "docs/developers/ARCHITECTURE.md"
VARIANTS = ("", "no-script", "lean")
IMPORT = re.compile(r"(?:@\w+(?:\(\w+\))? |public |internal )*import (?:(?:struct|class|enum|func|protocol) )?(\w+)")
CONDITION = re.compile(r"#(if|elseif|else|endif)\b\s*(.*)")


class Target:
    """One target of one variant."""

    def __init__(self, row):
        folder = "Tests" if row["type"] == "test" else "Sources"
        self.name, self.type = row["name"], row["type"]
        self.path = row.get("path") or f"{folder}/{self.name}"
        self.excluded = [f"{self.path}/{name}" for name in row["exclude"]]
        self.dependencies = [entry["byName"][0] for entry in row["dependencies"] if "byName" in entry]
        kinds = [setting["kind"] for setting in row["settings"]]
        self.defines = {kind["define"]["_0"] for kind in kinds if "define" in kind}

    def holds(self, path):
        inside = path.startswith(self.path + "/") and path.endswith(".swift")
        return inside and not any(path.startswith(folder + "/") for folder in self.excluded)


def targets(root, variant=""):
    """The targets of a variant by their names."""
    with tempfile.TemporaryDirectory() as scratch:
        command = ["swift", "package", "--package-path", root, "--scratch-path", scratch, "dump-package"]
        told = subprocess.run(command, capture_output=True, check=True, env=os.environ | {"TALON_VARIANT": variant})
    return {row["name"]: Target(row) for row in json.loads(told.stdout)["targets"]}


def shipping(found):
    """The names of what is linked into talon."""
    names, todo = set(), ["talon"]
    while todo:
        name = todo.pop()
        if name in found and name not in names:
            names.add(name)
            todo += found[name].dependencies
    return names


# --- the drawing and the tables

def section(text, title):
    """(number, line, language) of the lines from this heading to the next of its level."""
    inside = False
    for number, line, language in lines(text):
        if language is None and line.startswith("## "):
            inside = line == f"## {title}"
        elif inside:
            yield number, line, language


def drawing(text):
    """(line, row, words) of each line of boxes; a rule at the left begins another row, 0 is the top."""
    row = -1
    for number, line, language in section(text, "Layers"):
        if language is None or not re.match(r"\s*[+|]", line):
            continue
        if re.match(r"\s*\+-", line):
            row += 1
        else:
            yield number, row, re.findall(r"[\w-]+", line[:line.rindex("|")])


def check_layers(root):
    """Each module that ships stands once in the drawing, above what it depends on; the tables have every module."""
    text, found = read(root, PAGE), targets(root)
    ships = shipping(found)
    row, wrong = {}, []
    for number, level, words in drawing(text):
        wrong += [f"{PAGE}:{number}: the drawing has {word}, which is no module that ships, or has it twice"
                  for word in words if word not in ships or word in row]
        row |= {word: level for word in words}
    wrong += [f"{PAGE}:0: the drawing lacks {name}" for name in sorted(ships - set(row))]
    wrong += [f"{PAGE}:0: {name} does not stand above {other}, on which it depends" for name in sorted(ships & set(row))
              for other in found[name].dependencies if row.get(other, row[name] + 1) <= row[name]]
    listed = list(modules(text))
    every = {name for name, target in found.items() if target.type != "test"}
    wrong += [f"{PAGE}:{number}: no such module: {name}" for number, name in listed if name not in every]
    wrong += [f"{PAGE}:0: no table has the module {name}" for name in sorted(every - {name for _, name in listed})]
    return len(row) + len(listed), wrong


def modules(text):
    """(line, name) of each module of a table whose first column is of modules."""
    for number, head, cells in rows(text):
        if head[0] == "module":
            yield from ((number, name) for name in re.findall(r"`([\w-]+)`", cells[0]))


# --- imports

def holds(condition, defines):
    """Whether a condition of `#if` is true with these defines; one about other things counts as true."""
    names = set(re.findall(r"\w+", condition))
    if not names or not all(name.startswith("TALON_") for name in names):
        return True
    python = re.sub(r"\w+", lambda name: str(name[0] in defines), condition)
    return eval(python.replace("!", " not ").replace("&&", " and ").replace("||", " or "))


def imports(text, defines):
    """(line, module) of each import that is compiled with these defines."""
    open_if = []
    for number, line in enumerate(text.split("\n"), 1):
        line = line.strip()
        if match := CONDITION.match(line):
            word, condition = match[1], match[2].split("//")[0]
            if word == "if":
                open_if.append(holds(condition, defines))
            elif word == "endif":
                open_if.pop()
            else:
                open_if[-1] = not open_if[-1] and (word == "else" or holds(condition, defines))
        elif all(open_if) and (match := IMPORT.match(line)):
            yield number, match[1]


def check_imports(root):
    """In each variant what ships or serves tools imports only what Package.swift gives it."""
    every, count, wrong = files(root), 0, {}
    known = set(targets(root))
    for variant in VARIANTS:
        found = targets(root, variant)
        for target in found.values():
            if target.type == "test" or variant and target.name not in shipping(found):
                continue
            for path in filter(target.holds, every):
                for number, name in imports(read(root, path), target.defines):
                    count += 1
                    if name in known and name not in target.dependencies:
                        build = f" in the variant {variant}" if variant else ""
                        why = f"{target.name} imports {name}, on which it does not depend{build}"
                        wrong.setdefault((path, number), f"{path}:{number}: {why}")
    return count, list(wrong.values())
