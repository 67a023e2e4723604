#!/usr/bin/python3
"""Pictures for a camera of the demo: a greenhouse at dusk. The lamp swings, a cat walks by, and the thermometer says 24 degrees.

    scene.py FOLDER [WIDTH [COUNT]]

FOLDER gets COUNT files (40), one frame of WIDTH (960) by 9/16 of it in each, as cameras give them in the format YU12. Shown over and over they are a film
without an end, and they are the same each time they are made. Wants Debian's python3-cairo and python3-numpy.
"""
import math
import random
import sys

import cairo
import numpy

# What is drawn in; what comes out is scaled. With frames of 1 MiB and more Talon takes no photo of v4l2loopback's cameras.
WIDTH, HEIGHT = 1280, 720
SCALE = (int(sys.argv[2]) if len(sys.argv) > 2 else 960) / WIDTH
DEGREES = 24

# The thermometer: the middle of its tube, the heights of 0 and 40 degrees, and the middle of its bulb.
TUBE, ZERO, FORTY, BULB = 1106, 452, 212, 478

FRAME = (0.07, 0.10, 0.11)
# The gable at the back: left, right, floor, eaves and ridge.
BACK = dict(left=430, right=850, floor=520, eaves=250, ridge=130)


def linear(x0, y0, x1, y1, *stops):
    gradient = cairo.LinearGradient(x0, y0, x1, y1)
    for place, *color in stops:
        gradient.add_color_stop_rgba(place, *(color + [1] if len(color) == 3 else color))
    return gradient


def radial(x, y, radius, *stops, inner=0, dx=0, dy=0):
    gradient = cairo.RadialGradient(x + dx, y + dy, inner, x, y, radius)
    for place, *color in stops:
        gradient.add_color_stop_rgba(place, *(color + [1] if len(color) == 3 else color))
    return gradient


def polygon(ctx, *points):
    ctx.move_to(*points[0])
    for point in points[1:]:
        ctx.line_to(*point)
    ctx.close_path()


def line(ctx, x0, y0, x1, y1, width, color):
    ctx.move_to(x0, y0)
    ctx.line_to(x1, y1)
    ctx.set_line_width(width)
    ctx.set_source_rgba(*color)
    ctx.stroke()


# What is outside.

def sky(ctx):
    ctx.set_source(linear(0, 0, 0, 540, (0, 0.055, 0.075, 0.17), (0.35, 0.17, 0.19, 0.36), (0.62, 0.46, 0.31, 0.43),
                          (0.82, 0.86, 0.48, 0.36), (1, 0.98, 0.72, 0.44)))
    ctx.paint()
    dice = random.Random(3)
    for _ in range(90):
        x, y = dice.uniform(0, WIDTH), dice.uniform(0, 210)
        ctx.set_source_rgba(1, 1, 1, dice.uniform(0.15, 0.75) * (1 - y / 260))
        ctx.arc(x, y, dice.uniform(0.5, 1.3), 0, math.tau)
        ctx.fill()
    moon(ctx, 700, 214, 16)


def moon(ctx, x, y, radius):
    ctx.set_source(radial(x, y, radius * 4, (0, 1, 0.95, 0.8, 0.30), (1, 1, 0.95, 0.8, 0)))
    ctx.arc(x, y, radius * 4, 0, math.tau)
    ctx.fill()
    # A crescent: from tip to tip along the outer edge, and back along a flatter one.
    ctx.save()
    ctx.translate(x, y)
    ctx.rotate(0.5)
    ctx.arc(0, 0, radius, -math.pi / 2, math.pi / 2)
    ctx.curve_to(radius * 0.55, radius * 0.5, radius * 0.55, -radius * 0.5, 0, -radius)
    ctx.set_source_rgb(1, 0.96, 0.86)
    ctx.fill()
    ctx.restore()


def hills(ctx):
    for base, height, color, seed in ((468, 34, (0.52, 0.33, 0.40), 1), (490, 26, (0.31, 0.22, 0.32), 5),
                                      (512, 20, (0.15, 0.14, 0.22), 9)):
        ctx.move_to(0, HEIGHT)
        for x in range(0, WIDTH + 1, 8):
            wave = math.sin(x / 190 + seed) + 0.5 * math.sin(x / 71 + 2 * seed) + 0.2 * math.sin(x / 23 + seed)
            ctx.line_to(x, base - height * wave * 0.6)
        ctx.line_to(WIDTH, HEIGHT)
        ctx.set_source_rgb(*color)
        ctx.fill()


# The house.

def floor(ctx):
    left, right, base = BACK["left"], BACK["right"], BACK["floor"]
    polygon(ctx, (left, base), (right, base), (1500, HEIGHT), (-220, HEIGHT))
    ctx.set_source(linear(0, base, 0, HEIGHT, (0, 0.14, 0.11, 0.10), (1, 0.065, 0.05, 0.05)))
    ctx.fill()
    polygon(ctx, (588, base), (692, base), (1010, HEIGHT), (270, HEIGHT))
    ctx.set_source(linear(0, base, 0, HEIGHT, (0, 0.38, 0.31, 0.28), (1, 0.25, 0.21, 0.20)))
    ctx.fill()
    # Slabs: joints across the path, nearer to each other at the back, and one along it.
    y, step = base + 9.0, 12.0
    while y < HEIGHT:
        part = (y - base) / (HEIGHT - base)
        line(ctx, 588 - 318 * part, y, 692 + 318 * part, y, 1 + 2 * part, (0.09, 0.07, 0.07, 0.75))
        y, step = y + step, step * 1.38
    line(ctx, 640, base, 640, HEIGHT, 2, (0.09, 0.07, 0.07, 0.55))
    for edge in (1, -1):
        polygon(ctx, (640 - 52 * edge, base), (640 - 60 * edge, base), (640 - 420 * edge, HEIGHT), (640 - 370 * edge, HEIGHT))
        ctx.set_source(linear(0, base, 0, HEIGHT, (0, 0.30, 0.20, 0.14), (1, 0.17, 0.11, 0.08)))
        ctx.fill()


def bar(ctx, x0, y0, x1, y1, width):
    """A bar of the frame, with the evening on its edge."""
    line(ctx, x0, y0, x1, y1, width, (*FRAME, 1))
    line(ctx, x0 - width * 0.32, y0, x1 - width * 0.32, y1, max(1, width * 0.14), (0.98, 0.72, 0.50, 0.30))


def panes(ctx):
    """What the glass adds: a veil at each side, and streaks of light that slant across it."""
    left, right, base, eaves, ridge = (BACK[name] for name in ("left", "right", "floor", "eaves", "ridge"))
    for edge, x in ((left, -220), (right, 1500)):
        polygon(ctx, (edge, base), (edge, eaves), (x, -150), (x, 860))
        ctx.set_source(linear(edge, 0, 640 + (x - 640) * 0.8, 0, (0, 0.20, 0.30, 0.36, 0.12), (1, 0.03, 0.07, 0.12, 0.62)))
        ctx.fill()
        polygon(ctx, (edge, eaves), (640, ridge), (640, -500), (x, -150))
        ctx.set_source_rgba(0.05, 0.09, 0.15, 0.34)
        ctx.fill()
    for x, width in ((465, 26), (505, 9), (690, 34), (742, 10)):
        polygon(ctx, (x + 90, ridge + 20), (x + 90 + width, ridge + 20), (x - 40 + width, base), (x - 40, base))
        ctx.set_source(linear(0, ridge, 0, base, (0, 1, 1, 1, 0.10), (1, 1, 1, 1, 0)))
        ctx.fill()


def house(ctx):
    left, right, base, eaves, ridge = (BACK[name] for name in ("left", "right", "floor", "eaves", "ridge"))
    panes(ctx)
    # Rafters and posts of the sides, nearer to each other at the back.
    for part in (0.10, 0.24, 0.44, 0.74):
        width = 4 + 9 * part
        for edge, x in ((left, -220), (right, 1500)):
            px, top, foot = edge + (x - edge) * part, eaves + (-150 - eaves) * part, base + (860 - base) * part
            ry = ridge + (-500 - ridge) * part
            bar(ctx, px, foot, px, top, width)
            bar(ctx, px, top, 640, ry, width)
    for edge, x in ((left, -220), (right, 1500)):
        bar(ctx, edge, eaves, x, -150, 9)
        bar(ctx, edge, base, x, 860, 8)
        bar(ctx, edge, (eaves + base) / 2, x, 355, 5)
        bar(ctx, (edge + 640) / 2, (eaves + ridge) / 2, (x + 640) / 2, -325, 5)
    bar(ctx, 640, ridge, 640, -500, 9)
    gable(ctx, left, right, base, eaves, ridge)


def gable(ctx, left, right, base, eaves, ridge):
    polygon(ctx, (left, base), (left, eaves), (640, ridge), (right, eaves), (right, base))
    ctx.set_line_width(9)
    ctx.set_source_rgb(*FRAME)
    ctx.stroke()
    for x in (535, 640, 745):
        top = eaves - (eaves - ridge) * (1 - abs(x - 640) / 210)
        bar(ctx, x, base, x, top, 5)
    bar(ctx, left, eaves, right, eaves, 5)
    bar(ctx, left, 400, right, 400, 4)


# What grows.

def leaflet(ctx, length, color):
    """A leaf of five lobes from the origin along x, with its vein."""
    ctx.move_to(0, 0)
    for side in (-1, 1):
        points = ((0.14, 0.16), (0.30, 0.12), (0.40, 0.24), (0.55, 0.15), (0.66, 0.19), (0.80, 0.08), (1, 0))
        points = points if side < 0 else ((0.80, 0.08), (0.66, 0.19), (0.55, 0.15), (0.40, 0.24), (0.30, 0.12), (0.14, 0.16), (0, 0))
        for x, y in points:
            ctx.line_to(x * length, side * y * length)
    ctx.set_source_rgb(*color)
    ctx.fill()
    line(ctx, 0, 0, length * 0.9, 0, max(0.6, length / 40), (0.75, 0.85, 0.55, 0.28))


def leaf(ctx, x, y, angle, length, dice, light):
    """Leaflets along a stalk that bends down."""
    ctx.save()
    ctx.translate(x, y)
    bend = 0.16 if math.cos(angle) > 0 else -0.16
    for step in range(5):
        ctx.rotate(angle if step == 0 else bend)
        shade = light * dice.uniform(0.75, 1.2)
        color = (0.15 * shade, 0.33 * shade, 0.16 * shade)
        line(ctx, 0, 0, length / 5, 0, max(1, length / 45), (0.16 * light, 0.30 * light, 0.14 * light, 1))
        ctx.translate(length / 5, 0)
        if step == 4:
            leaflet(ctx, length * 0.42, color)
            break
        for side in (-1, 1):
            ctx.save()
            ctx.rotate(side * dice.uniform(0.75, 1.15))
            leaflet(ctx, length * (0.24 + 0.04 * step) * dice.uniform(0.9, 1.1), color)
            ctx.restore()
    ctx.restore()


def tomato(ctx, x, y, radius, ripe, light=1.0):
    tint = {"red": ((0.96, 0.30, 0.20), (0.80, 0.09, 0.07), (0.42, 0.03, 0.04)),
            "turning": ((0.98, 0.72, 0.36), (0.86, 0.48, 0.16), (0.45, 0.24, 0.09)),
            "green": ((0.66, 0.78, 0.42), (0.38, 0.54, 0.24), (0.15, 0.26, 0.12))}[ripe]
    tint = [tuple(part * light for part in color) for color in tint]
    ctx.save()
    ctx.translate(x, y)
    ctx.scale(1.06, 0.96)
    ctx.set_source(radial(0, 0, radius, (0, *tint[0]), (0.55, *tint[1]), (1, *tint[2]), dx=-radius * 0.3, dy=-radius * 0.35))
    ctx.arc(0, 0, radius, 0, math.tau)
    ctx.fill()
    ctx.set_source(radial(-radius * 0.34, -radius * 0.40, radius * 0.30, (0, 1, 0.95, 0.88, 0.75), (1, 1, 0.95, 0.88, 0)))
    ctx.arc(-radius * 0.34, -radius * 0.40, radius * 0.30, 0, math.tau)
    ctx.fill()
    for number in range(5):
        ctx.save()
        ctx.translate(0, -radius * 0.86)
        ctx.rotate(math.pi * (0.02 + 0.24 * number))
        ctx.move_to(0, -radius * 0.10)
        ctx.curve_to(radius * 0.25, -radius * 0.16, radius * 0.4, -radius * 0.08, radius * 0.55, 0)
        ctx.curve_to(radius * 0.35, radius * 0.08, radius * 0.2, radius * 0.08, 0, radius * 0.10)
        ctx.set_source_rgb(0.20 * light, 0.36 * light, 0.16 * light)
        ctx.fill()
        ctx.restore()
    ctx.restore()


def plant(ctx, x, base, height, seed, light, fruits):
    """A tomato plant at its string. FRUITS: (how far up, how far to the side, ripeness), in parts of its height."""
    dice = random.Random(seed)
    line(ctx, x, base, x, base - height * 1.5, 1.2, (0.85, 0.78, 0.62, 0.35))
    sway = [x + height * 0.018 * math.sin(part * 5 + seed) for part in (number / 12 for number in range(13))]
    for number in range(12):
        line(ctx, sway[number], base - height * number / 12, sway[number + 1], base - height * (number + 1) / 12,
             height * (0.022 - 0.001 * number), (0.20 * light, 0.34 * light, 0.15 * light, 1))
    for number in range(2, 13):
        part = number / 12
        for side in (-1, 1):
            angle = (0.35 - 0.75 * part) + dice.uniform(-0.2, 0.2)
            if side < 0:
                angle = math.pi - angle
            length = height * dice.uniform(0.26, 0.34) * (1.05 - 0.45 * part)
            leaf(ctx, sway[number], base - height * part, angle, length, dice, light * dice.uniform(0.8, 1.15))
    for up, aside, ripe in fruits:
        fx, fy, radius = x + aside * height, base - up * height, height * 0.047
        ctx.move_to(x, fy - radius * 2.4)
        ctx.curve_to((x + fx) / 2, fy - radius * 2.8, fx, fy - radius * 2.2, fx, fy - radius)
        ctx.set_line_width(max(1.5, height / 160))
        ctx.set_source_rgb(0.22 * light, 0.36 * light, 0.16 * light)
        ctx.stroke()
        tomato(ctx, fx, fy, radius, ripe, light)


def plants(ctx):
    """From the back to the front. Ripe fruits of two plants never touch: whoever counts them in a photo finds each."""
    for x, base, height, seed, light in ((512, 534, 170, 11, 0.72), (768, 534, 170, 12, 0.72)):
        plant(ctx, x, base, height, seed, light, ((0.35, -0.07, "green"), (0.42, 0.08, "green"), (0.62, 0.05, "turning")))
    plant(ctx, 432, 572, 290, 21, 0.9, ((0.30, -0.09, "red"), (0.36, 0.09, "red"), (0.55, -0.08, "turning"), (0.66, 0.07, "green")))
    plant(ctx, 856, 572, 290, 22, 0.9, ((0.28, 0.08, "red"), (0.40, -0.10, "red"), (0.58, 0.08, "green"), (0.70, -0.05, "turning")))
    plant(ctx, 238, 668, 540, 31, 1.05, ((0.30, 0.10, "red"), (0.41, 0.02, "red"), (0.52, 0.11, "red"), (0.66, -0.08, "turning"),
                                         (0.78, 0.08, "green")))
    plant(ctx, 1262, 690, 540, 32, 0.95, ((0.34, -0.10, "red"), (0.60, -0.12, "turning"), (0.74, -0.07, "green")))
    plant(ctx, 22, 720, 640, 33, 0.85, ((0.36, 0.10, "green"), (0.55, 0.11, "turning")))


# Things.

def thermometer(ctx):
    """On a board at the right-hand side."""
    ctx.save()
    ctx.rectangle(TUBE - 56, FORTY - 62, 112, BULB - FORTY + 108)
    ctx.set_source_rgba(0, 0, 0, 0.35)
    ctx.translate(7, 9)
    ctx.fill()
    ctx.restore()
    board = (TUBE - 56, FORTY - 62, 112, BULB - FORTY + 108)
    ctx.rectangle(*board)
    ctx.set_source(linear(TUBE - 56, 0, TUBE + 56, 0, (0, 0.94, 0.89, 0.78), (0.5, 0.98, 0.94, 0.85), (1, 0.84, 0.78, 0.66)))
    ctx.fill()
    ctx.rectangle(board[0] + 5, board[1] + 5, board[2] - 10, board[3] - 10)
    ctx.set_line_width(1.5)
    ctx.set_source_rgba(0.20, 0.16, 0.12, 0.55)
    ctx.stroke()
    ctx.select_font_face("serif", cairo.FONT_SLANT_NORMAL, cairo.FONT_WEIGHT_NORMAL)
    label(ctx, TUBE, FORTY - 30, "°C", 20)
    for degree in range(0, 41):
        y = ZERO + (FORTY - ZERO) * degree / 40
        reach = 16 if degree % 10 == 0 else 13 if degree % 5 == 0 else 8
        for side in (-1, 1):
            line(ctx, TUBE + side * 12, y, TUBE + side * (12 + reach), y, 1.6 if degree % 5 == 0 else 0.8, (0.16, 0.13, 0.11, 0.9))
        if degree % 10 == 0:
            label(ctx, TUBE - 40, y + 5, str(degree), 14)
            label(ctx, TUBE + 40, y + 5, str(degree), 14)
    ctx.set_line_cap(cairo.LINE_CAP_ROUND)
    line(ctx, TUBE, BULB, TUBE, FORTY - 12, 15, (0.97, 0.97, 0.95, 1))
    line(ctx, TUBE, BULB, TUBE, FORTY - 12, 13, (0.88, 0.89, 0.88, 1))
    ctx.set_line_cap(cairo.LINE_CAP_BUTT)
    line(ctx, TUBE, BULB, TUBE, ZERO + (FORTY - ZERO) * DEGREES / 40, 9, (0.82, 0.07, 0.08, 1))
    ctx.set_source(radial(TUBE, BULB, 17, (0, 0.95, 0.30, 0.26), (0.5, 0.82, 0.07, 0.08), (1, 0.55, 0.03, 0.05), dx=-5, dy=-5))
    ctx.arc(TUBE, BULB, 16, 0, math.tau)
    ctx.fill()


def label(ctx, x, y, text, size):
    ctx.set_font_size(size)
    width = ctx.text_extents(text).x_advance
    ctx.move_to(x - width / 2, y)
    ctx.set_source_rgb(0.16, 0.13, 0.11)
    ctx.show_text(text)


def lamp(ctx, angle):
    """Hangs from the ridge, out of the picture; where its light is, the picture becomes warmer."""
    length = 330
    ctx.save()
    ctx.translate(640, -60)
    ctx.rotate(angle)
    line(ctx, 0, 0, 0, length - 34, 2.5, (0.04, 0.04, 0.05, 1))
    ctx.translate(0, length)
    ctx.move_to(-7, -36)
    ctx.curve_to(-12, -20, -42, -12, -50, 8)
    ctx.line_to(50, 8)
    ctx.curve_to(42, -12, 12, -20, 7, -36)
    ctx.close_path()
    ctx.set_source(linear(-50, 0, 50, 0, (0, 0.08, 0.13, 0.13), (0.35, 0.22, 0.32, 0.30), (1, 0.05, 0.08, 0.08)))
    ctx.fill()
    ctx.save()
    ctx.scale(1, 0.20)
    ctx.arc(0, 40, 50, 0, math.tau)
    ctx.restore()
    ctx.set_source_rgb(1, 0.86, 0.58)
    ctx.fill()
    ctx.arc(0, 11, 12, 0, math.tau)
    ctx.set_source_rgb(1, 0.97, 0.86)
    ctx.fill()
    ctx.restore()
    return 640 - math.sin(angle) * length, -60 + math.cos(angle) * length + 12


def glow(ctx, x, y):
    ctx.set_operator(cairo.OPERATOR_ADD)
    ctx.set_source(radial(x, y, 620, (0, 0.62, 0.42, 0.20, 0.60), (0.12, 0.50, 0.31, 0.13, 0.42), (0.45, 0.26, 0.14, 0.05, 0.26),
                          (1, 0, 0, 0, 0)))
    ctx.paint()
    # A pool of light on the path.
    ctx.save()
    ctx.translate(640 + (x - 640) * 2.2, 640)
    ctx.scale(1, 0.24)
    ctx.set_source(radial(0, 0, 330, (0, 0.42, 0.27, 0.12, 0.62), (1, 0, 0, 0, 0)))
    ctx.arc(0, 0, 330, 0, math.tau)
    ctx.fill()
    ctx.restore()
    ctx.set_operator(cairo.OPERATOR_OVER)


# Who comes by.

def legs(ctx, phase, behind):
    """Two joints each; a pair of legs moves against the other one."""
    for x, shift in ((-46, 0.0), (34, 0.25)):
        turn = math.tau * (phase + shift + (0.5 if behind else 0))
        swing, lift = 0.42 * math.sin(turn), max(0.0, math.cos(turn))
        knee = (x + 24 * math.sin(swing), -30 + 24 * math.cos(swing) * 0.92)
        foot = (knee[0] + 22 * math.sin(swing * 0.9 - 0.35 * lift), -3 - 9 * lift)
        ctx.move_to(x, -34)
        ctx.line_to(*knee)
        ctx.line_to(*foot)
        ctx.line_to(foot[0] + 7, foot[1] + 1)
        ctx.set_line_width(12 if not behind else 10)
        ctx.stroke()


def cat(ctx, x, y, phase):
    ctx.save()
    ctx.translate(x, y + 1.5 * math.sin(math.tau * 2 * phase))
    ctx.set_line_cap(cairo.LINE_CAP_ROUND)
    ctx.set_line_join(cairo.LINE_JOIN_ROUND)
    ctx.set_source_rgba(0, 0, 0, 0.35)
    ctx.save()
    ctx.scale(1, 0.10)
    ctx.arc(0, 30, 86, 0, math.tau)
    ctx.restore()
    ctx.fill()
    ctx.set_source_rgb(0.045, 0.042, 0.055)
    legs(ctx, phase, True)
    wave = 8 * math.sin(math.tau * phase)
    ctx.move_to(-58, -56)
    ctx.curve_to(-96, -58, -92, -98, -108 + wave, -122)
    ctx.set_line_width(10)
    ctx.set_source_rgb(0.075, 0.07, 0.085)
    ctx.stroke()
    body(ctx)
    legs(ctx, phase, False)
    ctx.restore()


def body(ctx):
    ctx.move_to(-64, -50)
    ctx.curve_to(-66, -78, -30, -72, 0, -70)
    ctx.curve_to(22, -69, 34, -76, 48, -82)
    # The head, with two ears, a nose and a chin.
    ctx.line_to(54, -104)
    ctx.line_to(65, -92)
    ctx.curve_to(68, -93, 72, -93, 75, -92)
    ctx.line_to(86, -103)
    ctx.line_to(88, -82)
    ctx.curve_to(94, -76, 93, -68, 88, -65)
    ctx.curve_to(80, -58, 68, -58, 60, -58)
    ctx.curve_to(54, -44, 48, -32, 32, -30)
    ctx.curve_to(8, -26, -22, -28, -42, -28)
    ctx.curve_to(-58, -28, -63, -38, -64, -50)
    ctx.close_path()
    ctx.set_source(linear(0, -104, 0, -26, (0, 0.15, 0.13, 0.14), (0.5, 0.085, 0.08, 0.095), (1, 0.045, 0.042, 0.055)))
    ctx.fill_preserve()
    ctx.set_line_width(1.6)
    ctx.set_source_rgba(1, 0.72, 0.42, 0.42)
    ctx.stroke()
    ctx.set_source_rgb(0.98, 0.80, 0.32)
    for x in (72, 84):
        ctx.arc(x, -79, 2.6, 0, math.tau)
        ctx.fill()
    ctx.set_source_rgb(0.075, 0.07, 0.085)


def vignette(ctx):
    ctx.set_source(radial(640, 380, 860, (0, 0, 0, 0, 0), (0.55, 0, 0, 0, 0), (1, 0, 0, 0.03, 0.62)))
    ctx.paint()


def canvas():
    surface = cairo.ImageSurface(cairo.FORMAT_RGB24, int(WIDTH * SCALE), int(HEIGHT * SCALE))
    surface.set_device_scale(SCALE, SCALE)
    return surface, cairo.Context(surface)


def background():
    surface, ctx = canvas()
    for part in (sky, hills, floor, house, plants):
        part(ctx)
    return surface


def frame(behind, part):
    """The picture at this PART of the film."""
    surface, ctx = canvas()
    ctx.set_source_surface(behind)
    ctx.paint()
    light = lamp(ctx, 0.085 * math.sin(math.tau * part))
    cat(ctx, -130 + (WIDTH + 270) * part, 700, part * 9)
    glow(ctx, *light)
    vignette(ctx)
    thermometer(ctx)
    return surface


def save(surface, path):
    """Brightness of each pixel, then the two colors of each four (BT.601, 16 to 235)."""
    surface.flush()
    wide, high = surface.get_width(), surface.get_height()
    pixels = numpy.frombuffer(surface.get_data(), numpy.uint8).reshape(high, wide, 4).astype(numpy.float32)
    blue, green, red = pixels[..., 0], pixels[..., 1], pixels[..., 2]
    bright = 16 + 0.2568 * red + 0.5041 * green + 0.0979 * blue
    colors = (128 - 0.1482 * red - 0.2910 * green + 0.4392 * blue, 128 + 0.4392 * red - 0.3678 * green - 0.0714 * blue)
    with open(path, "wb") as file:
        file.write(bright.round().astype(numpy.uint8).tobytes())
        for color in colors:
            file.write(color.reshape(high // 2, 2, wide // 2, 2).mean((1, 3)).round().astype(numpy.uint8).tobytes())


def main():
    folder, count = sys.argv[1], int(sys.argv[3]) if len(sys.argv) > 3 else 40
    behind = background()
    for number in range(count):
        save(frame(behind, number / count), f"{folder}/{number:02}.yuv")


main()
