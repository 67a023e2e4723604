"""What MkDocs does for the handbook beside mkdocs.yml."""
import os
import sys

from mkdocs.structure.files import File

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path.insert(0, HERE)

import cards  # noqa: E402

# Where a page stands in what a search finds. Owners ask most; pages of the protocol, of keys and of options have each word many times.
BOOSTS = tuple((page, 0.5) for page in cards.PAGES) + (("owners/", 2.0), ("developers/", 0.5), ("GLOSSARY", 0.5), ("protocol/", 0.2))


def on_files(files, config):
    """Style and script are no pages, so they are not in docs."""
    for name in ("site.css", "site.js"):
        with open(os.path.join(HERE, name), encoding="utf-8") as file:
            files.append(File.generated(config, name, content=file.read()))
    # They belong to the handbook; the pages that board/tests/site.sh plants are none.
    if files.get_file_from_path("owners/commands.md"):
        for name, make in cards.PAGES.items():
            files.append(File.generated(config, name, content=make()))
    return files


def on_page_markdown(markdown, page, **_):
    for folder, boost in BOOSTS:
        if page.file.src_uri.startswith(folder):
            page.meta.setdefault("search", {})["boost"] = boost
            break
    return markdown
