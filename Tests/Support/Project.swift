import Foundation

/// The checkout that the tests stand in.
package enum Project {
    /// The folder that holds `Docs` and `fixtures`.
    package static let path: String = {
        // .../Tests/Support/Project.swift
        let parts = #filePath.split(separator: "/", omittingEmptySubsequences: false)
        return parts.dropLast(3).joined(separator: "/")
    }()

    package static func text(_ name: String) throws -> String {
        try String(contentsOfFile: "\(path)/\(name)", encoding: .utf8)
    }

    /// The pages of the book, as `Docs/PART/NAME.md`.
    package static var pages: [String] {
        get throws {
            try FileManager.default.subpathsOfDirectory(atPath: "\(path)/Docs").filter { $0.hasSuffix(".md") }.sorted()
                .map { "Docs/\($0)" }
        }
    }

    /// A program of the system, if it is there.
    package static func tool(_ name: String) -> String? {
        ["/usr/bin", "/bin", "/usr/local/bin", "/opt/homebrew/bin"].map { "\($0)/\(name)" }
            .first { FileManager.default.isExecutableFile(atPath: $0) }
    }
}

/// Scenarios that the tests of the command line serve.
package enum Fixtures {
    package static let files = [
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
