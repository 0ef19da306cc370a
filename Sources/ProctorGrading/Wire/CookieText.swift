import ProctorHTTP
import ProctorTrace

/// What the reference model makes of cookies, as timelines and findings write it; bytes of the peers are escaped.
enum CookieText {
    /// One line; what differs follows in ``details(of:)-(CookieVerdict)``.
    static func sentence(_ verdict: CookieVerdict) -> String {
        let came =
            verdict.sent.isEmpty ? "no Cookie" : "Cookie: " + verdict.sent.map { text($0) }.joined(separator: ", ")
        guard verdict.differences.isEmpty else {
            let kinds = verdict.differences.map(\.kind.rawValue).joined(separator: ", ")
            return "\(came), and not as expected: \(kinds)\(openReplies(verdict))"
        }
        guard verdict.conformsTo.count == 1, let edition = verdict.conformsTo.first else {
            return "\(came), as expected\(openReplies(verdict))"
        }
        return "\(came), as \(name(edition)) alone expects it\(openReplies(verdict))"
    }

    /// What the client may or may not have known; begins with a comma, and is empty where there is nothing.
    private static func openReplies(_ verdict: CookieVerdict) -> String {
        switch verdict.undecidedCount {
        case 0: ""
        case 1: ", with 1 reply that sets cookies left open"
        case let count: ", with \(count) replies that set cookies left open"
        }
    }

    /// Each difference with its sentence and section, and the field that was expected.
    static func details(of verdict: CookieVerdict) -> [String] {
        guard !verdict.differences.isEmpty else { return [] }
        return verdict.differences.map { sentence($0) } + ["expected \(expected(verdict))"]
    }

    /// The sentence with its section; of a cookie's bytes nothing is cut short within reason.
    static func sentence(_ difference: CookieDifference) -> String {
        EventText.printable("\(difference.sentence) (\(difference.section))", limit: 1_000)
    }

    /// `Cookie: a=1`, or that there is to be none.
    static func expected(_ verdict: CookieVerdict) -> String {
        verdict.expected.map { "Cookie: \(text($0))" } ?? "no Cookie field"
    }

    /// `Cookie: a=1`, or that there is none.
    static func sent(_ verdict: CookieVerdict) -> String {
        verdict.sent.isEmpty
            ? "no Cookie field" : verdict.sent.map { "Cookie: \(text($0))" }.joined(separator: ", ")
    }

    /// `2 stored, 1 ignored`, in the order in which outcomes first come.
    static func sentence(_ notes: [SetCookieNote]) -> String {
        var counts: [(outcome: SetCookieNote.Outcome, count: Int)] = []
        for note in notes {
            if let index = counts.firstIndex(where: { $0.outcome == note.outcome }) {
                counts[index].count += 1
            } else {
                counts.append((note.outcome, 1))
            }
        }
        return "Set-Cookie: " + counts.map { "\($0.count) \($0.outcome.rawValue)" }.joined(separator: ", ")
    }

    /// What becomes of each field, and below it why.
    static func details(of notes: [SetCookieNote]) -> [String] {
        notes.flatMap { note in
            let revised = note.revisedOutcome.map {
                " by \(name(.rfc6265)), \($0.rawValue) by \(name(.rfc6265bis))"
            }
            return ["\(WireText.quoted(note.field)) \(note.outcome.rawValue)\(revised ?? "")"]
                + note.remarks.map { "  " + EventText.printable($0, limit: 1_000) }
        }
    }

    /// One line that names the editions by which all cookies of a run are right; none where there is no such edition.
    static func met(_ editions: [CookieEdition]) -> [String] {
        editions.isEmpty ? [] : ["cookies: right by \(editions.map(name).joined(separator: " and "))"]
    }

    /// As people call it.
    static func name(_ edition: CookieEdition) -> String {
        switch edition {
        case .rfc6265: "RFC 6265"
        case .rfc6265bis: "RFC 6265bis"
        }
    }

    private static func text(_ bytes: [UInt8]) -> String { WireText.of(bytes, limit: 500) }
}
