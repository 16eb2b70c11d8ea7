"""Makes the hash of a login COUNT times and prints the nanoseconds of each."""

import sys, time

from argon2.low_level import Type, hash_secret_raw

for _ in range(int(sys.argv[1])):
    started = time.perf_counter_ns()
    hash_secret_raw("비밀번호1234!".encode(), b"\7" * 16, 2, 19_456, 1, 32, Type.ID)
    print(time.perf_counter_ns() - started)
