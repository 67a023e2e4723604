"""Scripts of ours that the documents tell people to run."""
import os
import re

from .text import files, lines, read

OURS = re.compile(r"(?:^|[|;&(]\s*|\bsudo )\s*(?:[A-Z_]+=\S* )*((?:board|images|\.ci|systemd)/[^\s;|&)]+)")


def check(root):
    count, wrong = 0, []
    for page in files(root):
        if not page.endswith(".md"):
            continue
        for number, line, language in lines(read(root, page)):
            for script in OURS.findall(line) if language in ("sh", "bash", "console") else []:
                count += 1
                if not os.access(os.path.join(root, script), os.X_OK) or os.path.isdir(os.path.join(root, script)):
                    wrong.append(f"{page}:{number}: no such script: {script}")
    return count, wrong
