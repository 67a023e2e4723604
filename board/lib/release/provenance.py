#!/usr/bin/env python3
"""Says of what, by whom and how the files of a release were made: an in-toto statement with the predicate of SLSA 1.0.

  provenance.py CHECKSUMS REPOSITORY REFERENCE COMMIT BUILDER      CHECKSUMS: a file of sha256sum
"""
import json
import sys


def main():
    if len(sys.argv) != 6:
        sys.exit(__doc__)
    checksums, repository, reference, commit, builder = sys.argv[1:]
    with open(checksums, encoding="utf-8") as file:
        sums = [line.rstrip("\n").split("  ", 1) for line in file]
    source = {"uri": f"git+{repository}@{reference}" if repository else f"git+local@{reference}", "digest": {"gitCommit": commit}}
    json.dump({
        "_type": "https://in-toto.io/Statement/v1",
        "subject": [{"name": name, "digest": {"sha256": digest}} for digest, name in sums],
        "predicateType": "https://slsa.dev/provenance/v1",
        "predicate": {
            "buildDefinition": {
                "buildType": "https://actions.github.io/buildtypes/workflow/v1" if repository else "urn:talon:board-release",
                "externalParameters": {"workflow": {"ref": reference, "repository": repository, "path": ".github/workflows/release.yml"}},
                "resolvedDependencies": [source],
            },
            "runDetails": {"builder": {"id": builder}},
        },
    }, sys.stdout, indent=1)
    print()


if __name__ == "__main__":
    main()
