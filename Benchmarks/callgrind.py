"""What a program did under valgrind's callgrind: instructions, and how often each function was called."""
import collections
import json
import pathlib
import re
import signal
import subprocess
import sys

# Certificates and fixtures that are shipped are found from here.
ROOT = pathlib.Path(__file__).resolve().parent.parent
NAME = re.compile(r"^(c?)fn=\((\d+)\)(?: (.*))?$")
# Functions that call one another in a circle are told apart by a number.
CIRCLE = re.compile(r"'\d+$")
# The same on every processor: libc and OpenSSL choose their loops by what it can do.
PLAIN_PROCESSOR = {
    "GLIBC_TUNABLES": "glibc.cpu.hwcaps=-AVX,-AVX2,-AVX512F,-AVX512VL,-AVX512BW,-BMI1,-BMI2,-ERMS,-FSRM,-LZCNT,-MOVBE,-RTM",
    "OPENSSL_ia32cap": "~0x1000000000000000:0",
}


class Counts:
    """Instructions and calls of a whole process, or the difference of two."""

    def __init__(self, instructions, calls, own):
        """`own` has the instructions of each function without those of the functions that it calls."""
        self.instructions, self.calls, self.own = instructions, calls, own

    def per(self, other, times):
        """The difference to another count of the same program, for each of so many times."""
        def each(ours, theirs):
            return {name: (ours.get(name, 0) - theirs.get(name, 0)) / times for name in ours.keys() | theirs.keys()}

        return Counts((self.instructions - other.instructions) / times, each(self.calls, other.calls),
                      each(self.own, other.own))

    @staticmethod
    def read(path):
        names, calls, callee, instructions = {}, collections.Counter(), None, None
        own, function, is_of_call = collections.Counter(), None, False
        with open(path, errors="replace") as lines:
            for line in lines:
                found = NAME.match(line)
                if found:
                    kind, number, name = found.groups()
                    if name is not None:
                        names[number] = CIRCLE.sub("", name)
                    if kind:
                        callee = names[number]
                    else:
                        function = names[number]
                elif line.startswith("calls="):
                    calls[callee] += int(line[6:].split()[0])
                    # The next line has what the calls cost.
                    is_of_call = True
                elif line[0] in "0123456789+-*":
                    if not is_of_call:
                        own[function] += int(line.split()[1])
                    is_of_call = False
                elif line.startswith("totals:"):
                    instructions = int(line.split()[1])
        if instructions is None:
            sys.exit(f"bench-check: {path} holds no totals; did callgrind end as it should?")
        return Counts(instructions, calls, own)


class Counted:
    """A process under callgrind. Its environment is fixed, and hashes of Swift are not seeded anew."""

    def __init__(self, command, folder):
        self.output, self.log, self.errors = (folder / name for name in ("callgrind.out", "callgrind.log", "errors.txt"))
        environment = {"PATH": "/usr/bin:/bin", "HOME": str(folder), "LC_ALL": "C", "SWIFT_DETERMINISTIC_HASHING": "1",
                       **PLAIN_PROCESSOR}
        self.process = subprocess.Popen(
            ["valgrind", "--tool=callgrind", "--dump-line=no", "--vgdb=no", f"--callgrind-out-file={self.output}",
             f"--log-file={self.log}", *map(str, command)],
            cwd=ROOT, env=environment, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
            stderr=self.errors.open("w"), text=True)

    def wait_until_ready(self):
        """For a server: its ready line."""
        line = self.process.stdout.readline()
        if not line:
            self.fail()
        self.ready = json.loads(line)

    def fail(self):
        status = self.process.wait()
        said = self.errors.read_text() + self.log.read_text()
        sys.exit(f"bench-check: {' '.join(self.process.args)} ended with {status}:\n{said}")

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.process.kill()

    def pause(self):
        self.process.send_signal(signal.SIGSTOP)

    def resume(self):
        self.process.send_signal(signal.SIGCONT)

    def stop(self):
        self.process.send_signal(signal.SIGTERM)

    def counts(self):
        """Waits for the end."""
        self.process.stdout.read()
        if self.process.wait(120) != 0:
            self.fail()
        return Counts.read(self.output)
