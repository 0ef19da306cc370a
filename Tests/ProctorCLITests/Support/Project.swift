import Foundation

/// The checkout that these tests stand in.
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
