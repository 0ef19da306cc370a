internal import ProctorBase

/// The first line of each side of a connection (Docs/clients/network.md).
///
/// The adapter says who it is and shows the token; the exam answers that it is accepted, or why it is refused.
struct AdapterGreeting {
    let token: String

    /// The most bytes of an adapter's line.
    static let lineLimit = 4_096
    private static let version = 1

    enum Refusal: Equatable {
        /// The line is no greeting; one sentence.
        case otherSpeech(String)
        case otherVersion(String)
        case otherToken

        /// What the adapter is told, and the person who waits for it.
        var sentence: String {
            switch self {
            case .otherSpeech(let what): what
            case .otherVersion(let version):
                "it speaks version \(version) of the greeting; this proctor knows \(AdapterGreeting.version)"
            case .otherToken: "its token is not that of this exam"
            }
        }
    }

    /// nil when the adapter is accepted.
    ///
    /// `line` is without its line feed.
    func refusal(of line: [UInt8]) -> Refusal? {
        guard case .object(let members)? = try? JSONTree.read(line.span), members["adapter"] != nil else {
            return .otherSpeech(
                "it began with \(Self.kind(of: line)), which is no greeting of an adapter; expected "
                    + #"{"adapter": "proctor", "version": 1, "token": "…"} and a line feed"#)
        }
        guard case .number(let number)? = members["version"] else { return .otherVersion("none") }
        let shownVersion = String(decoding: line[number.start..<number.end], as: UTF8.self)
        guard shownVersion == "\(Self.version)" else { return .otherVersion(shownVersion) }
        guard case .text(let shown)? = members["token"], isToken(shown) else { return .otherToken }
        return nil
    }

    /// What a line is, without its bytes, which may hold the token.
    private static func kind(of line: [UInt8]) -> String {
        let methods = ["GET ", "HEAD ", "POST ", "PUT ", "OPTIONS ", "CONNECT ", "PRI "]
        if line.isEmpty { return "an empty line" }
        if line[0] == 0x16 { return "a TLS handshake" }
        if methods.contains(where: { line.starts(with: $0.utf8) }) { return "a request of HTTP" }
        if (try? JSONTree.read(line.span)) != nil { return "JSON without the member 'adapter'" }
        return "\(Plural.count(line.count, "byte")) that are no JSON"
    }

    /// Takes as long for every text of the token's length.
    private func isToken(_ shown: [UInt8]) -> Bool {
        let wanted = Array(token.utf8)
        guard shown.count == wanted.count else { return false }
        return zip(shown, wanted).reduce(UInt8(0)) { $0 | ($1.0 ^ $1.1) } == 0
    }

    /// The line that answers the adapter.
    static func answerLine(_ refusal: Refusal?) -> [UInt8] {
        var text = JSONText()
        text.open("{")
        text.member("proctor", "exam")
        text.member("version", version)
        if let refusal { text.member("refused", refusal.sentence) }
        text.close("}")
        return text.bytes + [0x0A]
    }
}
