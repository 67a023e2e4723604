#!/usr/bin/env python3
"""Writes the page that board/demo leaves: index.html in the demo's folder, from what lies beside it.

    demo-page.py FOLDER

Whatever comes from logs, answers and the agent is escaped. The page has no scripts and asks no other machine for anything; photo, clip,
card and sound are files of its folder.
"""
import html
import json
import os
import sys

FOLDER = sys.argv[1]

STYLE = """
:root { color-scheme: light dark; --paper: #faf8f4; --ink: #22251f; --soft: #6a6d64; --line: #e2ddd2; --card: #fff; --leaf: #3f7d4a;
  --lamp: #d98a2b; --dark: #d9d4c8; }
@media (prefers-color-scheme: dark) { :root { --paper: #15181a; --ink: #e9e6df; --soft: #9a9c95; --line: #2c3134; --card: #1d2124;
  --leaf: #7fbf88; --lamp: #f0a94e; --dark: #33393c; } }
* { box-sizing: border-box; }
body { margin: 0; background: var(--paper); color: var(--ink); font: 17px/1.55 system-ui, sans-serif; }
main { max-width: 62rem; margin: 0 auto; padding: 0 1.1rem 4rem; }
header { padding: 3rem 0 1.5rem; }
h1 { font-size: clamp(1.9rem, 5vw, 3rem); line-height: 1.1; letter-spacing: -0.02em; margin: 0 0 0.8rem; text-wrap: balance; }
h2 { font-size: 1.35rem; letter-spacing: -0.01em; margin: 3rem 0 0.4rem; }
p { margin: 0 0 0.8rem; max-width: 44rem; }
.soft, figcaption, time { color: var(--soft); }
.plain { border-left: 3px solid var(--lamp); padding-left: 0.9rem; }
figure { margin: 1rem 0 0; }
figure img, figure video { display: block; width: 100%; height: auto; border-radius: 12px; background: #000; }
figcaption { font-size: 0.9rem; margin-top: 0.5rem; }
audio { width: 100%; margin-top: 0.6rem; }
.pair { display: grid; gap: 1.4rem; grid-template-columns: repeat(auto-fit, minmax(min(100%, 22rem), 1fr)); align-items: start; }
.talk { display: grid; gap: 0.7rem; margin: 1rem 0; padding: 0; list-style: none; }
.talk li { max-width: 40rem; padding: 0.7rem 1rem; border-radius: 14px; background: var(--card); border: 1px solid var(--line); }
.talk .person { justify-self: end; border-color: var(--leaf); }
.talk .board { border-color: var(--lamp); }
.talk b { display: block; font-size: 0.8rem; font-weight: 600; color: var(--soft); }
.talk .step { background: none; border: 0; padding: 0.6rem 0 0; max-width: 44rem; font-weight: 600; }
.talk .found { background: none; border: 0; padding: 0; max-width: 44rem; color: var(--soft); }
.talk time { font-variant-numeric: tabular-nums; margin-right: 0.7rem; font-weight: 400; }
.strip { display: grid; grid-template-columns: minmax(9rem, 14rem) 1fr; gap: 0.3rem 1rem; align-items: center; padding: 0.7rem 0;
  border-top: 1px solid var(--line); }
.strip svg { width: 100%; height: 22px; display: block; border-radius: 4px; }
.strip small { grid-column: 2; color: var(--soft); }
.on { fill: var(--lamp); } .off { fill: var(--dark); }
.wide { overflow-x: auto; }
table { border-collapse: collapse; width: 100%; font-size: 0.92rem; }
th, td { text-align: left; vertical-align: top; padding: 0.5rem 0.8rem 0.5rem 0; border-top: 1px solid var(--line); }
th { border: 0; color: var(--soft); font-weight: 600; }
code, pre { font: 0.84rem/1.5 ui-monospace, monospace; }
td code { overflow-wrap: anywhere; }
td:first-child, td:nth-child(2), td:last-child { white-space: nowrap; }
pre { overflow: auto; max-height: 26rem; margin: 0.8rem 0 0; padding: 1rem; border-radius: 12px; background: var(--card);
  border: 1px solid var(--line); }
summary { cursor: pointer; font-weight: 600; padding: 0.4rem 0; }
a { color: var(--leaf); }
@media (max-width: 34rem) { body { font-size: 16px; } .strip { grid-template-columns: 1fr; } .strip small { grid-column: 1; } }
"""


def text(value):
    return html.escape(str(value))


def read(name):
    path = os.path.join(FOLDER, name)
    if not os.path.exists(path):
        return ""
    with open(path, encoding="utf-8", errors="replace") as file:
        return file.read()


def rows(name):
    return [json.loads(line) for line in read(name).splitlines() if line.strip()]


def answer(name):
    """An answer that the demo kept; {} when there is none."""
    try:
        value = json.loads(read(name) or "{}")
    except ValueError:
        return {}
    return value if isinstance(value, dict) else {}


def clock(seconds):
    return f"{int(seconds) // 60}:{int(seconds) % 60:02}"


def figure(inside, caption):
    return f"<figure>{inside}<figcaption>{caption}</figcaption></figure>"


def picture(name, words, caption):
    return figure(f'<a href="{text(name)}"><img src="{text(name)}" alt="{text(words)}" loading="lazy"></a>', text(caption))


def story():
    names = {"person": "A person at the board", "board": "The board asks", "agent": "The agent, a script"}
    lines = []
    for row in rows("story.jsonl"):
        who = row["who"] if row["who"] in (*names, "step", "found") else "found"
        head = f"<b>{names[who]}</b>" if who in names else ""
        time = f'<time>{clock(row["at"])}</time>' if who == "step" else ""
        lines.append(f'<li class="{who}">{head}{time}{text(row["text"])}</li>')
    return f'<ol class="talk">{"".join(lines)}</ol>'


def strip(pattern):
    """One mark for each tenth of a second."""
    marks = "".join(
        f'<rect class="{"on" if mark == "#" else "off"}" x="{number}" y="0" width="1.02" height="1"/>' for number, mark in enumerate(pattern))
    return (f'<svg viewBox="0 0 {max(1, len(pattern))} 1" preserveAspectRatio="none" role="img" '
            f'aria-label="{pattern.count("#")} of {len(pattern)} tenths of a second lit">{marks}</svg>')


def lights():
    parts = []
    for line in read("light.tsv").splitlines():
        name, pattern, words = (line.split("\t") + ["", ""])[:3]
        parts.append(f'<div class="strip"><span>{text(name)}</span>{strip(pattern)}<small>{text(words)}</small></div>')
    return "".join(parts)


def calls():
    lines = []
    for row in rows("agent.jsonl"):
        arguments = json.dumps(row["arguments"], ensure_ascii=False)
        said = row["answer"] if len(row["answer"]) < 260 else row["answer"][:260] + " ..."
        lines.append(f'<tr><td><time>{text(row["at"])}</time></td><td><code>{text(row["tool"])}</code></td>'
                     f'<td><code>{text(arguments)}</code></td><td>{text(said)}</td><td>{text(row["seconds"])} s</td></tr>')
    return ('<div class="wide"><table><tr><th>when</th><th>tool</th><th>arguments</th><th>what came back</th><th>took</th></tr>'
            f'{"".join(lines)}</table></div>')


def log(title, name, is_open=False):
    return (f'<details{" open" if is_open else ""}><summary>{text(title)}</summary><pre>{text(read(name).strip())}</pre></details>')


def head():
    return """<header><h1>A board, an agent, and who decides</h1>
<p>A board stands in a greenhouse. It had never met this gateway. A person approved it; then somebody asked the agent how the greenhouse
is, and the agent looked, with that person's consent, showed what it found, and had the board say it.</p>
<p class="plain"><strong>What is made here, and what is not.</strong> The agent is a script and no language model. The scene before the
camera and the sound at the microphone are made by scripts. The board is a virtual machine: its kernel is Debian's, and its cameras, its
thermometer, its light and its serial line are drivers of that kernel, without hardware behind them. Talon, which runs on it, is the same
file that runs on a real x86_64 board; screen and speaker are Talon's own simulated ones.</p></header>"""


def film():
    facts = answer("camera.clip.json")
    seconds = facts.get("durationMs", 0) / 1000
    sound = "with sound" if facts.get("hasAudio") else "without sound"
    video = '<video src="clip.mp4" poster="photo.jpg" controls playsinline preload="metadata"></video>'
    return figure(video, f"What the camera filmed: {seconds:g} s, {sound}. The emulated "
                  "processor compresses few pictures a second.")


def page():
    reply = read("reply.txt").strip()
    spoken = figure('<audio src="reply.wav" controls preload="metadata"></audio>',
                    f"The board's own voice: <q>{text(reply)}</q>")
    parts = [
        head(),
        '<div class="pair">',
        picture("photo.jpg", "A greenhouse at dusk with tomato plants, a lamp and a thermometer",
                "The photo that the agent took with the board's camera."),
        film(), "</div>",
        "<h2>What the agent found</h2>",
        "<p>It read the thermometer and counted the red fruits in the photo's pixels, asked the board's sensor and its GPS receiver, and put "
        "all of it on the screen. The board then said the same.</p>",
        '<div class="pair">', picture("card.png", "The card on the board's screen", "The board's screen, as the agent saw it afterwards."),
        spoken, "</div>",
        "<h2>Who said and did what</h2>", story(),
        "<h2>The question</h2>",
        "<p>The board's owner wrote <code>camera = ask</code>. So nobody sees through this camera before somebody at the board allows it, "
        "on the screen, with the button, or at a console, as here.</p>",
        picture("question.png", "The question on the board's screen", "The board's screen while it waited for an answer."),
        "<h2>What its light said</h2>",
        "<p>Four seconds each, looked at ten times a second. The kernel makes the patterns.</p>", lights(),
        "<h2>What the agent called</h2>", calls(),
        "<h2>Logs</h2>",
        log("The board's journal: what was used, and who had allowed it", "journal.txt", True),
        log("The board's log", "talon.log"),
        '<p class="soft">Beside this page: <a href="gateway.log">every frame between board and gateway</a>, '
        '<a href="vm/console.log">what the board\'s kernel said</a>, and the agent\'s answers as JSON.</p>',
    ]
    return ('<!doctype html><html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1">'
            f'<title>Talon: a board in a greenhouse</title><style>{STYLE}</style></head><body><main>{"".join(parts)}</main></body></html>\n')


with open(os.path.join(FOLDER, "index.html"), "w", encoding="utf-8") as output:
    output.write(page())
