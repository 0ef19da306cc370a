#!/usr/bin/env python3
"""Type-checks the package for macOS, and what a test target for iOS links, with the Swift toolchain of this machine.

Darwin's libc headers come from PyPI (Tests/Darwin/headers.txt), the standard library's modules from the toolchain, for
another target, and Apple's frameworks are the stubs in Tests/Darwin/Stubs, which say only what the code uses.
Nothing is linked or run. Every diagnostic is a failure.

    Scripts/check-darwin.py            all modules
    Scripts/check-darwin.py --mistakes the same, then each old mistake put back must be found (Tests/Darwin/mistakes.json)
    Scripts/check-darwin.py --only ios,ProctorBase   modules by platform and name, and what they depend on
"""

import argparse
import concurrent.futures
import hashlib
import json
import os
import pathlib
import platform
import shutil
import subprocess
import sys
import time
import zipfile

ROOT = pathlib.Path(__file__).resolve().parent.parent
STUBS = ROOT / "Tests/Darwin/Stubs"
# What Package.swift may demand at most: an app's test target cannot link what demands more than the app.
NEWEST = {"macos": "15.0", "ios": "16.0"}
# The products that a test target for iOS links: no C library.
IOS_PRODUCTS = ("ProctorRecorder", "ProctorRules", "ProctorRemoteTesting")
HOST = f"{platform.machine()}-unknown-linux-gnu"
# The headers of the C libraries that Debian has; on a Mac they come with Homebrew.
C_HEADERS = ("uv.h", "uv", "yaml.h", "duktape.h", "duk_config.h", "brotli", "zstd.h", "zstd_errors.h", "nghttp2", "openssl", "lua5.4", "lua5.4-deb-multiarch.h", "pcre2.h", "cmark-gfm.h",
             "cmark-gfm_export.h", "cmark-gfm_version.h", "cmark-gfm-extension_api.h", "cmark-gfm-extensions_export.h", "cmark-gfm-core-extensions.h")


def fail(*lines):
    for line in lines:
        print(f"check-darwin: {line}", file=sys.stderr)
    sys.exit(1)


def run(arguments, **options):
    return subprocess.run(arguments, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, **options)


def replace_folder(new, folder):
    """Puts a finished folder in its place, so that one that was interrupted is never used."""
    shutil.rmtree(folder, ignore_errors=True)
    new.rename(folder)


def headers(work):
    """The folder of the fetched headers, which is an SDK to the compiler."""
    pin = (ROOT / "Tests/Darwin/headers.txt").read_text()
    folder = work / ("sdk-" + hashlib.sha256(pin.encode()).hexdigest()[:12])
    if folder.exists():
        return folder
    new = work / "sdk.new"
    shutil.rmtree(new, ignore_errors=True)
    new.mkdir(parents=True)
    python = work / "python"
    made = run([sys.executable, "-m", "venv", "--clear", python])
    if made.returncode:
        fail(made.stdout.strip(), "python3 can make no virtual environment; on Debian: apt-get install python3-venv")
    print("check-darwin: fetching Darwin's headers from PyPI (77 MiB, once)", flush=True)
    # The wheel of one platform, wherever this runs: the headers in all of them are the same, their hashes are not.
    fetched = run(
        [python / "bin/python", "-m", "pip", "download", "--quiet", "--disable-pip-version-check", "--no-deps",
         "--retries", "2", "--timeout", "30", "--only-binary", ":all:", "--platform", "manylinux_2_12_x86_64",
         "--require-hashes", "--dest", new, "--requirement", ROOT / "Tests/Darwin/headers.txt"])  # fmt: skip
    wheels = list(new.glob("*.whl"))
    if fetched.returncode or not wheels:
        fail(
            fetched.stdout.strip(),
            "Darwin's libc headers are missing: they are in the wheel that Tests/Darwin/headers.txt names, and PyPI could",
            "not be reached or gave other bytes. What to do: run this where https://pypi.org can be reached (PIP_INDEX_URL",
            "names a mirror); the folder .build/darwin can be kept between runs.")  # fmt: skip
    within = "ziglang/lib/libc/include/any-macos-any/"
    with zipfile.ZipFile(wheels[0]) as wheel:
        for name in wheel.namelist():
            if name.startswith(within) and not name.endswith("/"):
                path = new / "usr/include" / name[len(within) :]
                path.parent.mkdir(parents=True, exist_ok=True)
                path.write_bytes(wheel.read(name))
    wheels[0].unlink()
    shutil.rmtree(python, ignore_errors=True)
    settings = {"CanonicalName": "macosx15.0", "Version": "15.0", "MaximumDeploymentTarget": "15.0.99"}
    (new / "SDKSettings.json").write_text(json.dumps(settings))
    replace_folder(new, folder)
    return folder


class Kit:
    """Everything but the package: the standard library and the stubs, for one platform."""

    # Modules in which only the name of the target is replaced by one of as many bytes.
    PATCHED = (
        "_Concurrency", "_Builtin_float", "_StringProcessing", "Synchronization", "SwiftOnoneSupport",
        "_FoundationCollections", "FoundationEssentials")  # fmt: skip
    # Stubs in the order of their imports.
    STUBS = ("Plibc", "Darwin", "ObjectiveC", "CoreFoundation", "Dispatch", "Foundation", "Security")

    def __init__(self, name, version, folder, sdk, toolchain):
        self.name, self.folder, self.sdk, self.toolchain = name, folder, sdk, toolchain
        self.system = {"macos": "macosx", "ios": "ios"}[name]
        self.target = f"arm64-apple-{self.system}{version}"
        self.modules = folder / "resources" / {"macos": "macosx", "ios": "iphoneos"}[name]

    def module(self, name):
        """The path of a module of the system: in a folder, by its target."""
        folder = self.modules / f"{name}.swiftmodule"
        folder.mkdir(exist_ok=True)
        return folder / f"arm64-apple-{self.name}.swiftmodule"

    @property
    def flags(self):
        return [
            "-target", self.target, "-disable-target-os-checking", "-sdk", self.sdk,
            "-resource-dir", self.folder / "resources", "-plugin-path", self.toolchain / "host/plugins", "-module-cache-path", self.folder / "cache",
            *(part for name in self.STUBS for part in ("-I", self.folder / "stubs" / name)),
            # Loaded at once, so that a header belongs to its module also where a C library includes it.
            *(part for name in ("Darwin", "ObjectiveC")
              for part in ("-Xcc", f"-fmodule-map-file={self.folder}/stubs/{name}/module.modulemap")),
            "-Xcc", "-I", "-Xcc", self.folder / "libraries",
        ]  # fmt: skip

    def compile(self, name, arguments):
        made = run(["swift-frontend", *arguments, *self.flags, "-module-name", name])
        if made.returncode:
            fail(f"{name} for {self.target}:", made.stdout.strip(), "this is a fault of the check itself: Tests/Darwin/README.md")

    def make(self):
        library = self.toolchain / "linux"
        self.modules.mkdir(parents=True)
        (self.folder / "resources/shims").symlink_to(self.toolchain / "shims")
        (self.folder / "resources/clang").symlink_to(self.toolchain / "clang")
        (self.folder / "resources/module.modulemap").write_text(
            "".join(f'extern module {name} "shims/module.modulemap"\n'
                    for name in ("SwiftShims", "_SwiftConcurrencyShims", "SwiftOverlayShims", "_SynchronizationShims")))  # fmt: skip
        self.link_libraries()
        self.copy_stubs()
        for name in self.PATCHED:
            bytes = (library / f"{name}.swiftmodule/{HOST}.swiftmodule").read_bytes()
            target = self.target.ljust(len(HOST), "0")
            # Linux's libc gets a name of its own, since `canImport(Glibc)` must be false.
            bytes = bytes.replace(HOST.encode(), target.encode(), 1).replace(b"Glibc", b"Plibc")
            self.module(name).write_bytes(bytes)
        self.add_standard_library(library / f"Swift.swiftmodule/{HOST}.swiftinterface")
        for name in self.STUBS:
            self.compile_stub(name)
        self.add_testing(library / f"Testing.swiftmodule/{HOST}.swiftinterface")

    def link_libraries(self):
        """Of the system's headers those of the C libraries alone, since its libc is not Darwin's."""
        folder = self.folder / "libraries"
        folder.mkdir()
        for name in C_HEADERS:
            # Debian keeps what depends on the architecture in a folder of its own.
            places = ["/usr/include", f"/usr/include/{platform.machine()}-linux-gnu"]
            found = [path for place in places if (path := pathlib.Path(place) / name).exists()]
            if not found:
                fail(f"{name} is not in /usr/include; make deps installs it")
            for path in found:
                if path.is_dir():
                    shutil.copytree(path, folder / name, dirs_exist_ok=True)
                else:
                    shutil.copy(path, folder / name)

    def add_testing(self, interface):
        """swift-testing, whose module has an interface alone; its macros are the plug-in of this toolchain."""
        head, body = (text := interface.read_text())[:8000], text[8000:]
        path = self.folder / "Testing.swiftinterface"
        path.write_text(
            head.replace("-disable-objc-interop", "").replace(f"-target {HOST}", f"-target {self.target}") + body)
        self.compile("Testing", ["-compile-module-from-interface", path, "-o", self.module("Testing")])

    def add_standard_library(self, interface):
        """`Swift` itself is compiled again, since the pointers of Objective-C are missing in the module of Linux.

        That takes half a minute, so it is kept apart from the rest of the kit.
        """
        text = interface.read_text() + (STUBS / "Swift/Additions.swiftinterface").read_text()
        # The flags stand in the first lines.
        head, body = text[:8000], text[8000:]
        head = head.replace("-disable-objc-interop", "").replace(f"-target {HOST}", f"-target {self.target}")
        # An interface has no body here, which the compiler wants where a function is back-deployed.
        hole = "internal func _diagnoseUnavailableCodeReached() -> Swift.Never\n"
        text = head + body.replace(hole, hole[:-1] + ' { _assertionFailure("", "", flags: 0) }\n')
        kept = self.folder.parent.parent / f"swift-{hashlib.sha256(text.encode()).hexdigest()[:12]}.swiftmodule"
        if not kept.exists():
            # The interface stays, since the module names its path and is refused without it.
            path, new = kept.with_suffix(".swiftinterface"), self.folder / "Swift.swiftmodule"
            path.write_text(text)
            self.compile("Swift", ["-compile-module-from-interface", path, "-o", new, "-parse-stdlib"])
            new.rename(kept)
        shutil.copy(kept, self.module("Swift"))

    def copy_stubs(self):
        shutil.copytree(STUBS, self.folder / "stubs")
        for path in self.folder.rglob("stubs/*/module.modulemap"):
            path.write_text(path.read_text().replace("SDK/", f"{self.sdk}/"))

    def compile_stub(self, name):
        sources = sorted((self.folder / "stubs" / name).glob("*.swift"))
        if sources:
            self.compile(
                name,
                ["-emit-module", "-o", self.module(name), "-parse-as-library", "-swift-version", "6", *sources])


def kits(work, versions):
    """The kit of each platform, made when the toolchain, the stubs or this script changed."""
    frontend = shutil.which("swift-frontend")
    if not frontend:
        fail("swift-frontend is not in PATH; it is part of every Swift toolchain (https://swift.org/install)")
    toolchain = pathlib.Path(frontend).resolve().parent.parent / "lib/swift"
    if not (toolchain / "linux/Swift.swiftmodule").exists():
        fail(f"{toolchain}/linux is missing: this check is for Linux; on a Mac, swift build says the same and more")
    digest = hashlib.sha256(run([frontend, "--version"]).stdout.encode())
    for path in [pathlib.Path(__file__), *sorted(path for path in STUBS.rglob("*") if path.is_file())]:
        digest.update(str(path).encode() + path.read_bytes())
    digest.update((ROOT / "Tests/Darwin/headers.txt").read_bytes() + json.dumps(versions).encode())
    folder = work / ("kit-" + digest.hexdigest()[:12])
    sdk = headers(work)
    made = [Kit(name, version, folder / name, sdk, toolchain) for name, version in versions.items()]
    if not (folder / "whole").exists():
        for old in work.glob("kit-*"):
            shutil.rmtree(old, ignore_errors=True)
        print("check-darwin: compiling the standard library and the stubs (once for a toolchain)", flush=True)
        with concurrent.futures.ThreadPoolExecutor(os.cpu_count()) as pool:
            list(pool.map(Kit.make, made))
        (folder / "whole").touch()
    return made


class Target:
    def __init__(self, description, root):
        self.name, self.kind = description["name"], description["type"]
        default = "Tests" if self.kind == "test" else "Sources"
        self.folder = root / (description.get("path") or f"{default}/{self.name}")
        self.dependencies = [next(iter(one.values()))[0] for one in description["dependencies"]]
        excluded = [self.folder / path for path in description["exclude"]]
        self.sources = sorted(
            path for path in self.folder.rglob("*.swift") if not any(map(path.is_relative_to, excluded)))
        # A target without Swift is one of C: here its headers are enough.
        self.is_c = self.kind == "system" or not self.sources
        self.module_map = self.folder / ("module.modulemap" if self.kind == "system" else "include/module.modulemap")
        self.flags = ["-package-name", "proctor"] if description["packageAccess"] else []
        for setting in description["settings"]:
            self.add_setting(setting)
        if not any(path.name == "main.swift" for path in self.sources):
            self.flags.append("-parse-as-library")

    def add_setting(self, setting):
        platforms = setting.get("condition", {}).get("platformNames", [])
        if platforms and not set(platforms) & {"macos", "ios"}:
            return
        (kind, value), = setting["kind"].items()
        match kind:
            case "swiftLanguageMode": self.flags += ["-swift-version", value["_0"]]
            case "enableUpcomingFeature": self.flags += ["-enable-upcoming-feature", value["_0"]]
            case "enableExperimentalFeature": self.flags += ["-enable-experimental-feature", value["_0"]]
            case "strictMemorySafety": self.flags += ["-strict-memory-safety"]
            case "define": self.flags += ["-D", value["_0"]]
            # Every diagnostic is a failure here anyhow.
            case "treatAllWarnings": pass
            case _: fail(f"Package.swift sets {kind} for {self.name}, which Scripts/check-darwin.py does not know")


def manifest(root):
    # Darwin has no libngtcp2 of the version that QUIC is written for.
    environment = {name: value for name, value in os.environ.items() if name != "PROCTOR_QUIC"}
    described = subprocess.run(
        ["swift", "package", "--package-path", root, "dump-package"], capture_output=True, text=True, env=environment)
    if described.returncode:
        fail(described.stderr.strip(), "Package.swift cannot be read")
    return json.loads(described.stdout)


def above(version, limit):
    numbers = lambda text: [int(part) for part in text.split(".")]
    return numbers(version) > numbers(limit)


class Check:
    """One run over the package in a folder: what the compiler says of each module for each platform."""

    def __init__(self, root, kits, targets, products):
        self.root, self.kits, self.targets = root, kits, targets
        self.products = products

    def closure(self, names):
        found, left = set(), list(names)
        while left:
            name = left.pop()
            if name not in found:
                found.add(name)
                left += self.targets[name].dependencies
        return found

    def wanted(self, kit):
        if kit.name == "ios":
            return self.closure(name for product in IOS_PRODUCTS for name in self.products[product])
        # What runs the tests is not what users build.
        tests = self.root / "Tests"
        return {name for name, target in self.targets.items() if target.kind != "test" and tests not in target.folder.parents}

    def compile(self, kit, target, folder, sources=None, output=None):
        c_modules = [
            self.targets[name].module_map
            for name in self.closure([target.name]) if self.targets[name].is_c]  # fmt: skip
        arguments = [
            "swift-frontend", "-emit-module", "-o", output or folder / f"{target.name.replace('-', '_')}.swiftmodule",
            "-I", folder,
            "-module-name", target.name.replace("-", "_"), "-diagnostic-style", "llvm", *target.flags, *kit.flags,
        ]  # fmt: skip
        arguments += [part for path in c_modules for part in ("-Xcc", f"-fmodule-map-file={path}")]
        arguments += ["-Xcc", "-I", "-Xcc", kit.folder / "libraries/lua5.4"]
        return run([*arguments, *(sources or target.sources)], cwd=self.root)

    def platform(self, kit, folder, names):
        """Compiles modules in the order of their dependencies, as many at a time as there are processors."""
        folder.mkdir(parents=True, exist_ok=True)
        names = {name for name in names if not self.targets[name].is_c}
        left, running, ended, found = dict.fromkeys(sorted(names)), {}, {}, {}
        with concurrent.futures.ThreadPoolExecutor(os.cpu_count()) as pool:
            while left or running:
                for name in list(left):
                    needed = [one for one in self.targets[name].dependencies if one in names]
                    broken = [one for one in needed if ended.get(one) is False]
                    if broken:
                        found[name] = f"not checked, since {broken[0]} does not compile"
                        ended[name] = False
                        del left[name]
                    elif all(one in ended for one in needed):
                        running[pool.submit(self.compile, kit, self.targets[name], folder)] = name
                        del left[name]
                done, _ = concurrent.futures.wait(running, return_when=concurrent.futures.FIRST_COMPLETED)
                for job in done:
                    name, result = running.pop(job), job.result()
                    ended[name] = result.returncode == 0
                    if result.stdout.strip() or result.returncode:
                        found[name] = result.stdout.strip() or f"the compiler ended with {result.returncode}"
        return found


def put_back(check, work, mistake, whole):
    """What is found in a copy of one module with an old mistake in it; the other modules are those of `whole`."""
    kit = next(one for one in check.kits if one.name == mistake["platform"])
    target = check.targets[mistake["module"]]
    path = ROOT / mistake["file"]
    text = path.read_text()
    if text.count(mistake["now"]) != 1:
        return f"{mistake['file']} has {text.count(mistake['now'])} times, not once:\n{mistake['now']}"
    copy = work / "mistake" / path.name
    copy.parent.mkdir(parents=True, exist_ok=True)
    copy.write_text(text.replace(mistake["now"], mistake["then"]))
    sources = [copy if source == path else source for source in target.sources]
    modules = whole if mistake["module"] != "ProctorBase" else work / "mistake"
    found = check.compile(kit, target, modules, sources, output=work / "mistake/ignored.swiftmodule").stdout
    if mistake["diagnostic"] not in found:
        return f"not found; the compiler said: {found.strip() or 'nothing'}"
    return None


def check_mistakes(check, work):
    """Puts every old mistake back, one by one: a check that accepts one of them checks nothing."""
    failed = False
    for mistake in json.loads((ROOT / "Tests/Darwin/mistakes.json").read_text()):
        if "manifest" in mistake:
            trouble = None if mistake["diagnostic"] in (platform_fault(mistake["manifest"]) or "") else "not found"
        else:
            trouble = put_back(check, work, mistake, work / "modules" / mistake["platform"])
        shutil.rmtree(work / "mistake", ignore_errors=True)
        if trouble:
            failed = True
            print(f"the old mistake \"{mistake['name']}\" is accepted: {trouble}")
    if not failed:
        print("check-darwin: every old mistake is found when it is put back")
    return failed


def platform_fault(versions):
    """What is wrong with the platforms of Package.swift, or None."""
    for name, limit in NEWEST.items():
        if name not in versions:
            return f"Package.swift names no version of {name}, so that SwiftPM takes a very old one; it should be {limit}"
        if above(versions[name], limit):
            return f"Package.swift demands {name} {versions[name]}; apps that support {limit} could not use it"
    return None


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--only", default="", metavar="NAMES", help="platforms and modules, separated by commas")
    parser.add_argument("--mistakes", action="store_true", help="put every old mistake back as well")
    options = parser.parse_args()
    begin = time.monotonic()
    work = ROOT / ".build/darwin"
    work.mkdir(parents=True, exist_ok=True)
    package = manifest(ROOT)
    versions = {one["platformName"]: one["version"] for one in package["platforms"]}
    if fault := platform_fault(versions):
        fail(fault)
    versions = {name: versions[name] for name in NEWEST}
    targets = {one["name"]: Target(one, ROOT) for one in package["targets"]}
    check = Check(ROOT, kits(work, versions), targets, {one["name"]: one["targets"] for one in package["products"]})
    only = set(filter(None, options.only.split(",")))
    failed, counts = False, []
    for kit in check.kits:
        if only & set(NEWEST) and kit.name not in only:
            continue
        names = check.wanted(kit)
        if only - set(NEWEST):
            names &= check.closure(only - set(NEWEST))
        found = check.platform(kit, work / "modules" / kit.name, names)
        counts.append(f"{sum(not targets[name].is_c for name in names)} modules for {kit.target}")
        for name, text in found.items():
            failed = True
            print(f"{name} for {kit.target}:\n{text}\n")
    print(f"check-darwin: {', '.join(counts)}: {'FAILED' if failed else 'no diagnostic'}; {time.monotonic() - begin:.0f} s")
    if options.mistakes and not failed:
        failed = check_mistakes(check, work)
    sys.exit(failed)


if __name__ == "__main__":
    main()
