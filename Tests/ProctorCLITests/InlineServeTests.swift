import Foundation
import ProctorTestSupport
import Testing

/// `proctor serve --inline` and `--root` as a process.
struct InlineServeTests {
    @Test func `exchanges of the command line are served at the root, without any file`() async throws {
        let child = try await onThread {
            try ServingChild(
                nil,
                [
                    "--inline", #"GET /a -> 200 "hi\n""#, "--inline",
                    "GET /b -> { status: 302, headers: { Location: /a } }",
                ])
        }
        #expect(child.ready["scenarios"] as? Int == 1)
        #expect(try await curl("\(child.base)/a").out == "hi\n")
        #expect(try await curl("-L", "\(child.base)/b").out == "hi\n")
        let missed = try await curl("\(child.base)/c")
        #expect(missed.out.contains("nearest: GET /a  (--inline 1:1:1)"), "\(missed.out)")
        #expect(try await onThread { try child.end() } == 0)
    }

    @Test func `exchanges and fixtures are served together, and a scenario can answer at the root`() async throws {
        let folder = try TestFolder(Fixtures.files)
        let child = try await onThread {
            try ServingChild(folder, ["--inline", "GET /a -> 200 here", "--root", "redirect/root"])
        }
        #expect(try await curl("\(child.base)/a").out == "here")
        #expect(try await curl("\(child.base)/plain/hello/").out == "hello\n")
        #expect(try await curl("\(child.base)/b").out == "there\n")
        #expect(try await onThread { try child.end() } == 0)
    }

    private static func scenario(_ request: String, _ body: String) -> String {
        "summary: A page\nexchanges: [{ request: \(request), reply: { status: 200, body: \(body) } }]\n"
    }

    @Test func `all scenarios of a pack answer at the root, and nothing else is served`() async throws {
        let folder = try TestFolder([
            "my-pack/a.yaml": Self.scenario("GET /a", "first"),
            "my-pack/b/c.yaml": Self.scenario("GET /c", "second"),
        ])
        let child = try await onThread { try ServingChild(nil, ["--pack", "\(folder.path)/my-pack"]) }
        #expect(child.ready["scenarios"] as? Int == 2)
        #expect(try await curl("\(child.base)/a").out == "first")
        #expect(try await curl("\(child.base)/c").out == "second")
        #expect(try await curl("\(child.base)/my-pack/b/c/c").out == "second")
        #expect(try await onThread { try child.end() } == 0)
    }

    @Test(arguments: [
        (["--pack", "httpbim"], "there is no pack 'httpbim'; shipped: httpbin, llm; a folder of your own has a slash"),
        (["--pack", "./nowhere"], "--pack takes the name of a pack or a folder of scenarios, and './nowhere' is none"),
        (["--root", "plain/", "--inline", "GET /a -> 200"], "there is no scenario 'plain/'"),
        (["--inline", "GET /a"], "--inline:1:7: error: expected -> between the request and the reply"),
        (["--inline", "GET /a -> 200", "--inline", "GET b -> 200"], "--inline 2:1:1: error: a target begins with /"),
        (["--inline", "GET /a -> 200", "--watch"], "--watch looks at files, and with --inline alone there are none"),
        (["--inline", "GET /a -> 200", "--root", "inlin"], "there is no scenario 'inlin'; did you mean 'inline'?"),
    ])
    func `a mistake is told, and nothing listens`(arguments: [String], message: String) async throws {
        let outcome = try await Child.run(["serve", "--port", "0"] + arguments)
        #expect(outcome.status != 0 && outcome.out.isEmpty)
        #expect(outcome.err.contains(message), "\(outcome.err)")
    }
}
