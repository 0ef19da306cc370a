import Foundation
import ProctorTestSupport
import Testing

/// `proctor exam` of clients that are built with Proctor.
struct ExamClientTests {
    private static let files = [
        "fixtures/plain/one.yaml": """
        summary: One request
        spec: RFC 9110 §9.3.1
        exchanges: [ { request: GET /, reply: { status: 200, body: "ok\\n" } } ]
        cases:
          get: { client: { url: / }, wire: request(GET /), facts: { status: 200, body: "ok\\n" } }
          twice: { kind: should, client: { url: / }, wire: request(GET /) request(GET /) }
          watch: { kind: observes, client: { url: / } }
        """,
        "fixtures/plain/two.yaml": """
        summary: Another
        spec: RFC 9110 §9.3.1
        exchanges: [ { request: GET /, reply: { status: 200 } } ]
        cases: { get: { client: { url: / }, wire: request(GET /) } }
        """,
    ]

    /// A folder with fixtures, and with adapters of these names, shell scripts.
    private func folder(_ adapters: [String: String]) throws -> TestFolder {
        var files = Self.files
        for (name, script) in adapters { files["clients/adapters/\(name)"] = "#!/bin/sh\n\(script)\n" }
        let folder = try TestFolder(files)
        for name in adapters.keys {
            try makeExecutable("\(folder.path)/clients/adapters/\(name)")
        }
        return folder
    }
    private func lines(_ name: String, in folder: TestFolder) throws -> [[String: Any]] {
        try folder.text(name).split(separator: "\n").map { line in
            try #require(try JSONSerialization.jsonObject(with: Data(line.utf8)) as? [String: Any])
        }
    }

    @Test(.wide, arguments: ["reference", "reference-connection", "reference-url-protocol", "urlsession-protocols"])
    func `a shape of a client that is built with Proctor says the version of that client`(name: String) async throws {
        let folder = try folder([:])
        let outcome = try await Child.run(
            [
                "exam", "plain/one#get", "--client", name, "--fail-on", "never", "--json", "r.jsonl",
            ], in: folder)
        #expect(outcome.status == 0, "\(outcome.out)\(outcome.err)")
        let header = try #require(try lines("r.jsonl", in: folder).first)
        #expect(header["client"] as? String == name)
        #expect((header["clientVersion"] as? String)?.isEmpty == false, "\(header)")
        if name == "reference" { #expect(header["platform"] as? String == "reference") }
    }

    #if !canImport(Darwin)
        // The shared session knows the classes that were registered before its first use.
        @Test func `cases of the shared session do not share a process`() async throws {
            let folder = try folder([:])
            let outcome = try await Child.run(
                [
                    "exam", "protocol/registered", "--client", "urlsession", "--jobs", "1",
                    "--fixtures", "\(Project.path)/fixtures",
                ], in: folder)
            #expect(outcome.status == 0, "\(outcome.out)\(outcome.err)")
        }
    #endif
}
