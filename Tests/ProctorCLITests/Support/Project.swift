import Foundation
import ProctorTestSupport

enum Project {
    /// The folder that holds `Docs` and `fixtures`.
    static let path: String = {
        // .../Tests/ProctorCLITests/Support/Project.swift
        let parts = #filePath.split(separator: "/", omittingEmptySubsequences: false)
        return parts.dropLast(4).joined(separator: "/")
    }()

    static func text(_ name: String) throws -> String {
        try String(contentsOfFile: "\(path)/\(name)", encoding: .utf8)
    }

    /// The pages of the book, as `Docs/PART/NAME.md`.
    static var pages: [String] {
        get throws {
            try FileManager.default.subpathsOfDirectory(atPath: "\(path)/Docs").filter { $0.hasSuffix(".md") }.sorted()
                .map { "Docs/\($0)" }
        }
    }

    /// A program of the system, if it is there.
    static func tool(_ name: String) -> String? {
        ["/usr/bin", "/bin", "/usr/local/bin", "/opt/homebrew/bin"].map { "\($0)/\(name)" }
            .first { FileManager.default.isExecutableFile(atPath: $0) }
    }
}

/// Scenarios that the tests of the command line serve.
enum Fixtures {
    static let files = [
        "fixtures/plain/hello.yaml": """
        summary: Says hello
        spec: [RFC 9110 §15.3.1, another]
        exchanges:
          - { request: GET /, reply: { status: 200, body: "hello\\n" } }
          - { request: PUT /upload, reply: { status: 200, body: "put\\n" } }
        cases:
          get: { client: { url: / }, wire: request(GET /) }
          put: { kind: observes, client: { method: PUT, url: /upload } }
        """,
        "fixtures/plain/slow.yaml": """
        summary: Takes its time
        exchanges:
          - request: GET /
            reply: { status: 200, body: [ begin, { do: wait 500ms }, "-end" ] }
        """,
        "fixtures/redirect/root.yaml": """
        summary: Needs a root
        exchanges:
          - { request: GET /a, reply: { status: 302, headers: { Location: /b } } }
          - { request: GET /b, reply: { status: 200, body: "there\\n" } }
        """,
    ]
}

/// Traces and logs that the tests of grading hand over.
enum Traces {
    /// What a client that sees its callbacks writes for `plain/hello#get`.
    static let good = """
        {"trace":"proctor","version":1,"client":"tiny","lanes":["task","harness"]}
        {"lane":"harness","ev":"resume"}
        {"lane":"task","ev":"response","arg":"200","family":"US","queue":"D"}
        {"lane":"harness","ev":"answer","arg":"allow","facts":{"to":"response"}}
        {"lane":"task","ev":"data","queue":"D","facts":{"bytes":6}}
        {"lane":"task","ev":"complete","arg":"ok","queue":"D"}
        {"lane":"harness","ev":"result","facts":{"status":200,"body":"hello\\n","bytes":6}}

        """
    /// The same with data before its response.
    static let early = """
        {"lane":"harness","ev":"resume"}
        {"lane":"task","ev":"data","family":"US"}
        {"lane":"task","ev":"response","arg":"200"}
        {"lane":"task","ev":"complete","arg":"ok"}

        """

    /// An app's own log of an NSURLConnection.
    static let connection = """
        2026-11-20 12:00:00.001 App[123:456] -[Loader connection:willSendRequest:redirectResponse:]
        2026-11-20 12:00:00.101 App[123:456] -[Loader connection:didReceiveResponse:] (200)
        2026-11-20 12:00:00.201 App[123:456] -[Loader connection:didReceiveData:]
        2026-11-20 12:00:00.301 App[123:456] -[Loader connectionDidFinishLoading:]

        """
    /// One of an NSURLDownload.
    static let download = """
        downloadDidBegin:
        download:didReceiveResponse:
        download:decideDestinationWithSuggestedFilename:
        download:didCreateDestination:
        download:didReceiveDataOfLength:
        downloadDidFinish:

        """
}
