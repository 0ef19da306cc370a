import Foundation
import ProctorTestSupport
import Testing

/// Fixtures that change under a running server.
struct WatchTests {
    private static func says(_ word: String) -> String {
        "summary: says\nexchanges: [ { request: GET /, reply: { status: 200, body: \(word) } } ]\n"
    }

    private static let broken = "summary: broken\nexchanges:\n  - { request: GET /, reply: { status: 200, bodi: x } }\n"

    private func served(_ target: String, by child: ServingChild) throws -> String {
        try ChildProcess.runNow(["/usr/bin/curl", "-sS", "--max-time", "60", "\(child.base)\(target)"]).out
    }

    private func waitFor(_ word: String, at target: String, of child: ServingChild) throws {
        try wait(for: "\(word) at \(target)") { try served(target, by: child) == word }
    }

    @Test func `an edit is served, a broken one is told and changes nothing, and a mended one is served`() async throws
    {
        let folder = try TestFolder(["fixtures/a.yaml": Self.says("one"), "fixtures/b.yaml": Self.says("b")])
        try await onThread {
            let child = try ServingChild(folder, ["--watch"])
            #expect(try served("/a/", by: child) == "one")
            try folder.write(Self.says("two"), to: "fixtures/a.yaml")
            try waitFor("two", at: "/a/", of: child)
            try wait(for: "the message") { child.err.contains("proctor: loaded 2 scenarios again\n") }

            try folder.write(Self.broken, to: "fixtures/a.yaml")
            try wait(for: "the message") { child.err.contains("still serving the last good version") }
            let errors = child.err
            #expect(errors.contains("\(folder.path)/fixtures/a.yaml:3:45: error: "))
            #expect(errors.contains("proctor: 1 error in 1 file; 1 scenario without\n"))
            #expect(
                errors.contains(
                    "proctor: loaded 1 scenario again; still serving the last good version of 1 scenario\n"))
            #expect(try served("/a/", by: child) == "two")
            #expect(try served("/b/", by: child) == "b")
            // What stands beside a broken file is served as it is now.
            try folder.write(Self.says("b again"), to: "fixtures/b.yaml")
            try waitFor("b again", at: "/b/", of: child)
            #expect(try served("/a/", by: child) == "two")

            try folder.write(Self.says("three"), to: "fixtures/a.yaml")
            try waitFor("three", at: "/a/", of: child)
            #expect(try child.end() == 0)
        }
    }

    @Test func `with --watch the good ones are served from the start, and a broken one once it is mended`() async throws
    {
        let folder = try TestFolder(["fixtures/a.yaml": Self.says("one"), "fixtures/b.yaml": Self.broken])
        let strict = try await Child.run(["serve", "\(folder.path)/fixtures", "--port", "0", "--check-first"])
        #expect(strict.status == 1 && strict.out.isEmpty)
        try await onThread {
            let first = try ServingChild(folder, ["--watch", "--check-first"])
            #expect(first.ready["scenarios"] as? Int == 1 && first.err.contains("1 error in 1 file"))
            #expect(try first.end() == 0)
            let child = try ServingChild(folder, ["--watch"])
            #expect(child.ready["scenarios"] as? Int == 2)
            try wait(for: "the message") { child.err.contains("1 error in 1 file") }
            #expect(try served("/a/", by: child) == "one")
            try folder.write(Self.says("two"), to: "fixtures/a.yaml")
            try waitFor("two", at: "/a/", of: child)
            try wait(for: "the rest of it") {
                child.err.contains("loaded 1 scenario again; not serving 1 file with errors\n")
            }
            try folder.write(Self.says("mended"), to: "fixtures/b.yaml")
            try waitFor("mended", at: "/b/", of: child)
            #expect(try child.end() == 0)
        }
    }

    @Test func `files come and go, in folders that come and go`() async throws {
        let folder = try TestFolder(["fixtures/a.yaml": Self.says("one")])
        try await onThread {
            let child = try ServingChild(folder, ["--watch"])
            try folder.write(Self.says("deep"), to: "fixtures/new/er/x.yaml")
            try waitFor("deep", at: "/new/er/x/", of: child)
            // The new folder is watched by now.
            try folder.write(Self.says("deeper"), to: "fixtures/new/er/x.yaml")
            try waitFor("deeper", at: "/new/er/x/", of: child)
            try folder.remove("fixtures/new")
            try wait(for: "the end of x") { try served("/new/er/x/", by: child).hasPrefix("no scenario stands at") }
            #expect(try served("/a/", by: child) == "one")

            // Everything goes, as when a branch is changed, and comes back.
            try folder.remove("fixtures")
            try folder.write(Self.says("back"), to: "fixtures/a.yaml")
            try waitFor("back", at: "/a/", of: child)
            #expect(!child.err.contains("--watch has ended"))
            #expect(try child.end() == 0)
        }
    }

    @Test func `a body in a file of its own is served as it is now`() async throws {
        let yaml = "summary: x\nexchanges: [ { request: GET /, reply: { status: 200, body: { file: body.txt } } } ]\n"
        let folder = try TestFolder(["fixtures/a.yaml": yaml, "fixtures/body.txt": "short"])
        try await onThread {
            let child = try ServingChild(folder, ["--watch"])
            #expect(try served("/a/", by: child) == "short")
            try folder.write("a longer body", to: "fixtures/body.txt")
            try waitFor("a longer body", at: "/a/", of: child)
            try folder.write("another body!", to: "fixtures/body.txt")
            try waitFor("another body!", at: "/a/", of: child)
        }
    }

    @Test func `SIGHUP loads again without watching, and nothing else does`() async throws {
        let folder = try TestFolder(["fixtures/a.yaml": Self.says("one")])
        try await onThread {
            let child = try ServingChild(folder, ["--check-first"])
            try folder.write(Self.says("two"), to: "fixtures/a.yaml")
            #expect(try served("/a/", by: child) == "one")
            child.send(signal: SIGHUP)
            try waitFor("two", at: "/a/", of: child)
            try folder.write(Self.broken, to: "fixtures/a.yaml")
            child.send(signal: SIGHUP)
            try wait(for: "the message") { child.err.contains("still serving the last good version") }
            #expect(try served("/a/", by: child) == "two")
            #expect(try child.end() == 0)
            #expect(child.err.components(separatedBy: "loaded 1 scenario again").count == 2)
        }
    }
}
