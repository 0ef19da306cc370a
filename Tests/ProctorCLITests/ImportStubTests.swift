import Foundation
import ProctorImport
import ProctorTestSupport
import Testing

/// `proctor import` of stubs and descriptions, and of files that are none.
struct ImportStubTests {
    private func serve(_ arguments: [String], in folder: TestFolder) async throws -> ServingChild {
        let made = try await Child.run(["import"] + arguments + ["--id", "it", "--into", "fixtures"], in: folder)
        #expect(made.status == 0, "\(made.err)")
        let checked = try await Child.run(["check", "fixtures"], in: folder)
        #expect(checked.status == 0, "\(checked.err)")
        return try await onThread { try ServingChild(folder, ["--root", "it"]) }
    }

    /// Status and content.
    private func ask(_ url: String, _ options: String...) async throws -> String {
        try await Child.run(
            ["-sS", "--max-time", "60", "-w", "%{http_code}"] + options + [url], program: "/usr/bin/curl"
        ).out
    }

    @Test func `mappings of WireMock answer as WireMock does`() async throws {
        let folder = try TestFolder()
        let child = try await serve(["wiremock", Replay.path("wiremock")], in: folder)
        let base = child.base
        #expect(try await ask("\(base)/hello?name=ann") == "Hello, ann\n200")
        #expect(try await ask("\(base)/hello?name=bob") == "no such stub\n404")
        #expect(try await ask("\(base)/file?x=1") == "{\"from\": \"a file\"}\n200")
        #expect(try await ask("\(base)/items/12") == #"{"id":1,"tags":["a"]}200"#)
        #expect(try await ask("\(base)/items/x") == "no such stub\n404")
        #expect(try await ask("\(base)/orders", "--json", #"{"item": 1, "more": true}"#) == "201")
        #expect(try await ask("\(base)/orders", "--json", #"{"item": 2}"#) == "no such stub\n404")
        // The cart is filled by its first POST.
        #expect(try await ask("\(base)/cart") == "no such stub\n404")
        #expect(try await ask("\(base)/cart", "-X", "POST") == "204")
        #expect(try await ask("\(base)/cart") == "one thing\n200")
        let broken = try await curl("\(base)/broken")
        #expect(broken.status == 52, "an empty reply: \(broken.err)")
        #expect(try await onThread { try child.end() } == 0)
    }

    @Test(arguments: ["fastapi.json", "fastapi.yaml"])
    func `operations of OpenAPI answer by their schemas`(file: String) async throws {
        let folder = try TestFolder()
        let child = try await serve(["openapi", Replay.path(file)], in: folder)
        let pet = #"{"id":7,"name":"text","born":"text","tags":[]}"#
        #expect(try await ask("\(child.base)/pets?limit=3") == "[\(pet)]200")
        #expect(try await ask("\(child.base)/pets?limit=3&after=b") == "[\(pet)]200")
        #expect(try await ask("\(child.base)/pets").hasSuffix("404"), "limit is required")
        #expect(try await ask("\(child.base)/pets", "--json", #"{"name": "Rex"}"#) == "\(pet)201")
        #expect(try await ask("\(child.base)/pets/mine") == "\(pet)200")
        #expect(try await ask("\(child.base)/pets/7") == "\(pet)200")
        #expect(try await ask("\(child.base)/pets/7", "-X", "DELETE") == "204")
        #expect(try await onThread { try child.end() } == 0)
    }

    @Test func `examples of Postman are the replies`() async throws {
        let folder = try TestFolder()
        let child = try await serve(["postman", Replay.path("pets.postman.json")], in: folder)
        #expect(try await ask("\(child.base)/pets/7") == #"{"id": 7, "name": "Rex"}200"#)
        #expect(try await ask("\(child.base)/pets/8") == "404")
        #expect(try await ask("\(child.base)/pets", "--json", #"{"name": "Rex"}"#, "-D", "-").contains("/pets/9\r\n"))
        #expect(try await ask("\(child.base)/pets/7", "-X", "DELETE") == "200")
        #expect(try await onThread { try child.end() } == 0)
    }

    struct Broken: Sendable, CustomTestStringConvertible {
        let kind: ImportKind
        let text: String
        let message: String
        var testDescription: String { "\(kind.rawValue): \(text.prefix(30))" }
    }

    @Test(arguments: [
        Broken(kind: .har, text: "{\"log\": {\"entries\": [1,\n 2", message: "broken:2:3: error: this is no JSON: "),
        Broken(
            kind: .har, text: "{\"log\": {}}",
            message: "broken#: error: this is no HAR: expected an object with log/entries"),
        Broken(
            kind: .har, text: #"{"log": {"entries": [{"request": {"method": "GET", "url": "data:,x"}}]}}"#,
            message: "broken#/log/entries/0/request/url: data: is no URL of HTTP, and is left out"),
        Broken(
            kind: .http, text: "GET / HTTP/1.1\r\nHost: a",
            message: "broken: byte 0: error: the head of a request is cut off"),
        Broken(kind: .http, text: "no request at all\r\n\r\n", message: "broken: byte 0: error: this is no request: "),
        Broken(
            kind: .http,
            text: "=> Send header, 4 bytes (0x4)\n0000: 47 45 54                                        GET\n",
            message: "broken:1: error: 4 bytes are announced, and 3 follow"),
        Broken(
            kind: .http, text: "=> Send data, 4 bytes (0x4)\nwhat\n",
            message: "broken:2: error: expected bytes behind an offset"),
        Broken(kind: .vcr, text: "a: [", message: "broken:"),
        Broken(kind: .vcr, text: "a: 1", message: "broken:1:1: error: this is no cassette"),
        Broken(kind: .postman, text: "{}", message: "broken#: error: this is no collection of Postman"),
        Broken(
            kind: .openapi, text: "swagger: \"2.0\"",
            message: "this is Swagger 2.0, which converters turn into OpenAPI 3"),
        Broken(kind: .openapi, text: "openapi: 3.1.0\n", message: "broken:1:1: error: the description has no paths"),
        Broken(kind: .journal, text: "{\"journal\":\"other\"}\n", message: "broken:1:"),
    ])
    func `a file that is none of its kind is refused with its place`(row: Broken) async throws {
        let folder = try TestFolder(["broken": row.text])
        let outcome = try await Child.run(["import", row.kind.rawValue, "broken", "--into", "fixtures"], in: folder)
        #expect(outcome.status == 1 && outcome.out.isEmpty && !folder.has("fixtures"))
        #expect(outcome.err.contains(row.message), "\(outcome.err)")
    }

    @Test func `what can't be meant is a mistake of the command line`() async throws {
        for (arguments, message) in [
            (["import"], "'import' needs a kind and a file"), (["import", "harr", "x"], "did you mean 'har'?"),
            (["import", "har"], "'import har' needs an HTTP Archive"),
            (["import", "har", "a", "b", "--id", "x"], "--id is for one scenario"),
            (["import", "curl", "curl http://a/", "--id", "a b"], "can't be an id"),
        ] {
            let outcome = try await Child.run(arguments)
            #expect(outcome.status == 2 && outcome.err.contains(message), "\(outcome.err)")
        }
        let folder = try TestFolder(["fixtures/it.yaml": "mine"])
        let taken = try await Child.run(
            ["import", "har", Replay.path("chromium.har"), "--id", "it", "--into", "fixtures"], in: folder)
        #expect(taken.status == 1 && taken.err.contains("fixtures/it.yaml is there already, and was left alone"))
        #expect(try folder.text("fixtures/it.yaml") == "mine" && !folder.has("fixtures/it.bodies"))
    }
}
