#!/usr/bin/env python3
"""Makes the list that Raspberry Pi Imager reads (--repo, or the file for Imager 2), of the images of a release.

  os_list.py ADDRESS DATE INIT_FORMAT ICON IMAGE BOARD,BOARD [IMAGE BOARD,BOARD]...

ADDRESS is where the images lie, DATE the day of the release, IMAGE a file NAME.img.xz. The boards are those of images/lib/boards.sh.
The shape is that of os-list-schema.json in rpi-imager's sources: a board is shown the entries that have one of its tags.
"""
import hashlib
import json
import lzma
import os
import sys

# Of each board: the tag of entries that run on it, and how Imager's own list of devices has it: name, tags, description, icon.
BOARDS = {
    "pi4": ("pi4-64bit", "Raspberry Pi 4", ["pi4-64bit", "pi4-32bit"], "Model B", "RPi_4"),
    "pi3": ("pi3-64bit", "Raspberry Pi 3", ["pi3-64bit", "pi3-32bit"], "Models B, B+ and A+", "RPi_3"),
    "zero2w": ("pi3-64bit", "Raspberry Pi Zero 2 W", ["pi3-64bit", "pi3-32bit"], "Zero 2 W", "RPi_Zero_2_W"),
    "pi3-32": ("pi3-32bit", "Raspberry Pi 3", ["pi3-64bit", "pi3-32bit"], "Models B, B+ and A+", "RPi_3"),
    "pi2": ("pi2-32bit", "Raspberry Pi 2", ["pi2-32bit"], "Model B", "RPi_2"),
    "pi1": ("pi1-32bit", "Raspberry Pi 1", ["pi1-32bit"], "Models A, A+, B and B+", "RPi_1"),
    "zero": ("pi1-32bit", "Raspberry Pi Zero", ["pi1-32bit"], "Zero and Zero W", "RPi_Zero"),
    "zerow": ("pi1-32bit", "Raspberry Pi Zero", ["pi1-32bit"], "Zero and Zero W", "RPi_Zero"),
}
DEVICE_ICONS = "https://downloads.raspberrypi.com/imager/icons"
NAMES = {"pi4": "4", "pi3": "3", "zero2w": "Zero 2 W", "pi3-32": "3", "pi2": "2", "pi1": "1", "zero": "Zero", "zerow": "Zero W"}


def extracted(path):
    """Size and SHA-256 of what is in the .xz file."""
    size, digest = 0, hashlib.sha256()
    with lzma.open(path) as file:
        while block := file.read(1 << 20):
            size += len(block)
            digest.update(block)
    return size, digest.hexdigest()


def downloaded(path):
    with open(path, "rb") as file:
        return hashlib.file_digest(file, "sha256").hexdigest()


def entry(address, day, init_format, icon, path, boards):
    size, digest = extracted(path)
    bits = 64 if BOARDS[boards[0]][0].endswith("64bit") else 32
    tags = sorted({BOARDS[board][0] for board in boards}, reverse=True)
    names = sorted(NAMES[board] for board in boards)
    return {
        "name": f"Talon for Raspberry Pi {', '.join(names)} ({bits} bits)",
        "description": f"A board for an OpenClaw agent: Raspberry Pi {', '.join(names[:-1])} and {names[-1]}",
        "icon": icon,
        "url": f"{address}/{os.path.basename(path)}",
        "extract_size": size,
        "extract_sha256": digest,
        "image_download_size": os.path.getsize(path),
        "image_download_sha256": downloaded(path),
        "release_date": day,
        "devices": tags,
        "init_format": init_format,
        # Raspberry Pi's word for all of 32 bits.
        "architecture": "armv8" if bits == 64 else "armhf",
    }


def devices(boards):
    """Each board once, the first that is named; the last shows everything."""
    rows = {BOARDS[board][1]: BOARDS[board] for board in boards}
    return [{"name": name, "tags": tags, "icon": f"{DEVICE_ICONS}/{icon}.png", "description": words, "matching_type": "inclusive"}
            for _, name, tags, words, icon in rows.values()] + [
                {"name": "No filtering", "tags": [], "description": "Show every image", "matching_type": "inclusive"}]


def main():
    if len(sys.argv) < 7 or len(sys.argv) % 2 == 0:
        sys.exit(__doc__)
    address, day, init_format, icon = sys.argv[1:5]
    pairs = [(path, boards.split(",")) for path, boards in zip(sys.argv[5::2], sys.argv[6::2])]
    for _, boards in pairs:
        for board in boards:
            if board not in BOARDS:
                sys.exit(f"board/lib/release/os_list.py has no tags of {board}")
    json.dump({
        "imager": {"devices": devices([board for _, boards in pairs for board in boards])},
        "os_list": [entry(address, day, init_format, icon, path, boards) for path, boards in pairs],
    }, sys.stdout, indent=2)
    print()


if __name__ == "__main__":
    main()
