#!/usr/bin/env python3
"""Installs the packages of each language from their files in an empty folder, and runs the first test of the helper's README there:
once as it is, and once with a client that asks for another path. Where a language has exams inside tests, the one of
Docs/use/exam-in-tests.md is sat too: its ledger is written, then what is known is not red, and a client made wrong is. Where the
machine permits it, nothing but loopback is there.

usage: worlds.py DIST [--scratch FOLDER] [--only NAME,...]

Each way must pass, must fail with the request that came beside the one that was wanted, and must leave no process behind. The table
says the seconds from the empty folder to the failure, as Docs/start/install.md has them. pytest itself comes from PyPI once, and
Maven's own plugins are those of Debian.
"""

import argparse
import pathlib
import platform
import shutil
import subprocess
import sys
import tarfile
import time
from collections.abc import Callable
from typing import NamedTuple

sys.dont_write_bytecode = True
sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent))

import npm as npm_packages  # noqa: E402
import program  # noqa: E402
import shipped  # noqa: E402
import wheel  # noqa: E402

PATIENCE, SOON = 600.0, 10.0
# What each failure says, in which words ever.
# In a line of the timeline, or in the sentence above it.
DIFFERENCE = ("wanted /start, got /other", "GET /other; wanted GET /start")
# A network of its own, for root where no container forbids it.
ALONE = ["unshare", "--net", "/bin/sh", "-c", 'ip link set lo up && exec "$@"', "sh"]
POM = """\
<project xmlns="http://maven.apache.org/POM/4.0.0">
  <modelVersion>4.0.0</modelVersion>
  <groupId>example.test</groupId>
  <artifactId>mine</artifactId>
  <version>1</version>
  <properties>
    <maven.compiler.release>17</maven.compiler.release>
    <project.build.sourceEncoding>UTF-8</project.build.sourceEncoding>
  </properties>
  <repositories>
    <repository><id>proctor</id><url>file://${{project.basedir}}/repository</url></repository>
  </repositories>
  <dependencies>
    <dependency>
      <groupId>test.proctor</groupId><artifactId>proctor-http</artifactId><version>{version}</version><scope>test</scope>
    </dependency>
    <dependency>
      <groupId>test.proctor</groupId><artifactId>proctor-http</artifactId><version>{version}</version>
      <classifier>{system}</classifier><scope>test</scope>
    </dependency>
    <dependency>
      <groupId>org.junit.jupiter</groupId><artifactId>junit-jupiter</artifactId><version>5.9.2</version><scope>test</scope>
    </dependency>
  </dependencies>
  <build><plugins>
    <plugin><artifactId>maven-resources-plugin</artifactId><version>3.3.0</version></plugin>
    <plugin><artifactId>maven-compiler-plugin</artifactId><version>3.10.1</version></plugin>
    <plugin><artifactId>maven-surefire-plugin</artifactId><version>2.22.3</version></plugin>
  </plugins></build>
</project>
"""
# Debian's packages of Maven in the place of its central repository.
SETTINGS = """\
<settings><mirrors><mirror>
  <id>debian</id><mirrorOf>central</mirrorOf><url>file:///usr/share/maven-repo</url>
</mirror></mirrors></settings>
"""
PACKAGE = """\
// swift-tools-version: 5.9
import PackageDescription
let package = Package(
    name: "mine", dependencies: [.package(path: "proctor-swift")], targets: [.executableTarget(name: "mine")])
"""
# The sources as a dependency; the library product needs no program.
TESTING_PACKAGE = """\
// swift-tools-version: 6.2
import PackageDescription
let package = Package(
    name: "mine", dependencies: [.package(name: "proctor", path: "proctor-{version}")],
    targets: [.testTarget(name: "MineTests", dependencies: [.product(name: "ProctorTesting", package: "proctor")])])
"""
TESTING_IMPORTS = """\
import Foundation
import FoundationNetworking
import ProctorEvents
import ProctorProgram
import ProctorTesting
import Testing

"""
FOLLOW = ["run", "redirect/302-get-stays-get", "--case", "follow", "--"]
EXAM_OF_SWIFT = "Tests/MineTests/ExamTests.swift"
# The page's own choice is short, since its tests have URLSession in their own process.
SHORT_IN_SWIFT = '"redirect/30?-get-stays-get#follow", abilities: [.redirects]'
WHOLE_IN_SWIFT = '"redirect/", abilities: [.methods, .redirects], ledger: "proctor.ledger.yaml"'
WRONG_IN_SWIFT = ("request.httpMethod = load.method", 'request.httpMethod = "PUT"')
MVN = ["mvn", "-B", "-s", "settings.xml", "test"]


class Trial:
    """An empty folder in which commands see no variable of the user's, and have a home of their own."""

    def __init__(self, dist: pathlib.Path, folder: pathlib.Path, wheels: pathlib.Path) -> None:
        self.dist, self.folder, self.wheels, self.system = dist, folder, wheels, program.SYSTEMS[platform.machine()]
        shutil.rmtree(folder, ignore_errors=True)
        (folder / "home").mkdir(parents=True)
        self.variables = {"HOME": str(folder / "home"), "PATH": "/usr/bin:/bin:/usr/sbin:/sbin"}
        self.sizes: list[int] = []
        self.alone = ALONE if subprocess.run([*ALONE, "true"], capture_output=True, check=False).returncode == 0 else []

    def file(self, pattern: str) -> str:
        found = list(self.dist.glob(pattern))
        if len(found) != 1:
            sys.exit(f"worlds: expected one {pattern} in {self.dist}; make dist writes it")
        self.sizes.append(found[0].stat().st_size)
        return str(found[0])

    @property
    def version(self) -> str:
        return next(self.dist.glob("proctor-*.spdx.json")).name.split("-")[1]

    def unpack(self, pattern: str, place: str) -> None:
        with tarfile.open(self.file(pattern)) as archive:
            archive.extractall(self.folder / place, **({"filter": "data"} if hasattr(tarfile, "data_filter") else {}))

    def write(self, name: str, text: str) -> None:
        path = self.folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text)

    def write_first_test(self, language: str, helper: str, good: str, bad: str) -> None:
        text = (shipped.ROOT / "helpers" / helper / "README.md").read_text()
        first = text.split(f"```{language}\n")[1].split("```\n")[0]
        self.write(good, first)
        self.write(bad, first.replace("/start", "/other"))

    def write_exam(self, language: str, name: str, old: str = "", new: str = "", imports: str = "") -> None:
        """The exam of the page, of the whole family; `new` in place of `old` makes the client wrong."""
        text = (shipped.ROOT / "Docs/use/exam-in-tests.md").read_text().split(f"```{language}\n")[1].split("```\n")[0]
        missing = [words for words in [old, *([SHORT_IN_SWIFT] if language == "swift" else [])] if words not in text]
        if missing:
            sys.exit(f"worlds: the exam of Docs/use/exam-in-tests.md in {language} has no {missing[0]!r}")
        text = text.replace(SHORT_IN_SWIFT, WHOLE_IN_SWIFT)
        self.write(name, imports + (text.replace(old, new) if old else text))

    def run_exam(self, words: list[str], language: str, name: str, old: str, new: str, red: str, imports: str = "") -> None:
        """The same words three times: the ledger is written, what it has is known, and a client made wrong fails."""
        self.write_exam(language, name, imports=imports)
        self.variables["PROCTOR_WRITE_LEDGER"] = "1"
        self.run(*words)
        del self.variables["PROCTOR_WRITE_LEDGER"]
        if not next(self.folder.rglob("proctor.ledger.yaml"), None):
            sys.exit(f"worlds: {' '.join(words)} wrote no ledger")
        self.run(*words)
        self.write_exam(language, name, old, new, imports)
        self.run(*words, fails=True, has=red)

    def run(self, *words: str, fails: bool = False, has: str | tuple[str, ...] = "") -> str:
        command = [*self.alone, "env", "-i", *(f"{name}={value}" for name, value in self.variables.items())]
        done = subprocess.run(
            [*command, *words], cwd=self.folder, capture_output=True, text=True, timeout=PATIENCE, check=False)
        said = done.stdout + done.stderr
        if (done.returncode != 0) != fails or not any(one in said for one in ([has] if isinstance(has, str) else has)):
            sys.exit(f"worlds: {' '.join(words)} ends with {done.returncode}{f', and says no {has!r}' if has else ''}:\n{said}")
        return said

    def other(self) -> program.Program:
        """A program of another architecture; what is in it is nobody's concern where it is refused."""
        machine = next(name for name, system in program.SYSTEMS.items() if system != self.system)
        return program.Program(b"", self.version, machine, 0)

    def check_left(self) -> None:
        """The server ends soon after the tests, and nothing else is left."""
        end = time.monotonic() + SOON
        while left := [path for path in pathlib.Path("/proc").glob("[0-9]*/exe") if self._is_ours(path)]:
            if time.monotonic() > end:
                sys.exit(f"worlds: left behind: {', '.join(str(path.parent) for path in left)}")
            time.sleep(0.05)

    def _is_ours(self, path: pathlib.Path) -> bool:
        try:
            return path.readlink().is_relative_to(self.folder)
        except OSError:
            return False


def pip(trial: Trial) -> None:
    trial.write_first_test("python", "python", "test_first.py", "red/test_red.py")
    trial.run("python3", "-m", "venv", "venv")
    trial.run("venv/bin/pip", "install", "-q", "--no-index", "--find-links", str(trial.wheels), trial.file("proctor_http-*.whl"))
    trial.run("venv/bin/pytest", "-q", "red", fails=True, has=DIFFERENCE)


def pip_more(trial: Trial) -> None:
    trial.run("venv/bin/pytest", "-q", "test_first.py", has="2 passed")
    trial.run("venv/bin/pip", "install", "-q", "--no-index", "--find-links", str(trial.wheels), "pytest-xdist")
    for number in range(3):
        shutil.copy(trial.folder / "test_first.py", trial.folder / f"test_more{number}.py")
    said = trial.run("venv/bin/pytest", "-q", "-n", "2", "--ignore", "red", has="8 passed")
    # One server has seen what both workers asked for.
    if "never came: GET /elsewhere" not in said:
        sys.exit(f"worlds: nothing is said of what no worker asked for:\n{said}")
    trial.run("venv/bin/pip", "install", "-q", "--no-index", "--find-links", str(trial.wheels), "requests")
    trial.run_exam(
        ["venv/bin/pytest", "-q", "test_exam.py"], "python", "test_exam.py", "requests.request(load.method,", 'requests.request("PUT",',
        "again: pytest 'test_exam.py::test_my_client[redirect/")
    foreign, = wheel.write(trial.folder, trial.other())
    trial.run("venv/bin/pip", "install", "--no-index", str(foreign), fails=True, has="is not a supported wheel on this platform")
    trial.run("venv/bin/proctor", "run", "plain/get", "--", "curl", "-s", "{{base}}/hello", has="hello")


def npm(trial: Trial) -> None:
    trial.write_first_test("js", "node", "first.test.mjs", "red.test.mjs")
    packages = [trial.file("proctor-http-[0-9]*.tgz"), trial.file(f"proctor-http-{trial.system.npm}-*.tgz")]
    trial.run("npm", "install", "--offline", "--no-audit", "--no-fund", "--save-dev", *packages)
    trial.run("node", "--test", "red.test.mjs", fails=True, has=DIFFERENCE)


def npm_more(trial: Trial) -> None:
    trial.run("node", "--test", "first.test.mjs", has="# pass 1")
    trial.run_exam(
        ["node", "--test", "exam.test.mjs"], "js", "exam.test.mjs", "fetch(load.url, load.init)",
        "fetch(load.url, { ...load.init, method: 'PUT' })", "again: ")
    foreign = npm_packages.write(trial.folder, trial.other())[1]
    trial.run("npm", "install", "--offline", "--no-audit", "--no-fund", str(foreign), fails=True, has="Unsupported platform")
    trial.run("npx", "--offline", "proctor", "run", "plain/get", "--", "curl", "-s", "{{base}}/hello", has="hello")
    trial.run("npx", "--offline", "proctor", "run", "plain/get", "--", "curl", "-s", "{{base}}/x", fails=True, has="got /x")


def ruby(trial: Trial) -> None:
    trial.write_first_test("ruby", "ruby", "first_spec.rb", "red/red_spec.rb")
    trial.run("gem", "install", "--local", "--no-document", "--user-install", trial.file("proctor-http-*.gem"))
    trial.run("rspec", "red/red_spec.rb", fails=True, has=DIFFERENCE)


def ruby_more(trial: Trial) -> None:
    trial.run("rspec", "first_spec.rb", has="1 example, 0 failures")
    tool, = trial.folder.rglob("bin/proctor")
    trial.run("ruby", str(tool), "run", "plain/get", "--", "curl", "-s", "{{base}}/hello", has="hello")


def go(trial: Trial) -> None:
    trial.write_first_test("go", "go", "first_test.go", "red/red_test.go")
    trial.unpack("proctor-*.goproxy.tar", "proxy")
    trial.variables |= {
        "GOFLAGS": "-mod=mod", "GOPROXY": f"file://{trial.folder}/proxy", "GONOSUMDB": "proctor.test", "GOTOOLCHAIN": "local",
        # With its own library compiled, as after any test before.
        "GOCACHE": str(shipped.ROOT / ".build/go-cache"),
        # The cache keeps an index of the files of a version, which is another module each time it is packed.
        "GODEBUG": "goindex=0",
    }
    trial.run("go", "mod", "init", "example.test/mine")
    trial.run("go", "get", "-t", f"proctor.test/proctor@v{trial.version}")
    trial.run("go", "test", "-count=1", "./red", fails=True, has=DIFFERENCE)


def go_more(trial: Trial) -> None:
    trial.run("go", "test", "-count=1", ".", has="ok")
    trial.run("go", "run", "proctor.test/proctor/cmd/proctor", "run", "plain/get", "--", "curl", "-s", "{{base}}/hello", has="hello")
    trial.run_exam(
        ["go", "test", "-count=1", "./exam"], "go", "exam/exam_test.go", "return load.Result(",
        'request.Method = "PUT"\n\t\treturn load.Result(', "again: ")
    # Modules are read-only, so that they could not be removed with the folder.
    trial.run("go", "clean", "-modcache")


def maven(trial: Trial) -> None:
    trial.write_first_test("java", "java", "first.java", "src/test/java/RedirectTest.java")
    trial.unpack("proctor-*.maven.tar", "repository")
    trial.write("pom.xml", POM.format(version=trial.version, system=trial.system.maven))
    trial.write("settings.xml", SETTINGS)
    # Java takes the home from the list of users, and not from the variable.
    trial.variables["JAVA_TOOL_OPTIONS"] = f"-Duser.home={trial.folder}/home"
    trial.run(*MVN, fails=True, has=DIFFERENCE)


def maven_more(trial: Trial) -> None:
    shutil.copy(trial.folder / "first.java", trial.folder / "src/test/java/RedirectTest.java")
    trial.run(*MVN, has="Tests run: 1, Failures: 0, Errors: 0")
    (trial.folder / "src/test/java/RedirectTest.java").unlink()
    trial.run_exam(
        MVN, "java", "src/test/java/MyClientTest.java", "load.request().build()",
        'load.request().method("PUT", HttpRequest.BodyPublishers.noBody()).build()', "again: ")


def swift(trial: Trial) -> None:
    trial.variables["PATH"] = f"{pathlib.Path(shutil.which('swift')).parent}:{trial.variables['PATH']}"
    trial.unpack("proctor-*.swift.tar", ".")
    trial.write("Package.swift", PACKAGE)
    trial.write("Sources/mine/main.swift", 'print("hello")\n')
    command = ["swift", "package", "proctor", *FOLLOW, "curl", "-s"]
    trial.run(*command, "{{base}}/other", fails=True, has=DIFFERENCE)


def swift_more(trial: Trial) -> None:
    command = ["swift", "package", "proctor", *FOLLOW, "curl", "-sL"]
    trial.run(*command, "{{base}}/start", has="ok")


def swift_testing(trial: Trial) -> None:
    trial.variables["PATH"] = f"{pathlib.Path(shutil.which('swift')).parent}:{trial.variables['PATH']}"
    trial.unpack("proctor-[0-9]*.[0-9].tar.gz", ".")
    trial.write("Package.swift", TESTING_PACKAGE.format(version=trial.version))
    trial.write_exam("swift", EXAM_OF_SWIFT, *WRONG_IN_SWIFT, TESTING_IMPORTS)
    trial.run("swift", "test", fails=True, has="again: PROCTOR_CASE=")


def swift_testing_more(trial: Trial) -> None:
    trial.run_exam(
        ["swift", "test"], "swift", EXAM_OF_SWIFT, *WRONG_IN_SWIFT, "again: PROCTOR_CASE='redirect/", TESTING_IMPORTS)


class World(NamedTuple):
    # From the empty folder to the first failure, and then all else.
    first: Callable[[Trial], None]
    more: Callable[[Trial], None]


WORLDS = {
    "pip": World(pip, pip_more),
    "npm": World(npm, npm_more),
    "ruby": World(ruby, ruby_more),
    "go": World(go, go_more),
    "maven": World(maven, maven_more),
    "swift": World(swift, swift_more),
    "swift-testing": World(swift_testing, swift_testing_more),
}


def wheels(folder: pathlib.Path) -> pathlib.Path:
    """What pip needs besides, of PyPI; it is kept in the folder."""
    names = ["pytest", "pytest-xdist", "requests"]
    complete = folder / f"complete-{'-'.join(names)}"
    if not complete.exists():
        # The system's python3 may have no pip of its own.
        subprocess.run(["/usr/bin/python3", "-m", "venv", str(folder / "venv")], check=True)
        words = ["download", "-q", "--only-binary", ":all:", "-d", str(folder), *names]
        subprocess.run([str(folder / "venv/bin/pip"), *words], check=True)
        shutil.rmtree(folder / "venv")
        complete.touch()
    return folder


def main() -> None:
    arguments = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    arguments.add_argument("dist", type=pathlib.Path)
    arguments.add_argument("--scratch", type=pathlib.Path, default=shipped.ROOT / ".build/dist-check")
    arguments.add_argument("--only", default=",".join(WORLDS))
    given = arguments.parse_args()
    scratch = given.scratch.absolute()
    print("| way | seconds to a red test | MB |\n|---|---:|---:|")
    for name in given.only.split(","):
        trial = Trial(given.dist.absolute(), scratch / name, wheels(scratch / "wheels"))
        start = time.monotonic()
        WORLDS[name].first(trial)
        taken = time.monotonic() - start
        trial.check_left()
        WORLDS[name].more(trial)
        trial.check_left()
        print(f"| {name} | {taken:.1f} | {sum(trial.sizes) / 1e6:.1f} |", flush=True)
        shutil.rmtree(trial.folder)


if __name__ == "__main__":
    main()
