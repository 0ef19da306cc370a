import ProctorTestSupport
import Testing

/// `proctor new`.
struct NewTests {
    @Test(arguments: ["one", "plain/two", "a/b/c/d/e", "v1.2/under_score~tilde"])
    func `what is written can be checked, listed and passed`(id: String) async throws {
        let folder = try TestFolder()
        let made = try await Child.run(["new", id], in: folder)
        #expect(made.status == 0 && made.out == "fixtures/\(id).yaml\n")
        #expect(made.err == "proctor: edit it, then: proctor check fixtures/\(id).yaml && proctor serve fixtures\n")
        let depth = id.count { $0 == "/" }
        let schema = String(repeating: "../", count: depth) + "scenario.schema.json"
        let text = try folder.text("fixtures/\(id).yaml")
        #expect(text.hasPrefix("# yaml-language-server: $schema=\(schema)\n"))

        let checked = try await Child.run(["check", "fixtures"], in: folder)
        #expect(checked.status == 0 && checked.out == "1 scenario with 1 case, no errors\n")
        #expect(try await Child.run(["list"], in: folder).out.hasPrefix("1 scenario in fixtures:\n  \(id)  "))
        let named = try folder.text("fixtures/\(id).yaml").prefix { $0 != "\n" }.split(separator: "=").last
        let beside = "fixtures/\(id)".split(separator: "/").dropLast().joined(separator: "/")
        #expect(folder.has("\(beside)/\(named ?? "")"), "the schema that the first line names is there")
        let passed = try await Child.run(
            ["run", id, "--", "/usr/bin/curl", "-sSL", "{{base}}/start"], in: folder)
        #expect(passed.status == 0 && passed.out == "ok\n")
    }

    @Test func `a scenario with a guard can be checked, and passed by a client with the password`() async throws {
        let folder = try TestFolder()
        let made = try await Child.run(["new", "auth/mine", "--auth"], in: folder)
        #expect(made.status == 0 && made.out == "fixtures/auth/mine.yaml\n")
        #expect(
            try folder.text("fixtures/auth/mine.yaml").hasPrefix(
                "# yaml-language-server: $schema=../scenario.schema.json\n"))
        let checked = try await Child.run(["check", "fixtures"], in: folder)
        #expect(checked.status == 0 && checked.out == "1 scenario with 1 case, no errors\n")
        // curl waits for the challenge only where it may choose the scheme.
        let client = ["/usr/bin/curl", "-sS", "--anyauth", "-u"]
        let passed = try await Child.run(
            ["run", "auth/mine", "--"] + client + ["user:pass", "{{base}}/secret"], in: folder)
        #expect(passed.status == 0 && passed.out == "ok\n")
        let refused = try await Child.run(
            ["run", "auth/mine", "--"] + client + ["user:no", "{{base}}/secret"], in: folder)
        #expect(refused.status == 1)
        #expect(refused.err.contains("guard lab refuses Basic credential 1 of \"user\": wrong-password"))
        #expect(refused.err.contains("(RFC 76"))
    }

    @Test func `with TLS it can be checked, and passed by who trusts the server`() async throws {
        let folder = try TestFolder()
        let made = try await Child.run(["new", "tls/mine", "--tls"], in: folder)
        #expect(made.status == 0 && made.out == "fixtures/tls/mine.yaml\n")
        let checked = try await Child.run(["check", "fixtures"], in: folder)
        #expect(checked.status == 0 && checked.out == "1 scenario with 1 case, no errors\n")
        let curl = ["run", "tls/mine", "--ephemeral-ca", "--", "/usr/bin/curl", "-sS"]
        let passed = try await Child.run(curl + ["--insecure", "{{base}}/secret"], in: folder)
        #expect(passed.status == 0 && passed.out == "ok\n")
        // No request comes, so that the case fails.
        let refused = try await Child.run(curl + ["{{base}}/secret"], in: folder)
        #expect(refused.status == 1)
        let both = try await Child.run(["new", "tls/other", "--tls", "--auth"], in: folder)
        #expect(both.status == 2 && both.err.contains("--auth and --tls exclude each other"))
    }

    @Test func `it goes where it is told, or where fixtures are`() async throws {
        let folder = try TestFolder(["fixtures/x": "", "deep/er/x": "", "named/x": ""])
        let flagged = try await Child.run(["new", "a/b", "--fixtures", "other"], in: folder)
        #expect(flagged.out == "other/a/b.yaml\n" && folder.has("other/a/b.yaml"))
        let named = try await Child.run(["new", "a"], environment: ["PROCTOR_FIXTURES": "named"], in: folder)
        #expect(named.out == "named/a.yaml\n" && folder.has("named/a.yaml"))
        let above = try await Child.run(
            ["-c", "cd deep/er && exec \"$0\" new a", Child.binary], program: "/bin/sh", in: folder)
        #expect(above.out == "../../fixtures/a.yaml\n" && folder.has("fixtures/a.yaml"))
    }

    @Test func `a file that is there already is left alone`() async throws {
        let folder = try TestFolder(["fixtures/a.yaml": "mine"])
        let outcome = try await Child.run(["new", "a"], in: folder)
        #expect(outcome.status == 1 && outcome.out.isEmpty)
        #expect(outcome.err == "proctor: fixtures/a.yaml is there already, and was left alone\n")
        #expect(try folder.text("fixtures/a.yaml") == "mine")
        let below = try await Child.run(["new", "a.yaml/b"], in: folder)
        #expect(below.status == 1 && below.err.contains("fixtures/a.yaml/b.yaml can't be written: Not a directory"))
    }

    @Test(arguments: [
        "", "/", "/a", "a/", "a//b", "..", "../a", "a/../b", "./a", ".a", "a/.b", "_a", "a/_b", "a b", "a?b", "a#b",
        "ä",
        "a\nb",
    ])
    func `what can't be an id is refused before anything is written`(id: String) async throws {
        let folder = try TestFolder()
        let outcome = try await Child.run(["new", id], in: folder)
        #expect(outcome.status == 2 && outcome.out.isEmpty && !folder.has("fixtures"))
        #expect(outcome.err.hasPrefix("proctor: '\(id)' can't be an id: words of letters, digits, "))
    }

    @Test func `it wants one id`() async throws {
        for arguments in [["new"], ["new", "a", "b"]] {
            let outcome = try await Child.run(arguments)
            #expect(outcome.status == 2 && outcome.err == "proctor: 'new' takes one ID: proctor new redirect/my-case\n")
        }
    }
}
