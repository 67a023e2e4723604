#!/usr/bin/env python3
"""What answers chats in the demo, in place of an agent: a script, and no language model.

The gateway starts it for each message (talon-gateway run --agent), which is its standard input; what it prints is the reply. Whatever it is
asked, it looks at the greenhouse with the board's tools, as a model would call them: it takes a photo, reads in its pixels what the
thermometer says and how many fruits are red, asks the board's own sensor and position, shows a card, and speaks. Each call is a line of
agent.jsonl. The environment says where: DEMO_GATEWAY (the program), DEMO_STATE (its folder) and DEMO_FOLDER (what the demo leaves).
"""
import datetime
import json
import os
import shutil
import subprocess
import sys
import time

FOLDER = os.environ["DEMO_FOLDER"]
BOARD = "greenhouse"

# The thermometer, in parts of the photo's width and height: the middle of its tube, and where it has 0 and 40 degrees. A person who hangs
# up a camera tells its agent such things.
TUBE, ZERO, FORTY = 1106 / 1280, 452 / 720, 212 / 720


def call(tool, arguments=None, picture=None):
    """The tool's result. What came of it stands in agent.jsonl."""
    command = [os.environ["DEMO_GATEWAY"], "tools", "call", f"{BOARD}_{tool}", json.dumps(arguments or {}), "--json",
               "--state", os.environ["DEMO_STATE"]]
    if picture:
        command += ["--out", f"{FOLDER}/{picture}"]
    now, started = datetime.datetime.now(), time.monotonic()
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    try:
        result = json.loads(done.stdout)
    except ValueError:
        result = {"isError": True, "content": [{"type": "text", "text": done.stderr.strip() or "no answer"}]}
    words = " ".join(block.get("text") or f"[{block.get('mimeType', 'data')}]" for block in result.get("content", []))
    shown = {key: value if key != "messages" else "..." for key, value in (arguments or {}).items()}
    row = {"at": now.strftime("%H:%M:%S"), "tool": f"{BOARD}_{tool}", "arguments": shown, "answer": words,
           "seconds": round(time.monotonic() - started, 1), "isError": bool(result.get("isError"))}
    with open(f"{FOLDER}/agent.jsonl", "a", encoding="utf-8") as file:
        file.write(json.dumps(row, ensure_ascii=False) + "\n")
    return result


def facts(result):
    return result.get("structuredContent") or {}


class Photo:
    def __init__(self, path):
        data = subprocess.run(["djpeg", "-pnm", "-rgb", path], capture_output=True, check=True).stdout
        header, size, _, self.pixels = data.split(b"\n", 3)
        assert header == b"P6"
        self.width, self.height = map(int, size.split())

    def is_red(self, x, y):
        at = (y * self.width + x) * 3
        red, green, blue = self.pixels[at:at + 3]
        return red > 110 and green < 0.45 * red and blue < 0.45 * red

    def degrees(self):
        """Up from 0 degrees until the column ends."""
        x, zero, forty = int(TUBE * self.width), int(ZERO * self.height), int(FORTY * self.height)
        y = zero
        while y > forty and self.is_red(x, y):
            y -= 1
        return None if y == zero else round((zero - y) * 40 / (zero - forty))

    def red_fruits(self):
        """Red spots that are about as high as wide. Every second pixel is enough."""
        step, seen, count = 2, set(), 0
        red = {(x, y) for y in range(0, self.height, step) for x in range(0, self.width, step) if self.is_red(x, y)}
        for start in sorted(red):
            if start in seen:
                continue
            spot, rest = [], [start]
            seen.add(start)
            while rest:
                x, y = rest.pop()
                spot.append((x, y))
                for near in ((x + step, y), (x - step, y), (x, y + step), (x, y - step)):
                    if near in red and near not in seen:
                        seen.add(near)
                        rest.append(near)
            wide = max(x for x, _ in spot) - min(x for x, _ in spot)
            high = max(y for _, y in spot) - min(y for _, y in spot)
            count += len(spot) > 24 and 0.5 < wide / max(1, high) < 2
        return count


def card(title, lines, picture):
    """A card of A2UI: the photo at the left, what was found at the right."""
    texts = [{"id": f"line{number}", "component": {"Text": {"text": {"literalString": line}}}} for number, line in enumerate(lines)]
    names = ["title", "rule"] + [text["id"] for text in texts]
    parts = [
        {"id": "root", "component": {"Card": {"child": "all"}}},
        {"id": "all", "component": {"Row": {"children": {"explicitList": ["photo", "words"]}, "alignment": "center"}}},
        {"id": "photo", "weight": 3, "component": {"Image": {"url": {"literalString": picture}, "fit": "contain"}}},
        {"id": "words", "weight": 2, "component": {"Column": {"children": {"explicitList": names}}}},
        {"id": "title", "component": {"Text": {"text": {"literalString": title}, "usageHint": "h2"}}},
        {"id": "rule", "component": {"Divider": {}}},
    ]
    return [{"surfaceUpdate": {"surfaceId": "look", "components": parts + texts}},
            {"beginRendering": {"surfaceId": "look", "root": "root"}}]


def look():
    """What the photo shows, and what the board's own sensor says."""
    result = call("photo", {"deviceId": "/dev/video0", "maxWidth": 1280}, "photo.jpg")
    if result.get("isError"):
        print("I could not look:", " ".join(block.get("text", "") for block in result["content"]))
        sys.exit()
    photo = Photo(f"{FOLDER}/photo.jpg")
    shutil.copy(f"{FOLDER}/photo.jpg", f"{FOLDER}/canvas/photo.jpg")
    return photo.degrees(), photo.red_fruits(), facts(call("thermometer")).get("value")


def number(count):
    words = "no one two three four five six seven eight nine ten eleven twelve".split()
    return words[count] if count < len(words) else str(count)


def main():
    sys.stdin.read()
    degrees, fruits, measured = look()
    place = facts(call("location"))
    where = f"{place['lat']:.4f}° N, {place['lon']:.4f}° E" if "lat" in place else "position unknown"
    agree = degrees is not None and measured is not None and abs(degrees - measured) <= 1
    lines = [f"{degrees} °C in the photo", f"{measured} °C by the sensor",
             f"{fruits} ripe tomatoes", where, datetime.datetime.now().strftime("%H:%M")]
    call("show", {"messages": card("Greenhouse", lines, "/__openclaw__/canvas/photo.jpg")})
    reply = f"It is {degrees} degrees in the greenhouse: the thermometer in the photo and the board's sensor "
    reply += "agree. " if agree else f"disagree, for that one says {measured}. "
    reply += f"I count {number(fruits)} ripe tomatoes. The photo and the position are on the screen."
    call("say", {"text": reply})
    # By now the board has fetched the photo for its card.
    call("screen", {}, "card.png")
    print(reply)


main()
