"""What the adapters of players share: the run of the program, and what it handed over.

The media of fixtures/media/media.lua say where they are from: each frame of sound and each picture has a label. A player that copies what it
plays into a file hands the labels over, and `messages` of the result has them in their order:

  0               all 38 frames of the segment 0, or the picture 0
  0: 12 frames    another number of them
  7 other bytes   what is no frame and no picture
"""

import json
import os
import re
import subprocess
import tempfile

from proctor_kit import Missing, Unimplemented
from proctor_tool import Tool, environment, path_of

KINDS = ("hls", "dash", "icy", "mixed-replace")
FRAME, SEGMENT = 104, 38
HEAD = b"\xff\xfb\x10\x64" + b"\0" * 32
PICTURE = re.compile(rb"\xff\xd8\xff\xe0\0\x10JFIF.{10}\xff\xfe\0(.)", re.S)
FILE_LIMIT = 16 << 20  # bytes of what was played that are read


def sounds(data):
    """The labels of the frames in these bytes, one for frames that follow each other."""
    found, place = [], 0
    while place < len(data):
        text, _, rest = data[place + len(HEAD):place + FRAME].partition(b"\0")
        if data.startswith(HEAD, place) and place + FRAME <= len(data) and not rest.strip(b"\0"):
            label, count, place = text.decode(errors="replace"), 1, place + FRAME
        else:
            start = data.find(HEAD, place + 1)
            start = len(data) if start < 0 else start
            label, count, place = None, start - place, start
        if found and found[-1][0] == label:
            found[-1][1] += count
        else:
            found.append([label, count])
    return [f"{count} other bytes" if label is None else label if count == SEGMENT else f"{label}: {count} frames" for label, count in found]


def sound_of(data):
    """What the boxes `mdat` hold, where these bytes are fragments of MP4; else the bytes."""
    if data[4:8] not in (b"ftyp", b"styp"):
        return data
    found, place = b"", 0
    while place + 8 <= len(data):
        size = int.from_bytes(data[place:place + 4], "big")
        if data[place + 4:place + 8] == b"mdat":
            found += data[place + 8:place + size]
        place += max(8, size)
    return found


def pictures(data):
    """The comments of the pictures in these bytes."""
    return [data[one.end():one.end() + one[1][0] - 2].decode(errors="replace") for one in PICTURE.finditer(data)]


def read(path):
    """What a file has that a player wrote; nothing where there is none."""
    try:
        with open(path, "rb") as file:
            return file.read(FILE_LIMIT)
    except OSError:
        return b""


class Player(Tool):
    """A player by its command line: its author writes `command`."""

    program = package = version_words = ""
    version_pattern = r"(\d[\w.]*)"
    facts = ("messages", "error", "message")
    options = ()
    takes_fields = False
    writes_output = False  # whether the command writes what it plays to standard output

    def version(self):
        path = path_of(self.program, self.package)
        with tempfile.TemporaryDirectory(prefix="proctor-media-") as folder:
            said = self.play([path, self.version_words], folder)[1]
        found = re.search(self.version_pattern, said.decode(errors="replace"))
        if not found:
            raise Missing(f"{path} tells no version; apt-get install {self.package}")
        return found[1]

    def check(self, assignment):
        super().check(assignment)
        if not set(assignment.get("needs", [])) & set(KINDS):
            raise Unimplemented(f"needs: {self.client} plays media, and this case has none")
        for index, step in enumerate(assignment["steps"]):
            if step["method"] != "GET" or "body" in step:
                self.cannot(index, "method", "sends GET without content, and nothing else")
            if step["headers"] and not self.takes_fields:
                self.cannot(index, "headers", "is told no fields")

    def run(self, assignment, trace):
        kind = next(word for word in KINDS if word in assignment["needs"])
        for index, step in enumerate(assignment["steps"]):
            with tempfile.TemporaryDirectory(prefix="proctor-media-") as folder:
                out = os.path.join(folder, "out")
                trace.say("resume", index)
                code, output, said = self.play(self.command(step, kind, out), folder)
                if code < 0 and not trace.is_over:
                    os.kill(os.getpid(), -code)
                data = output if self.writes_output else read(out)
                trace.say("result", index, facts=self.told(code, said, data, kind))

    def play(self, words, folder):
        """Its exit code and what it wrote to standard output and to standard error."""
        with subprocess.Popen(words, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.PIPE, env=environment(folder), **self.user(folder)) as self.process:
            output, said = self.process.communicate()
        return self.process.returncode, output, said.decode(errors="replace")

    def user(self, folder):
        """Where and as whom the player is started."""
        return {"cwd": folder}

    def told(self, code, said, data, kind):
        found = pictures(data) if kind == "mixed-replace" else sounds(sound_of(data))
        facts = {"messages": json.dumps(found, ensure_ascii=False)} if "messages" in self.facts else {}
        if error := self.failure(code, said, data):
            facts.update(error="unknown", domain=self.client, code=code, message=" ".join(error.split())[-500:])
        return facts

    def failure(self, code, said, data):
        """What the player says of a load that failed, by its exit code; None for one that did not."""
        return (said or f"exit code {code}") if code else None

    def command(self, step, kind, out):
        raise NotImplementedError
