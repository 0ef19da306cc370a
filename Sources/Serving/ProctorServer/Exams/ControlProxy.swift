import ProctorProgram

/// A proxy that a control asks by, so that a client to whom every such proxy is closed is noticed.
struct ControlProxy: Hashable, Sendable {
    /// What is spoken to the proxy, as `proxyProtocol` of an assignment says it; `http` where that is missing.
    let word: String
    /// The keys of the proxy in a fixture.
    private let keys: String

    private init(_ word: String, _ keys: String) {
        self.word = word
        self.keys = keys
    }

    /// All that an assignment can ask for.
    static let all = [
        ControlProxy("http", ""),
        ControlProxy("h2", ", protocols: [h2]"),
        ControlProxy("https", ", scheme: https"),
        ControlProxy("https-h2", ", scheme: https, protocols: [h2]"),
        ControlProxy("socks5", ", socks: { versions: [5] }"),
        ControlProxy("socks5h", ", socks: { versions: [5] }"),
        ControlProxy("socks4", ", socks: { versions: [4] }"),
        ControlProxy("socks4a", ", socks: { versions: [4] }"),
    ]

    /// nil for a session without a proxy.
    init?(of session: SessionSetup) {
        let word = session.proxyProtocol?.rawValue ?? "http"
        guard session.proxy != nil, let proxy = Self.all.first(where: { $0.word == word }) else { return nil }
        self = proxy
    }

    /// The host of the origin, which no client takes for one that it reaches without its proxy, and the proxy.
    var origins: String { ", host: control.example.org }, proxy: { role: proxy\(keys)" }

    /// What the program says of its session.
    var session: String {
        let speaks = word.hasPrefix("socks") ? ", proxyProtocol: \(word)" : ""
        return ", session: { proxy: proxy\(speaks) }"
    }
}
