#!/usr/bin/env bash
# The handbook as a site (board/docs): it builds without a dead link, its pages show no Markdown that was not understood, it fetches nothing
# from other servers, and its search has the right page first for what a newcomer asks. The search is the site's own: its script, the
# theme's worker with lunr, and the index, run by node (board/site/search.js).
#
# MkDocs Material comes from PyPI when it is not there. Without it the scenario fails, and says that the package registry does not answer.
set -euo pipefail
source "$(dirname "$0")/../lib/common.sh"
source "$root/board/lib/debian.sh"
source "$root/board/lib/site.sh"
source "$root/board/lib/claims.sh"

wants_help "$@" && { usage; exit; }

"$root/board/prepare" site
work=$out/test/site
rm -rf "$work"
mkdir -p "$work"

# plants NAME TEXT: a page built with the site's own rules.
plants() {
  mkdir -p "$work/$1/docs"
  sed -e '/^nav:/,/^$/d' -e "s|board/site/hooks.py|$root/board/site/hooks.py|" "$root/mkdocs.yml" > "$work/$1/mkdocs.yml"
  printf '# Page\n\n%s\n' "$2" > "$work/$1/docs/index.md"
}
# refuses_dead: a page with three links to nothing does not build, and each of them is named.
refuses_dead() {
  plants dead '[file](nothing.md) [anchor](#never) [outside](../../fleet)'
  ! build_site "$work/dead/site" "$work/dead/mkdocs.yml" 2> "$work/dead/log" || return 1
  (( $(grep -cE "'nothing.md'|'#never'|'../../fleet'" "$work/dead/log") == 3 ))
}

# raw FOLDER: paragraphs of the site in FOLDER in which a list, a table or a fence became none.
raw() {
  "$site_python" - "$1" <<'PYTHON'
import pathlib, re, sys
for page in sorted(pathlib.Path(sys.argv[1]).rglob("*.html")):
    article = re.search(r"<article.*?</article>", page.read_text(encoding="utf-8"), re.S)
    text = re.sub(r"<(pre|code)\b.*?</\1>", "", article[0] if article else "", flags=re.S)
    for paragraph in re.findall(r"<(?:p|li)>(.*?)</(?:p|li)>", text, re.S):
        if re.search(r"^\s*(?:[-*]|\d+\.)\s+\S|```|^\|", paragraph, re.M):
            print(f"{page}: {paragraph[:100]!r}")
PYTHON
}
shows_all() {
  raw "$1" > "$work/shown"
  [[ ! -s $work/shown ]] || { say "$(< "$work/shown")"; return 1; }
}
finds_raw() {
  plants raw "$(printf 'Words\n- one\n- two\n\nWords\n| a | b |\n|---|---|\n\n- right\n')"
  build_site "$work/raw/site" "$work/raw/mkdocs.yml" && (( $(raw "$work/raw/site" | wc -l) == 2 ))
}
# A fence ends the list in which it stands, unless it is indented by four.
indents_fences() { ! grep -rnE '^ {1,3}(```|~~~)' "$root/docs"; }

# What a page makes a browser fetch: addresses of scripts, styles, pictures and fonts.
fetches_nothing() {
  ! grep -rnoE --include='*.html' '<(script|img|link rel="(stylesheet|preconnect|icon)")[^>]*(src|href)="?(https?:)?//[^">]*' "$1"
}

questions() {
  cat <<'LIST'
how do I turn the screen	owners/screen/
why five flashes	owners/light-and-button/
how do I flash a card	owners/install/
how do I connect to wifi	owners/install/
does the camera module work	owners/boards/
which Raspberry Pi do I need	owners/boards/
how do I update	owners/updates/
what is the pin of the console	owners/console/
how do I change the wake word	owners/wake-phrases/
factory reset	owners/install/
how do I switch a relay?	owners/hands/
the gateway does not answer	owners/gateway/
how do I approve a board	owners/pairing/
setup code	owners/pairing/
switch off the microphone	owners/sound-and-talk/
how do I add a gps	owners/position-and-motion/
many boards	owners/fleet/
print labels	owners/fleet/
share a folder	owners/files/
where is the log	owners/troubleshooting/
talon doctor	owners/troubleshooting/
how do I wire a button	owners/light-and-button/
what does talon chat do	owners/help/
talon update --older	owners/updates/
LIST
}
asks() { { questions | cut -f 1; echo zeppelin; } | node "$root/board/site/search.js" "$work/site" > "$work/found"; }
# finds_pages: each question has its page first.
finds_pages() { diff <(questions) <(cut -f 1,2 "$work/found" | head -n -1) >&2; }
# A question about nothing finds nothing: the search does answer what it was asked.
knows_nothing() { [[ $(tail -1 "$work/found") == zeppelin ]]; }

claim "a page with dead links does not build, and each is named" refuses_dead
claim "a list and a table that are shown as text are found" finds_raw

# lists FILE COUNT: headings of the second rank on a page that is made of the program: each command, each section.
lists() { (( $(grep -c '<h2 id=' "$work/site/$1/index.html") >= $2 )); }

claim "the handbook builds" build_site "$work/site"
claim "no page shows marks of Markdown" shows_all "$work/site"
claim "every command that --help lists has its help" lists owners/help "$(grep -c '^ *talon [a-z-]*  ' "$root/Sources/talon/Usage.swift")"
claim "every section of the configuration has its keys" lists owners/keys "$(grep -c '^\[' "$root/systemd/talon.conf.example")"
claim "fences stand within their lists" indents_fences
claim "no page fetches anything from another server" fetches_nothing "$work/site"
claim "the search of the site runs" asks
claim "$(questions | wc -l) questions of a newcomer have their page first" finds_pages
claim "a question about nothing finds nothing" knows_nothing
