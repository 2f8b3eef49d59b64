#!/usr/bin/env python3
"""Prints the golden values of tests/base/rng_test.cpp, from the published definitions alone:
xoshiro256** (Blackman and Vigna, "Scrambled linear pseudorandom number generators", 2018) and
splitmix64 (Steele, Lea and Flood, OOPSLA 2014)."""

MASK = (1 << 64) - 1


def splitmix64(state):
    """Yields the stream that starts from `state`."""
    while True:
        state = (state + 0x9E3779B97F4A7C15) & MASK
        z = ((state ^ (state >> 30)) * 0xBF58476D1CE4E5B9) & MASK
        z = ((z ^ (z >> 27)) * 0x94D049BB133111EB) & MASK
        yield z ^ (z >> 31)


def rotl(x, k):
    return ((x << k) | (x >> (64 - k))) & MASK


def xoshiro256ss(s):
    s = list(s)
    while True:
        yield (rotl((s[1] * 5) & MASK, 7) * 9) & MASK
        t = (s[1] << 17) & MASK
        s[2] ^= s[0]
        s[3] ^= s[1]
        s[1] ^= s[2]
        s[0] ^= s[3]
        s[2] ^= t
        s[3] = rotl(s[3], 45)


def seeded(seed):
    words = splitmix64(seed)
    return xoshiro256ss([next(words) for _ in range(4)])


def first(stream, n):
    return [next(stream) for _ in range(n)]


# Values that others publish, so that this script is itself held to something.
assert first(splitmix64(0), 1) == [0xE220A8397B1DCDAF]
assert first(xoshiro256ss([1, 2, 3, 4]), 4) == [11520, 0, 1509978240, 1215971899390074240]

if __name__ == "__main__":
    for seed in (0, 1, 0xFFFFFFFFFFFFFFFF):
        print(f"seed {seed:#x}:", ", ".join(f"0x{v:016X}" for v in first(seeded(seed), 4)))
    child = next(splitmix64(7 ^ ((3 * 0xD1342543DE82EF95 + 0x632BE59BD9B4E019) & MASK)))
    print("seed 7 split 3:", ", ".join(f"0x{v:016X}" for v in first(seeded(child), 2)))
