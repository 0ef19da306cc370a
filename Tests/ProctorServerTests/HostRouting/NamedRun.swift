import ProctorJournal
import ProctorServer
import ProctorServing
import ProctorTestSupport
import ProctorTestWire
import Testing

@testable import ProctorProgram

/// A run of a scenario with names, by the addresses where they stand.
struct NamedRun: Sendable {
    let run: Run

    /// `http://` and the address where a name stands; not for a Unix socket.
    func place(of name: String, port: Int = 80) throws -> String {
        let host = try #require(run.names.first { $0.name == name && $0.port == port })
        return "http://\(host.address)"
    }

    /// The front door.
    var door: String { "http://\(run.namesProxy ?? "")" }

    /// The origins that every test here has.
    static let origins = """
        summary: hosts with names
        origins:
          main: { host: home.example.org }
          sibling: { host: sibling.example.org }
          alt: { host: home.example.org, port: 8080 }
          plain: {}
          secure: { scheme: https, host: home.example.org }
          gate: { role: proxy }
        exchanges:
          - { request: GET /who, reply: { status: 200, body: home } }
          - { request: POST /who, reply: { status: 200, body: "home took {{body}}" } }
          - { origin: sibling, request: GET /who, reply: { status: 200, body: sibling } }
          - { origin: alt, request: GET /who, reply: { status: 200, body: alt } }
          - { origin: plain, request: GET /who, reply: { status: 200, body: plain } }
          - { origin: secure, request: GET /who, reply: { status: 200, body: secure } }

        """.replacing("home took {{body}}", with: "home took it")

    static func curl(_ run: Run, _ words: String...) async throws -> ChildProcess.Outcome {
        let trust = run.trust.map { ["--cacert", $0] } ?? []
        return try await ChildProcess.run(
            ["/usr/bin/env", "curl", "-sS", "--noproxy", "", "--max-time", "120"] + trust + words)
    }
}

/// A run of the origins above, with more exchanges.
func withNamedRun<Result>(
    _ more: String = "", configure: (inout ServerConfiguration) -> Void = { _ in },
    _ body: (NamedRun) async throws -> Result
) async throws -> Result {
    try await withRun(NamedRun.origins + more, configure: configure) { run in try await body(NamedRun(run: run)) }
}

extension Wire {
    /// Sends a request with this Host and reads its reply.
    func ask(_ line: String, host: String, _ fields: String..., body: String = "") throws -> String {
        let lines = ["\(line) HTTP/1.1", "Host: \(host)"] + fields
        try send(lines.joined(separator: "\r\n") + "\r\n\r\n" + body)
        return try readReply()
    }
}

extension Journal {
    /// Requests that no exchange answered, in order.
    var misses: [Miss] {
        snapshot().entries.compactMap { entry in
            if case .missed(let miss) = entry.event { miss } else { nil }
        }
    }
}

extension String {
    /// Of a reply, what stands behind its head.
    var content: String { firstRange(of: "\r\n\r\n").map { String(self[$0.upperBound...]) } ?? "" }
}
