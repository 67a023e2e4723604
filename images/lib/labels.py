"""Labels for boards as a PDF: what images/labels runs, and explains."""
import argparse
import csv
import os
import pathlib
import re
import sys
import urllib.parse

from reportlab.graphics import renderPDF
from reportlab.graphics.barcode.qr import QrCodeWidget
from reportlab.graphics.shapes import Drawing
from reportlab.lib.pagesizes import A4, letter
from reportlab.lib.units import inch, mm
from reportlab.pdfbase import pdfmetrics
from reportlab.pdfbase.ttfonts import TTFont
from reportlab.pdfgen.canvas import Canvas

# Columns, rows, a label's size, the distance between two of a row, margins at the left and above: from the makers' drawings.
SHEETS = {
    "a4-24": (A4, 3, 8, 63.5 * mm, 33.9 * mm, 66.0 * mm, 7.25 * mm, 12.9 * mm),
    "a4-65": (A4, 5, 13, 38.1 * mm, 21.2 * mm, 40.6 * mm, 4.75 * mm, 10.7 * mm),
    "letter-30": (letter, 3, 10, 2.625 * inch, 1 * inch, 2.75 * inch, 0.1875 * inch, 0.5 * inch),
}
BOARDS_MAX = 9999  # As many as images/build makes cards at once.
PADDING = 2.5 * mm
ID_SHOWN = 16  # Enough to tell boards apart; the code has the whole.
TEXT_MIN = 5  # Points: what is smaller cannot be read.
FONTS = pathlib.Path("/usr/share/fonts/truetype/dejavu")


def die(words):
    sys.exit(f"labels: {words}")


def boards(path):
    """The rows of the list, each with what a label needs."""
    try:
        with open(path, encoding="utf-8-sig", newline="") as file:
            reader = csv.DictReader(file)
            missing = {"name", "device_id"} - set(reader.fieldnames or [])
            if missing:
                die(f"{path}:1: there is no column {' and no '.join(sorted(missing))}; images/build writes such a list as cards.csv")
            rows = []
            for row in reader:
                if not row["name"] or not row["device_id"]:
                    die(f"{path}:{reader.line_num}: a board needs a name and a device id")
                rows.append(row)
                if len(rows) > BOARDS_MAX:
                    die(f"{path}:{reader.line_num}: more than {BOARDS_MAX} boards; divide the list")
    except (OSError, UnicodeDecodeError, csv.Error) as error:
        die(f"{path} cannot be read: {error}")
    return rows or die(f"{path} names no board")


def fit(text, font, size, width):
    """The text and the largest size, up to this one, at which it fits; cut, with a sign of that, where none does."""
    while size > TEXT_MIN and pdfmetrics.stringWidth(text, font, size) > width:
        size -= 0.5
    if pdfmetrics.stringWidth(text, font, size) <= width:
        return text, size
    while text and pdfmetrics.stringWidth(text + "…", font, size) > width:
        text = text[:-1]
    return text + "…", size


def warn_of_missing_letters(rows):
    known = pdfmetrics.getFont("plain").face.charToGlyph
    for row in rows:
        strange = {letter for letter in row["name"] + (row.get("place") or "") if ord(letter) not in known}
        if strange:
            print(f"labels: the font lacks {' '.join(sorted(strange))} of {row['name']}: the label shows boxes", file=sys.stderr)


def code_of(row, link):
    if not link:
        return f"{row['name']} {row['device_id']}"
    quoted = {key: urllib.parse.quote(row[key], safe="") for key in ("name", "device_id")}
    for key, value in quoted.items():
        link = link.replace("{" + key + "}", value)
    return link


def draw_code(canvas, text, x, y, side):
    widget = QrCodeWidget(text, barLevel="M", barBorder=0)
    left, bottom, right, top = widget.getBounds()
    drawing = Drawing(side, side, transform=[side / (right - left), 0, 0, side / (top - bottom), 0, 0])
    drawing.add(widget)
    renderPDF.draw(drawing, canvas, x, y)


def draw_label(canvas, row, link, x, y, width, height):
    """A label whose lower left corner is at x, y: the code at the left, words beside it."""
    side = min(height - 2 * PADDING, width * 0.45)
    draw_code(canvas, code_of(row, link), x + PADDING, y + (height - side) / 2, side)
    # A reader of codes wants four of its squares free around it.
    beside = x + PADDING + side + 2 * PADDING
    room = x + width - PADDING - beside
    head = height * 0.24
    at = y + height - PADDING
    for text, font, size in (
        (row["name"], "bold", head),
        (row.get("place") or "", "plain", head * 0.65),
        (row["device_id"][:ID_SHOWN], "plain", head * 0.55),
    ):
        text, size = fit(text, font, size, room)
        at -= head
        canvas.setFont(font, size)
        canvas.drawString(beside, at, text)


def draw_labels(canvas, rows, sheet, first, link):
    page, columns, lines, width, height, pitch, left, above = SHEETS[sheet]
    for number, row in enumerate(rows, first - 1):
        place = number % (columns * lines)
        if place == 0 and number > first - 1:
            canvas.showPage()
        x = left + place % columns * pitch
        y = page[1] - above - (place // columns + 1) * height
        draw_label(canvas, row, link, x, y, width, height)
    canvas.showPage()


def draw_pins(canvas, rows, page):
    """A list of PINs, on pages of their own."""
    step, top = 7 * mm, page[1] - 20 * mm
    lines = int((top - 20 * mm) // step)
    for at in range(0, len(rows), lines):
        canvas.setFont("bold", 11)
        canvas.drawString(20 * mm, top, "PINs of consoles: keep this list, not on the boards")
        for line, row in enumerate(rows[at:at + lines], 1):
            name, size = fit(row["name"], "plain", 10, 120 * mm)
            canvas.setFont("plain", size)
            canvas.drawString(20 * mm, top - line * step, name)
            canvas.setFont("bold", 10)
            canvas.drawString(150 * mm, top - line * step, row["pin"])
        canvas.showPage()


def main():
    parser = argparse.ArgumentParser(prog="labels", allow_abbrev=False)
    parser.add_argument("list")
    parser.add_argument("--sheet", choices=SHEETS, default="a4-24")
    parser.add_argument("--first", type=int, default=1)
    parser.add_argument("--link")
    parser.add_argument("--pins", action="store_true")
    parser.add_argument("--out")
    options = parser.parse_args()
    on_sheet = SHEETS[options.sheet][1] * SHEETS[options.sheet][2]
    if not 1 <= options.first <= on_sheet:
        die(f"--first is a number from 1 to {on_sheet}, and not {options.first}")
    if options.link is not None and not re.fullmatch(r"[^{}]*(\{(name|device_id)\}[^{}]*)+", options.link):
        die(f"--link needs {{name}} or {{device_id}} in it, and nothing else in braces: {options.link!r} does not say which board it is")
    rows = boards(options.list)
    if options.pins and not all(row.get("pin") for row in rows):
        die(f"{options.list} has no PINs; images/build --pins makes them")

    pdfmetrics.registerFont(TTFont("plain", FONTS / "DejaVuSans.ttf"))
    pdfmetrics.registerFont(TTFont("bold", FONTS / "DejaVuSans-Bold.ttf"))
    warn_of_missing_letters(rows)
    target = options.out or str(pathlib.Path(options.list).with_name("labels.pdf"))
    fresh = f"{target}.new"
    pathlib.Path(fresh).unlink(missing_ok=True)
    # PINs are for their owner alone.
    os.umask(0o077 if options.pins else 0o022)
    canvas = Canvas(fresh, pagesize=SHEETS[options.sheet][0], invariant=1)
    canvas.setTitle("Labels of boards")
    try:
        draw_labels(canvas, rows, options.sheet, options.first, options.link)
        if options.pins:
            draw_pins(canvas, rows, SHEETS[options.sheet][0])
        canvas.save()
        os.replace(fresh, target)
    except OSError as error:
        die(f"{target} cannot be written: {error.strerror}")
    except ValueError as error:
        die(f"no code holds {options.link!r} of a board: {error}")
    print(f"{len(rows)} labels in {target}")


if __name__ == "__main__":
    main()
