import ProctorServer
import ProctorTestSupport
import ProctorTestWire

/// A run of a scenario with names, by the addresses where they stand.
struct NamedRun: Sendable {
    let run: Run

    /// The front door.
    var door: String { "http://\(run.namesProxy ?? "")" }

    static func curl(_ run: Run, _ words: String...) async throws -> ChildProcess.Outcome {
        let trust = run.trust.map { ["--cacert", $0] } ?? []
        return try await ChildProcess.run(
            ["/usr/bin/env", "curl", "-sS", "--noproxy", "", "--max-time", "120"] + trust + words)
    }
}

extension Wire {
    /// Sends a request with this Host and reads its reply.
    func ask(_ line: String, host: String, _ fields: String..., body: String = "") throws -> String {
        let lines = ["\(line) HTTP/1.1", "Host: \(host)"] + fields
        try send(lines.joined(separator: "\r\n") + "\r\n\r\n" + body)
        return try readReply()
    }
}

extension String {
    /// Of a reply, what stands behind its head.
    var content: String { firstRange(of: "\r\n\r\n").map { String(self[$0.upperBound...]) } ?? "" }
}
