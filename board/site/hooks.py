"""What MkDocs does for the handbook beside mkdocs.yml."""
import os

from mkdocs.structure.files import File

# Where a page stands in what a search finds. Owners ask most; a page of the protocol has each word many times.
BOOSTS = (("owners/", 2.0), ("developers/", 0.5), ("protocol/", 0.2))
HERE = os.path.dirname(os.path.abspath(__file__))


def on_files(files, config):
    """Style and script are no pages, so they are not in docs."""
    for name in ("site.css", "site.js"):
        with open(os.path.join(HERE, name), encoding="utf-8") as file:
            files.append(File.generated(config, name, content=file.read()))
    return files


def on_page_markdown(markdown, page, **_):
    for folder, boost in BOOSTS:
        if page.file.src_uri.startswith(folder):
            page.meta.setdefault("search", {})["boost"] = boost
    return markdown
