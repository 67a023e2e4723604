#!/usr/bin/env python3
"""Makes the SBOM of a firmware file, CycloneDX 1.5 in JSON, of the rows of which its NOTICE is made (board/lib/notice.sh).

  sbom.py PARTS FILE SECONDS      SECONDS: when the release was made, by the clock of 1970

The same inputs give the same bytes: the serial number is made of the file's hash.
"""
import hashlib
import json
import sys
import uuid
from datetime import datetime, timezone


def licences(expression):
    if expression == "-":
        return {}
    if " " in expression:
        return {"licenses": [{"expression": expression}]}
    return {"licenses": [{"license": {"id": expression}}]}


def component(row):
    name, version, licence, package, heading = row
    package = package.replace("+", "%2B")
    return {"type": "application" if name == "talon" else "library", "bom-ref": package, "name": name, "version": version,
            "description": heading, "purl": package, **licences(licence)}


def main():
    if len(sys.argv) != 4:
        sys.exit(__doc__)
    with open(sys.argv[1], encoding="utf-8") as file:
        rows = [line.rstrip("\n").split("\t") for line in file]
    if not rows or any(len(row) != 5 for row in rows) or rows[0][0] != "talon":
        sys.exit(f"{sys.argv[1]} is no list of parts")
    with open(sys.argv[2], "rb") as file:
        digest = hashlib.sha256(file.read()).hexdigest()
    made = datetime.fromtimestamp(int(sys.argv[3]), timezone.utc).strftime("%Y-%m-%dT%H:%M:%SZ")
    whole, *parts = map(component, rows)
    whole["hashes"] = [{"alg": "SHA-256", "content": digest}]
    json.dump({
        "bomFormat": "CycloneDX",
        "specVersion": "1.5",
        "serialNumber": f"urn:uuid:{uuid.uuid5(uuid.NAMESPACE_URL, 'sha256:' + digest)}",
        "version": 1,
        "metadata": {"timestamp": made, "component": whole},
        "components": parts,
        "dependencies": [{"ref": whole["bom-ref"], "dependsOn": [part["bom-ref"] for part in parts]}]
        + [{"ref": part["bom-ref"], "dependsOn": []} for part in parts],
    }, sys.stdout, indent=1, ensure_ascii=False)
    print()


if __name__ == "__main__":
    main()
