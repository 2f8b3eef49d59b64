#!/usr/bin/env python3
"""Makes a picture of the room small enough for docs/: halves its size and leaves 128 colours.

    build/release/wccl room face_1080p --seed 1 --mode rgb8-1.5 --out pictures
    tools/shrink_picture.py pictures/camera-0.png docs/images/camera.png

Standard library only. Reads what `wccl` writes: 8-bit RGB PNG, not interlaced.
"""

import struct
import sys
import zlib

COLOURS = 128


def paeth(a, b, c):
    p = a + b - c
    return min((abs(p - a), 0, a), (abs(p - b), 1, b), (abs(p - c), 2, c))[2]


def unfilter(kind, line, above):
    """Undoes a PNG row filter (ISO/IEC 15948, 9.2) for 3 bytes a pixel, in place."""
    for i in range(len(line)):
        a = line[i - 3] if i >= 3 else 0
        c = above[i - 3] if i >= 3 else 0
        guess = (0, a, above[i], (a + above[i]) // 2, paeth(a, above[i], c) if kind == 4 else 0)
        line[i] = (line[i] + guess[kind]) & 255
    return line


def read_png(path):
    """@return width and rows of RGB bytes"""
    with open(path, "rb") as file:
        data = file.read()
    at, body, width, height = 8, b"", 0, 0
    while at < len(data):
        size, name = struct.unpack(">I4s", data[at:at + 8])
        chunk = data[at + 8:at + 8 + size]
        if name == b"IHDR":
            width, height, *rest = struct.unpack(">IIBBBBB", chunk)
            if rest != [8, 2, 0, 0, 0]:
                sys.exit(f"{path}: not an 8-bit RGB picture")
        elif name == b"IDAT":
            body += chunk
        at += 12 + size
    raw = zlib.decompress(body)
    rows, above = [], bytearray(3 * width)
    for y in range(height):
        start = y * (3 * width + 1)
        line = bytearray(raw[start + 1:start + 1 + 3 * width])
        above = unfilter(raw[start], line, above) if raw[start] else line
        rows.append(above)
    return width, rows


def halve(width, rows):
    """Means of 2 x 2 pixels. @return rows of (r, g, b)"""
    small = []
    for y in range(0, len(rows) - 1, 2):
        a, b = rows[y], rows[y + 1]
        small.append([tuple((a[i + c] + a[i + 3 + c] + b[i + c] + b[i + 3 + c] + 2) // 4
                            for c in range(3)) for i in range(0, 6 * (width // 2), 6)])
    return small


def palette_of(rows):
    """Median cut (Heckbert 1982). @return the palette and the colour number of each colour"""
    counts = {}
    for row in rows:
        for pixel in row:
            counts[pixel] = counts.get(pixel, 0) + 1
    boxes = [list(counts)]
    while len(boxes) < COLOURS:
        def weight(box):
            return max(max(p[c] for p in box) - min(p[c] for p in box) for c in range(3)) * len(box)
        box = max(boxes, key=weight)
        boxes.remove(box)
        axis = max(range(3), key=lambda c: max(p[c] for p in box) - min(p[c] for p in box))
        box.sort(key=lambda p: p[axis])
        boxes += [box[:len(box) // 2], box[len(box) // 2:]]
    palette, number = [], {}
    for box in boxes:
        total = sum(counts[p] for p in box)
        palette.append([sum(p[c] * counts[p] for p in box) // total for c in range(3)])
        for pixel in box:
            number[pixel] = len(palette) - 1
    return palette, number


def write_png(path, rows):
    palette, number = palette_of(rows)
    body = b"".join(b"\0" + bytes(number[pixel] for pixel in row) for row in rows)

    def chunk(name, data):
        return (struct.pack(">I", len(data)) + name + data
                + struct.pack(">I", zlib.crc32(name + data)))

    with open(path, "wb") as file:
        file.write(b"\x89PNG\r\n\x1a\n")
        file.write(chunk(b"IHDR", struct.pack(">IIBBBBB", len(rows[0]), len(rows), 8, 3, 0, 0, 0)))
        file.write(chunk(b"PLTE", bytes(sum(palette, []))))
        file.write(chunk(b"IDAT", zlib.compress(body, 9)))
        file.write(chunk(b"IEND", b""))


if __name__ == "__main__":
    if len(sys.argv) != 3:
        sys.exit(__doc__)
    write_png(sys.argv[2], halve(*read_png(sys.argv[1])))
