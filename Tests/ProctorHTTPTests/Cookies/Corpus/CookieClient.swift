import Foundation
import ProctorTestSupport

/// A client of cookies that others wrote, asked through `Tests/Clients/cookie_judge.py`.
enum CookieClient: String, CaseIterable, Sendable {
    case cookiejar, curl

    struct Failure: Error, CustomStringConvertible {
        let description: String
    }

    private struct Answer: Decodable {
        let cookies: [String?]
    }

    /// For every row, the Cookie field of each of its asks; nil where there was none.
    func answers(to rows: [CookieCorpus.Row]) async throws -> [[[UInt8]?]] {
        var lines = ""
        for row in rows {
            let object: [String: Any] = [
                "field": Data(row.field).base64EncodedString(), "set": row.origin, "asks": row.asks,
            ]
            lines += String(decoding: try JSONSerialization.data(withJSONObject: object), as: UTF8.self) + "\n"
        }
        let parts = #filePath.split(separator: "/", omittingEmptySubsequences: false)
        // .../Tests/ProctorHTTPTests/Cookies/Corpus/CookieClient.swift
        let script = parts.dropLast(4).joined(separator: "/") + "/Clients/cookie_judge.py"
        let outcome = try await ChildProcess.run(
            ["/usr/bin/env", "python3", "-B", script, rawValue], input: Array(lines.utf8), within: .seconds(300))
        guard outcome.status == 0 else { throw Failure(description: "\(self) can't be asked: \(outcome.err)") }
        let answers = try outcome.out.split(separator: "\n").map { line in
            try JSONDecoder().decode(Answer.self, from: Data(line.utf8)).cookies
        }
        guard answers.count == rows.count else { throw Failure(description: "\(self) left rows out: \(outcome.err)") }
        return answers.map { cookies in cookies.map { $0.flatMap { Data(base64Encoded: $0) }.map { [UInt8]($0) } } }
    }
}
