#!/usr/bin/env python3
"""Checks what board/tests/docs.sh claims about comments and documents. Prints what is wrong and ends with 1, or prints a count.

  docs.py sections ROOT   every section of docs/protocol that is cited below Sources, Tests, board and systemd exists
  docs.py links ROOT      every relative link and every anchor in the *.md files resolves
  docs.py keys ROOT       the handbook has every key of systemd/talon.conf.example, and no other
  docs.py commands ROOT   the handbook has every command of talon --help, and no other; nor another option
  docs.py scripts ROOT    every script that a fence of the *.md files runs exists
  docs.py figures ROOT    the figures of README.md are those of FIGURES.md
  docs.py bars ROOT       each bar of FIGURES.md has a command that holds a figure to it; those of talon-lab are its own
  docs.py layers ROOT     drawing and tables of ARCHITECTURE.md agree with the targets of Package.swift
  docs.py imports ROOT    in every variant each module imports only what Package.swift gives it
  docs.py names ROOT      every path and every name in ARCHITECTURE.md and CONTRIBUTING.md exists
  docs.py tiers ROOT      the table of steps in TESTING.md has every scenario and every step of board/test, and no other
  docs.py privileges ROOT docs/privileges.md agrees with the units, the budget and the filter of confined processes

Files are those that git knows or would add; in a folder that is no repository, all.
"""
import os
import sys

sys.dont_write_bytecode = True
sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "../lib"))

from documents import citations, commands, figures, keys, links, names, package, privileges, scripts, tiers  # noqa: E402

CHECKS = {
    "sections": citations.check,
    "links": links.check,
    "keys": keys.check,
    "commands": commands.check,
    "scripts": scripts.check,
    "figures": figures.check,
    "bars": figures.check_bars,
    "layers": package.check_layers,
    "imports": package.check_imports,
    "names": names.check,
    "tiers": tiers.check,
    "privileges": privileges.check,
}


def main():
    if len(sys.argv) != 3 or sys.argv[1] not in CHECKS:
        sys.exit(__doc__)
    count, wrong = CHECKS[sys.argv[1]](sys.argv[2])
    if wrong:
        print("\n".join(wrong))
        sys.exit(1)
    print(count)


if __name__ == "__main__":
    main()
