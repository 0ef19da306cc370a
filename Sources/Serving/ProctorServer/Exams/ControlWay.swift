import ProctorProgram

/// How the plain load of a control comes to its server.
///
/// A client may find no host by its name, or fail with every proxy of one kind. Only a control that goes the same way
/// shows it.
struct ControlWay: Hashable, Sendable {
    /// The end of the control's name.
    let suffix: String
    /// The text of the fixture behind the first keys of the main origin: its host, and the proxy where there is one.
    let origins: String
    /// The text of the fixture behind the last key of the program: the proxy of its session.
    let session: String
    /// The way in words, for a sentence; begins with a space.
    let words: String

    /// To an address.
    static let straight = ControlWay(suffix: "", origins: "", session: "", words: "")
    /// To a host with a name.
    private static let named = ControlWay(
        suffix: "-of-a-name", origins: named(""), session: "", words: " of a host with a name")

    /// The words of `proxyProtocol` in an assignment, and the keys of such a proxy in a fixture.
    private static let proxies = [
        ("http", ""), ("h2", ", protocols: [h2]"), ("https", ", scheme: https"),
        ("https-h2", ", scheme: https, protocols: [h2]"), ("socks5", ", socks: { versions: [5] }"),
        ("socks5h", ", socks: { versions: [5] }"), ("socks4", ", socks: { versions: [4] }"),
        ("socks4a", ", socks: { versions: [4] }"),
    ]

    static let all = [straight, named] + proxies.map(ControlWay.init)

    private static func named(_ others: String) -> String { ", host: control.example.org\(others)" }

    private static func suffix(proxy word: String) -> String { "-through-\(word)" }
}

extension ControlWay {
    private init(proxy word: String, keys: String) {
        // Of the other kinds the keys of the proxy say what it speaks.
        let speaks = word.hasPrefix("socks") ? ", proxyProtocol: \(word)" : ""
        self.init(
            suffix: Self.suffix(proxy: word), origins: Self.named(" }, proxy: { role: proxy\(keys)"),
            session: ", session: { proxy: proxy\(speaks) }", words: " through a proxy (\(word))")
    }

    /// The way of a session's loads; a proxy finds hosts itself.
    init(of session: SessionSetup) {
        let suffix = session.proxy.map { _ in Self.suffix(proxy: session.proxyProtocol?.rawValue ?? "http") }
        self = Self.all.first { $0.suffix == suffix } ?? (session.names?.isEmpty == false ? .named : .straight)
    }
}
