#!/usr/bin/env python3
"""Writes tests/vectors/frame.txt: golden vectors of whole frames.

A renderer of docs/frame_format.md of its own, pixel by pixel; it calls none of our C++. The bits of headers
and blocks come from make_phy_vectors.py. A frame is given by FNV-1a hashes of its parts, so that a
difference shows where it is.

    tools/make_frame_vectors.py tests/vectors/frame.txt
"""

import sys

from make_phy_vectors import (PAYLOAD_BYTES, block_bits, coded_bits, filler_bits, header_bits, interleaved, keystream,
                              splitmix64)

BRIGHT, DARK, IDLE = 255, 0, 128


def header_cells(width, height):
    return (98, 3) if width >= height else (49, 6)


def paint(frame, x0, y0, width, height, colour):
    for y in range(y0, y0 + height):
        for x in range(x0, x0 + width):
            frame[y][x] = colour


def grey(value):
    return (value, value, value)


def place_layer(bits, cells, blocks):
    """Blocks of a layer into the bits of its channel. cells: the layer's, by number of data cell."""
    if blocks:
        for place, (block, bit) in enumerate(interleaved(len(blocks), len(blocks[0]))):
            bits[cells[place]] = blocks[block][bit]


def render(header, cell, channels, rates, payloads):
    """channels: 1 (luma) or 3. rates: of luma, or of R, G, B on the first and on the second half of the checkerboard.
    payloads: for the first slots, the others show filler."""
    width, height, node, sequence = header["width_px"], header["height_px"], header["node"], header["sequence"]
    shorter = min(width, height)
    m = max(8, (2 * shorter + 75) // 150)
    frame = [[grey(BRIGHT)] * width for _ in range(height)]
    paint(frame, 4 * m, 4 * m, width - 8 * m, height - 8 * m, grey(IDLE))

    # Payload cells
    columns, rows = (width - 8 * m) // cell, (height - 8 * m) // cell
    x0, y0 = 4 * m + (width - 8 * m) % cell // 2, 4 * m + (height - 8 * m) % cell // 2
    data, halves = [], []
    for row in range(rows):
        for column in range(columns):
            x, y = x0 + column * cell, y0 + row * cell
            if (x < 9 * m or x + cell > width - 9 * m) and (y < 9 * m or y + cell > height - 9 * m):
                continue
            noise = splitmix64(header["mode"] << 40 | (row // 4) << 20 | column // 4)
            if row % 4 == noise % 4 and column % 4 == (noise >> 2) % 4:
                levels = [noise >> (8 + 8 * c) & 1 for c in range(3)] if channels == 3 else [noise >> 8 & 1] * 3
                paint(frame, x, y, cell, cell, tuple(255 * level for level in levels))
            else:
                data.append((x, y))
                halves.append((row + column) % 2)
    shown = {channel: [0] * len(data) for channel in range(channels)}
    order = [(channel, half) for channel in (1, 0, 2) for half in range(2)] if channels == 3 else [(0, None)]
    for channel, half in order:
        cells = [i for i in range(len(data)) if half in (None, halves[i])]
        n_blocks = len(cells) // coded_bits(rates[2 * channel + (half or 0)])
        n_coded = len(cells) // n_blocks if n_blocks else 0
        mine, payloads = payloads[:n_blocks], payloads[n_blocks:]
        blocks = [block_bits(payload, n_coded) for payload in mine]
        blocks += [filler_bits(n_coded)] * (n_blocks - len(blocks))
        place_layer(shown[channel], cells, blocks)
    for channel, bits in shown.items():
        shown[channel] = [a ^ b for a, b in zip(bits, keystream(node, sequence, channel, len(data)))]
    for i, (x, y) in enumerate(data):
        colour = [DARK if shown[c][i] else BRIGHT for c in (range(3) if channels == 3 else [0] * 3)]
        paint(frame, x, y, cell, cell, tuple(colour))

    # Corners
    for corner in range(4):
        right, bottom = corner in (1, 2), corner in (2, 3)
        paint(frame, width - 9 * m if right else 0, height - 9 * m if bottom else 0, 9 * m, 9 * m, grey(BRIGHT))
        fx, fy = (width - 8 * m if right else m), (height - 8 * m if bottom else m)
        for v in range(7):
            for u in range(7):
                ring = max(abs(u - 3), abs(v - 3))
                value = BRIGHT if ring == 2 else DARK
                tag = {(1, 1): 0, (5, 1): 1, (5, 5): 2, (1, 5): 3}.get((u, v))
                if tag is not None and (node >> (3 - tag) & 1) ^ (corner == 3):
                    value = DARK
                paint(frame, fx + u * m, fy + v * m, m, m, grey(value))

    # Header strips
    bits = header_bits(header)
    n_columns, n_rows = header_cells(width, height)
    for strip in range(2):
        top = m if strip == 0 else height - 4 * m
        for row in range(n_rows):
            for column in range(n_columns):
                bit = bits[((row * n_columns + column) * 61 + strip * 69) % 292]
                flipped = splitmix64((0xFF << 56) + (strip * 8 + row) * 128 + column) & 1
                xs = [9 * m + (column + i) * (width - 18 * m) // n_columns for i in range(2)]
                ys = [top + (row + i) * 3 * m // n_rows for i in range(2)]
                paint(frame, xs[0], ys[0], xs[1] - xs[0], ys[1] - ys[0], grey(DARK if bit ^ flipped else BRIGHT))

    # Sync columns
    gray = sequence % 4 ^ (sequence % 4 >> 1)
    for column, value in enumerate([DARK, DARK if gray >> 1 else BRIGHT, DARK if gray & 1 else BRIGHT]):
        for x in ((1 + column) * m, width - (2 + column) * m):
            paint(frame, x, 9 * m, m, height - 18 * m, grey(value))
    return frame, m


def fnv1a(frame, x0, y0, width, height):
    state = 0xCBF29CE484222325
    for y in range(y0, y0 + height):
        for x in range(x0, x0 + width):
            for value in frame[y][x]:
                state = ((state ^ value) * 0x100000001B3) & (1 << 64) - 1
    return f"{state:016x}"


def payload_of(i, size):
    return bytes((i * 57 + k * k * 7 + k * 31 + 5) & 0xFF for k in range(size))


FRAMES = {
    # name: header, cell, channels, rates, number of payloads
    "wide": (dict(node=5, epoch=0xBEEF, sequence=0x1236, width_px=490, height_px=403, mode=18,
                  transmit_time_ms=0xFEDC, feedback=0x89ABCDEF), 4, 3,
             ["1/3", "1/2", "1/2", "3/4", "1/3", "1/2"], 4),
    "tall": (dict(node=2, epoch=1, sequence=0xFFFF, width_px=250, height_px=331, mode=2, transmit_time_ms=0,
                  feedback=7), 8, 1, ["1/2"], 0),
    # So large that the module is above its least size.
    "large": (dict(node=0, epoch=0, sequence=1, width_px=800, height_px=700, mode=3, transmit_time_ms=3,
                   feedback=0), 6, 1, ["1/2"], 1),
}


def main():
    lines = ["# Made by tools/make_frame_vectors.py. FNV-1a (64 bits) of the RGB bytes of parts of frames."]
    for name, (header, cell, channels, rates, n_payloads) in FRAMES.items():
        payloads = [payload_of(i, PAYLOAD_BYTES) for i in range(n_payloads)]
        frame, m = render(header, cell, channels, rates, payloads)
        w, h = header["width_px"], header["height_px"]
        parts = {
            "top_left": (0, 0, 9 * m, 9 * m),
            "bottom_left": (0, h - 9 * m, 9 * m, 9 * m),
            "upper_strip": (9 * m, 0, w - 18 * m, 4 * m),
            "lower_strip": (9 * m, h - 4 * m, w - 18 * m, 4 * m),
            "left_columns": (0, 9 * m, 4 * m, h - 18 * m),
            "right_columns": (w - 4 * m, 9 * m, 4 * m, h - 18 * m),
            "cells": (9 * m, 9 * m, w - 18 * m, h - 18 * m),
            "all": (0, 0, w, h),
        }
        for part, rect in parts.items():
            lines.append(f"{name}.{part} {fnv1a(frame, *rect)}")
    with open(sys.argv[1], "w", encoding="ascii") as out:
        out.write("\n".join(lines) + "\n")


if __name__ == "__main__":
    main()
