import ProctorBase
import ProctorHTTP
import ProctorNotation
import ProctorScenario

/// Whether a run shows anything by which the cookies of a client can be judged (RFC 6265 §5.4).
///
/// A request shows what the client keeps when it comes after a reply that sets cookies and whose head the client can have
/// read. Without such a request a client that keeps nothing looks like one that keeps all.
enum CookieEvidence {
    /// Half a sentence that says what did not come; nil where cookies can be judged, or the case asks for none.
    static func reasonNotJudged(in record: WireRecord, item: Case) -> String? {
        guard item.cookies != nil else { return nil }
        guard !record.requests.isEmpty else { return "no request came" }
        if let reason = missingRequest(record, item) { return reason }
        guard let first = record.cookieSettings.first else {
            return record.requests.count > 1 ? nil : "no reply set a cookie, and no request followed the first one"
        }
        let followers = record.requests.filter { $0.sequence > first.sequence }
        let owner = first.request.map { " to request \($0)" } ?? ""
        guard !followers.isEmpty else { return "no request followed the reply\(owner), which sets cookies" }
        guard followers.contains(where: { !leavesAllOpen($0, record) }) else {
            return "every request behind the reply\(owner), which sets cookies, may have begun before it was read"
        }
        return nil
    }

    /// A request that the case waits for, of a load or of a redirect, never came.
    private static func missingRequest(_ record: WireRecord, _ item: Case) -> String? {
        let count = record.requests.count
        guard let wire = item.wire else {
            let loads = Plural.count(item.client.count, "load")
            return count < item.client.count ? "\(loads) brought \(Plural.count(count, "request"))" : nil
        }
        let diagnosis = wire.diagnosis(
            of: record.requests.map(\.symbol), ambient: item.ambient["wire"], terminals: [])
        guard let diagnosis, diagnosis.got == nil, diagnosis.overflow == nil else { return nil }
        return "request \(count), which the case waits for, never came"
    }

    /// Whether the client may have made up the request before it read any of the replies that had set cookies.
    private static func leavesAllOpen(_ request: WireRecord.SeenRequest, _ record: WireRecord) -> Bool {
        guard let verdict = request.cookieVerdict else { return false }
        return verdict.undecidedCount >= record.cookieSettings.count { $0.sequence < request.sequence }
    }
}

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

    /// The edition as people call it.
    static func name(_ edition: CookieEdition) -> String {
        switch edition {
        case .rfc6265: "RFC 6265"
        case .rfc6265bis: "RFC 6265bis"
        }
    }

    private static func text(_ bytes: [UInt8]) -> String { WireText.of(bytes, limit: 500) }
}
