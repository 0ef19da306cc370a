import ProctorBase
import ProctorHTTP
import ProctorJournal

/// Bytes of the peer and numbers, as findings and timelines show them.
enum WireText {
    /// UTF-8 without control characters as it is, else escaped as `\xHH`.
    static func of(_ bytes: some Collection<UInt8>, limit: Int = 200) -> String {
        guard bytes.count <= limit, bytes.allSatisfy({ $0 >= 0x20 && $0 != 0x7F }),
            let text = String(validating: bytes, as: UTF8.self)
        else { return EscapedText.of(bytes, limit: limit) }
        return text
    }

    /// The text in quotes, as ``QuotedText`` chooses them.
    static func quoted(_ bytes: some Collection<UInt8>, limit: Int = 200) -> String {
        QuotedText.of(of(bytes, limit: limit))
    }

    /// Without `.0` where it is whole, with three decimals else.
    static func number(_ value: Double) -> String {
        if let whole = Int(exactly: value) { return String(whole) }
        guard value.magnitude < 1e12 else { return "\(value)" }
        let thousandths = Int((value * 1000).rounded())
        let fraction = String(thousandths.magnitude % 1000)
        let sign = thousandths < 0 ? "-" : ""
        return "\(sign)\(thousandths.magnitude / 1000).\(String(repeating: "0", count: 3 - fraction.count))\(fraction)"
    }
}

/// Lines below a finding, in the form in which a diagnosis of an expression prints its own.
enum LabelledText {
    /// `  label   : text`, and further lines below the first.
    static func lines(_ label: String, _ lines: [String]) -> [String] {
        lines.enumerated().map { index, line in
            let head = index == 0 ? label : ""
            let gap = String(repeating: " ", count: max(0, 8 - head.count))
            return "  \(head)\(gap)\(index == 0 ? ": " : "  ")\(line)"
        }
    }
}

/// Bytes that belong to no request that was read, as timelines and findings tell of them.
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

    /// Half a sentence.
    static func wanted(_ expected: ExpectedBytes) -> String {
        let place = expected.metByteCount == 0 ? "" : " behind the first \(expected.metByteCount)"
        guard let wanted = expected.wanted else { return "\(Plural.count(expected.byteCount, "byte"))" }
        return "\(WireText.quoted(wanted, limit: limit))\(place)"
    }

    /// Half a sentence.
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
    /// Behind a count of bytes.
    fileprivate var phrase: String {
        switch self {
        case .refused: "that were refused"
        case .unfinished: "of what was not whole"
        case .behind: "behind the last request"
        case .late: "of a body behind its reply"
        case .opaque: "that are no HTTP"
        }
    }
}

/// What the journal says of TLS, in a line for a person; names that came from the peer are escaped.
enum TLSText {
    static func of(_ hello: ClientHelloNote) -> String {
        let name = hello.serverName.map { " for \(text($0))" } ?? ""
        let protocols = hello.applicationProtocols.isEmpty ? "" : ", \(list(hello.applicationProtocols))"
        let count = Plural.count(hello.cipherSuites.count, "cipher suite")
        return "ClientHello\(name): TLS \(list(hello.versions)), \(count)\(protocols)"
    }

    static func of(_ handshake: HandshakeNote) -> String {
        let group = handshake.group.map { ", \(text($0))" } ?? ""
        let chosen = handshake.applicationProtocol.map { ", \(text($0))" } ?? ""
        let client = handshake.clientCertificate.map { ", client \(text($0))" } ?? ""
        let how = handshake.isResumed ? ", resumed" : ", certificate \(text(handshake.certificate))"
        return
            "secured by TLS \(text(handshake.version)), \(text(handshake.cipherSuite))\(group)\(chosen)\(how)\(client)"
    }

    static func of(_ alert: AlertNote) -> String {
        "alert \(alert.number) (\(text(alert.name))) \(alert.party == .client ? "from the client" : "sent")"
            + (alert.isFatal ? ", fatal" : "")
    }

    static func failure(_ moment: String, _ reason: String) -> String {
        "handshake failed (\(text(moment))): \(text(reason, limit: 500))"
    }

    /// The first eight, and how many follow.
    private static func list(_ texts: [String]) -> String {
        let shown = texts.prefix(8).map { text($0) }.joined(separator: " ")
        return texts.count > 8 ? "\(shown) and \(texts.count - 8) more" : shown
    }

    private static func text(_ text: String, limit: Int = 100) -> String { EventText.printable(text, limit: limit) }
}

/// What a guard said, as timelines and findings write it.
enum GuardText {
    /// One sentence; what was wrong follows in ``details(of:)``.
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

    /// Each fault and remark with its sentence and section, one a line; nothing that came is cut short within reason.
    static func details(of verdict: GuardVerdict) -> [String] {
        verdict.faults.map { text($0.description, limit: 1_000) }
            + verdict.remarks.map { "remark: \(text($0.description, limit: 1_000))" }
    }

    /// `Digest credential 2 of "user", nc 1`.
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
