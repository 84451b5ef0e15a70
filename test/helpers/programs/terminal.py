"""Runs a command at a terminal of its own and copies what it writes. When standard input ends, the terminal is closed."""
import os
import pty
import select
import sys

pid, terminal = pty.fork()
if pid == 0:
    os.execvp(sys.argv[1], sys.argv[1:])

while True:
    readable, _, _ = select.select([terminal, 0], [], [])
    if 0 in readable and not os.read(0, 1):
        break
    if terminal in readable:
        try:
            os.write(1, os.read(terminal, 65536))
        except OSError:
            break
os.close(terminal)
os.waitpid(pid, 0)
