import ProctorBase
import ProctorHTTP
import ProctorJournal
import ProctorScenario

/// Describes bytes that belong to no readable request, for timelines and findings.
enum ReceivedText {
    private static let limit = 60

    static func sentence(_ received: ReceivedBytes) -> String {
        let count = Plural.count(received.byteCount, "byte")
        return "\(count) \(received.kind.phrase): \(WireText.quoted(received.kept, limit: limit))"
    }

    static func sentence(_ expected: ExpectedBytes) -> String {
        expected.outcome == .met
            ? "\(Plural.count(expected.byteCount, "byte")) came as expected"
            : "wanted \(wanted(expected)), got \(got(expected))"
    }

    /// The expected bytes, half a sentence.
    static func wanted(_ expected: ExpectedBytes) -> String {
        let place = expected.metByteCount == 0 ? "" : " behind the first \(Plural.count(expected.metByteCount, "byte"))"
        guard let wanted = expected.wanted else { return "\(Plural.count(expected.byteCount, "byte"))" }
        return "\(WireText.quoted(wanted, limit: limit))\(place)"
    }

    /// The received bytes, half a sentence.
    static func got(_ expected: ExpectedBytes) -> String {
        let came = "\(expected.metByteCount) of \(Plural.count(expected.byteCount, "byte"))"
        return switch expected.outcome {
        case .met: "them"
        case .differed: WireText.quoted(expected.got, limit: limit)
        case .ended: "\(came), and the end of the connection"
        case .timedOut: "\(came) in time"
        }
    }
}

extension ReceivedBytes.Kind {
    /// The words after a count of bytes.
    fileprivate var phrase: String {
        switch self {
        case .refused: "that were refused"
        case .unfinished: "of what was not whole"
        case .behind: "behind the last request"
        case .late: "of a body behind its reply"
        case .opaque: "after the last step of the reply, which were not read"
        }
    }
}

/// The journal's TLS notes, each in one line for a person; names that came from the peer are escaped.
enum TLSText {
    static func hello(_ hello: ClientHelloNote) -> String {
        let name = hello.serverName.map { " for \(text($0))" } ?? ""
        let protocols = hello.applicationProtocols.isEmpty ? "" : ", \(list(hello.applicationProtocols))"
        let count = Plural.count(hello.cipherSuites.count, "cipher suite")
        return "ClientHello\(name): TLS \(list(hello.versions)), \(count)\(protocols)"
    }

    static func handshake(_ handshake: HandshakeNote) -> String {
        let group = handshake.group.map { ", \(text($0))" } ?? ""
        let chosen = handshake.applicationProtocol.map { ", \(text($0))" } ?? ""
        let client = handshake.clientCertificate.map { ", client \(text($0))" } ?? ""
        let how = handshake.isResumed ? ", resumed" : ", certificate \(text(handshake.certificate))"
        return
            "secured by TLS \(text(handshake.version)), \(text(handshake.cipherSuite))\(group)\(chosen)\(how)\(client)"
    }

    static func alert(_ alert: AlertNote) -> String {
        "alert \(alert.number) (\(text(alert.name))) \(alert.party == .client ? "from the client" : "sent")"
            + (alert.isFatal ? ", fatal" : "")
    }

    static func failure(_ moment: String, _ reason: String) -> String {
        "handshake failed (\(text(moment))): \(text(reason, limit: 500))"
    }

    private static func list(_ texts: [String]) -> String {
        let shown = texts.prefix(8).map { text($0) }.joined(separator: " ")
        return texts.count > 8 ? "\(shown) and \(texts.count - 8) more" : shown
    }

    private static func text(_ text: String, limit: Int = 100) -> String { EventText.printable(text, limit: limit) }
}

enum GuardText {
    /// One sentence; ``details(of:)`` has the faults.
    static func sentence(_ verdict: GuardVerdict) -> String {
        let name = "guard \(text(GuardVerdict.shown(verdict.guardName)))"
        switch verdict.outcome {
        case .admitted:
            return verdict.isOfCredential
                ? "\(name) admits \(credential(verdict))"
                : "\(name) admits the request: its connection was admitted before"
        case .challenged: return "\(name) asks for \(text(verdict.field))"
        case .refused: return "\(name) refuses \(credential(verdict))\(kinds(verdict))"
        case .stale: return "\(name) gives a fresh nonce: only that of \(credential(verdict)) is too old"
        case .continued: return "\(name) answers \(credential(verdict)) with its own"
        case .gaveUp:
            guard verdict.isOfCredential else { return "\(name) asks no more" }
            return "\(name) refuses \(credential(verdict)) and asks no more\(kinds(verdict))"
        }
    }

    /// Each fault and remark with its sentence and section, one a line; the peer's bytes are shortened only when very
    /// long.
    static func details(of verdict: GuardVerdict) -> [String] {
        [verdict.message].compactMap { $0.map { text($0, limit: 1_000) } }
            + verdict.faults.map { text($0.description, limit: 1_000) }
            + verdict.remarks.map { "remark: \(text($0.description, limit: 1_000))" }
    }

    static func credential(_ verdict: GuardVerdict) -> String {
        let scheme = verdict.scheme.map { "\(text($0)) " } ?? ""
        let kind = verdict.outcome == .continued ? "message" : "credential"
        let user = verdict.user.map { " of \(WireText.quoted($0.utf8))" } ?? ""
        let count = verdict.nonceCount.map { ", nc \($0)" } ?? ""
        return "\(scheme)\(kind) \(verdict.attempt)\(user)\(count)"
    }

    private static func kinds(_ verdict: GuardVerdict) -> String {
        let kinds = verdict.faults.map(\.kind.rawValue)
        return kinds.isEmpty ? "" : ": \(kinds.joined(separator: ", "))"
    }

    private static func text(_ text: String, limit: Int = 200) -> String { EventText.printable(text, limit: limit) }
}

/// The reference model's verdict on cookies in words for timelines and findings; bytes of the peers are escaped.
enum CookieText {
    /// The verdict in one line; ``details(of:)-(CookieVerdict)`` has the differences.
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

    /// Replies that the client may or may not have read; begins with a comma, and is empty when there are none.
    private static func openReplies(_ verdict: CookieVerdict) -> String {
        switch verdict.undecidedCount {
        case 0: ""
        case 1: ", with 1 reply that sets cookies left open"
        case let count: ", with \(count) replies that set cookies left open"
        }
    }

    /// Each difference with its sentence and section, and the expected field.
    static func details(of verdict: CookieVerdict) -> [String] {
        guard !verdict.differences.isEmpty else { return [] }
        return verdict.differences.map { sentence($0) } + ["expected \(expected(verdict))"]
    }

    /// The sentence with its section; a cookie's bytes are shortened only when very long.
    static func sentence(_ difference: CookieDifference) -> String {
        EventText.printable("\(difference.sentence) (\(difference.section))", limit: 1_000)
    }

    static func expected(_ verdict: CookieVerdict) -> String {
        verdict.expected.map { "Cookie: \(text($0))" } ?? "no Cookie field"
    }

    static func sent(_ verdict: CookieVerdict) -> String {
        verdict.sent.isEmpty ? "no Cookie field" : verdict.sent.map { "Cookie: \(text($0))" }.joined(separator: ", ")
    }

    /// `2 stored, 1 ignored`, in the order in which the outcomes first occur.
    static func outcomes(_ notes: [SetCookieNote]) -> String {
        let counts = notes.grouped(by: \.outcome).map { "\($0.elements.count) \($0.key.rawValue)" }
        return "Set-Cookie: " + counts.joined(separator: ", ")
    }

    static func details(of notes: [SetCookieNote]) -> [String] {
        notes.flatMap { note in
            let revised = note.revisedOutcome.map { " by \(name(.rfc6265)), \($0.rawValue) by \(name(.rfc6265bis))" }
            return ["\(WireText.quoted(note.field)) \(note.outcome.rawValue)\(revised ?? "")"]
                + note.remarks.map { "  " + EventText.printable($0, limit: 1_000) }
        }
    }

    /// One line with the editions by which all cookies of a run are right; none when there is no such edition.
    static func met(_ editions: [CookieEdition]) -> [String] {
        editions.isEmpty ? [] : ["cookies: right by \(editions.map(name).joined(separator: " and "))"]
    }

    static func name(_ edition: CookieEdition) -> String {
        switch edition {
        case .rfc6265: "RFC 6265"
        case .rfc6265bis: "RFC 6265bis"
        }
    }

    private static func text(_ bytes: [UInt8]) -> String { WireText.escaped(bytes, limit: 500) }
}
