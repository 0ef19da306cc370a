import Foundation
import ProctorHTTP

/// Why a client makes something else of a Set-Cookie field than RFC 6265 and its revision; a line of `Docs/cookies.md`.
struct CorpusExplanation: Sendable {
    let client: CookieClient
    /// What it does, as a sentence.
    let sentence: String
    /// The section that says otherwise.
    let section: String
    /// Whether it is this by which they differ.
    let explains: @Sendable (CorpusComparison.Difference) -> Bool

    init(
        _ client: CookieClient, _ sentence: String, _ section: String,
        _ explains: @escaping @Sendable (CorpusComparison.Difference) -> Bool
    ) {
        self.client = client
        self.sentence = sentence
        self.section = section
        self.explains = explains
    }

    /// As it stands in the document.
    var line: String { "| `\(client.rawValue)` | \(sentence) | \(section) |" }

    /// The lines of the document about a client, in its order.
    static func documented(of client: CookieClient) throws -> [String] {
        let parts = #filePath.split(separator: "/", omittingEmptySubsequences: false)
        // .../Tests/ProctorHTTPTests/Cookies/Corpus/CorpusExplanation.swift
        let path = parts.dropLast(5).joined(separator: "/") + "/Docs/cookies.md"
        return try String(contentsOfFile: path, encoding: .utf8).split(separator: "\n")
            .filter { $0.hasPrefix("| `\(client.rawValue)` |") }.map(String.init)
    }

    /// Of a client, the first that explains a difference counts.
    static let all = cookiejar + curl
}
