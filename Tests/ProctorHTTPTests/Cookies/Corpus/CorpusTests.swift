import Foundation
import ProctorHTTP
import ProctorTestSupport
import Testing

/// The reference model beside clients that others wrote, over a corpus of Set-Cookie fields.
@Suite(.wide)
struct CorpusTests {
    @Test func `the corpus has hundreds of fields, of every topic, and no two rows alike`() {
        let rows = CookieCorpus.rows
        #expect(rows.count >= 500)
        #expect(Set(rows.map(\.topic)).count >= 14)
        #expect(Set(rows.map { [$0.field, Array($0.origin.utf8)] }).count >= rows.count - 20)
    }

    @Test(.limit(minutes: 10), arguments: CookieClient.allCases)
    func `another client agrees with the model, or an explanation says by which section it does not`(
        client: CookieClient
    ) async throws {
        let rows = CookieCorpus.rows
        let now = Int(Date().timeIntervalSince1970)
        let answers = try await client.answers(to: rows)
        let differences = zip(rows, answers).flatMap { CorpusComparison($0, theirs: $1, at: now).differences }
        let explanations = CorpusExplanation.all.filter { $0.client == client }
        var counts = [Int](repeating: 0, count: explanations.count)
        for difference in differences {
            if let index = explanations.firstIndex(where: { $0.explains(difference) }) {
                counts[index] += 1
            } else {
                Issue.record("unexplained: \(CorpusComparison.text(of: difference))")
            }
        }
        for (explanation, count) in zip(explanations, counts) {
            #expect(count > 0, "explains nothing, so it is to be removed: \(explanation.sentence)")
        }
        let documented = try CorpusExplanation.documented(of: client)
        #expect(documented == explanations.map(\.line), "Docs/judging/cookies.md says otherwise than the test")
    }
}

/// What the reference model and another client make of the same row.
struct CorpusComparison: Sendable {
    let row: CookieCorpus.Row
    /// By edition, for every ask.
    let ours: [CookieEdition: [[UInt8]?]]
    /// For every ask.
    let theirs: [[UInt8]?]

    init(_ row: CookieCorpus.Row, theirs: [[UInt8]?], at unixSeconds: Int) {
        self.row = row
        self.theirs = theirs
        var ours: [CookieEdition: [[UInt8]?]] = [:]
        for edition in CookieEdition.allCases {
            var store = CookieStore(edition: edition)
            _ = store.setCookie(row.field, from: CookieURL(url: row.origin), at: unixSeconds)
            ours[edition] = row.asks.map { store.field(for: CookieURL(url: $0), at: unixSeconds) }
        }
        self.ours = ours
    }

    /// The asks at which the other client does as neither edition does.
    var differences: [Difference] {
        row.asks.indices.filter { theirs[$0] != original[$0] && theirs[$0] != revised[$0] }.map { index in
            Difference(
                row: row, ask: row.asks[index], theirs: theirs[index], original: original[index],
                revised: revised[index])
        }
    }

    struct Difference: Sendable {
        let row: CookieCorpus.Row
        let ask: String
        let theirs: [UInt8]?
        let original: [UInt8]?
        let revised: [UInt8]?

        /// In lower case.
        var field: String { String(decoding: row.field, as: UTF8.self).lowercased() }
        /// The other client sends what neither edition does.
        var isExtra: Bool { theirs != nil && original == nil && revised == nil }
        /// The other client sends nothing, and both editions do.
        var isMissing: Bool { theirs == nil && original != nil && revised != nil }

        /// The values of an attribute in order, in lower case and without blanks; what has no '=' has an empty one.
        func values(of attribute: String) -> [String] {
            field.split(separator: ";", omittingEmptySubsequences: false).dropFirst().compactMap { part in
                let words = part.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
                guard words.first.map(Self.trimmed) == attribute else { return nil }
                return words.count == 2 ? Self.trimmed(words[1]) : ""
            }
        }

        func has(_ attribute: String) -> Bool { !values(of: attribute).isEmpty }

        private static func trimmed(_ text: Substring) -> String {
            String(text.drop { $0 == " " || $0 == "\t" }.reversed().drop { $0 == " " || $0 == "\t" }.reversed())
        }
    }

    /// By the revision.
    var revised: [[UInt8]?] { ours[.rfc6265bis] ?? [] }
    /// By RFC 6265.
    var original: [[UInt8]?] { ours[.rfc6265] ?? [] }

    /// For messages: the field, and an ask with a difference.
    static func text(of difference: Difference) -> String {
        "\(difference.row.topic): \(shown(difference.row.field)) from \(difference.row.origin), to \(difference.ask): they "
            + "\(shown(difference.theirs)), RFC 6265 \(shown(difference.original)), "
            + "its revision \(shown(difference.revised))"
    }

    private static func shown(_ field: [UInt8]?) -> String {
        guard let field else { return "nothing" }
        let text = String(decoding: field.prefix(80), as: UTF8.self)
        return text.debugDescription + (field.count > 80 ? "… (\(field.count) bytes)" : "")
    }
}

extension CookieURL {
    /// Of a URL of the corpus, which is absolute and has no port.
    init(url: String) {
        let isSecure = url.hasPrefix("https://")
        let rest = url.dropFirst(isSecure ? 8 : 7)
        let host = rest.prefix { $0 != "/" }
        let path = rest.dropFirst(host.count).prefix { $0 != "?" }
        self.init(isSecure: isSecure, host: String(host), path: Array(path.utf8))
    }
}
