internal import ProctorBase
internal import ProctorHTTP
internal import ProctorLoop
internal import ProctorReplies
internal import ProctorScenario
internal import ProctorServing

/// The host by which browsers come to the pages and the control API, and at which no scenario answers.
///
/// Whatever a scenario sends may hold a script, which a browser gives the origin of its URL. Pages have another host,
/// and so another origin (RFC 6454 §4), by which a browser keeps such scripts from them.
package struct PagesHost: Sendable {
    /// In lower case, without a final dot.
    package let name: String
    private let bytes: [UInt8]
    /// No shorter Host can name it.
    let byteCount: Int

    /// Browsers lead names below `localhost` to loopback by themselves (RFC 6761 §6.3).
    package static let usual = "proctor.localhost"

    package init(_ name: String = Self.usual) {
        self.name = name.lowercased()
        bytes = Array(self.name.utf8)
        byteCount = bytes.count
    }

    /// Whether a request is for this host, with whatever port.
    func isNamed(by head: RequestHead) -> Bool {
        // Most requests name a shorter one.
        guard head.hostByteCount >= byteCount || head.form == .absolute else { return false }
        return head.form != .authority && head.askedPlace?.host == bytes
    }

    // MARK: Addresses

    /// The URL of the pages for browsers of this machine, without a slash at its end; nil where the host does not lead
    /// to `address`.
    func base(_ scheme: Scheme, at address: SocketAddress) -> String? {
        guard let host = address.host, let port = address.port else { return nil }
        guard !isLedToLoopback || ["127.0.0.1", "::1", "0.0.0.0", "::"].contains(host) else { return nil }
        return "\(scheme.rawValue)://\(name):\(port)"
    }

    /// The URL of the asked page at this host, for the sender; nil where the host may lead the sender elsewhere.
    func url(of head: RequestHead, _ scheme: Scheme) -> String? {
        guard let place = head.askedPlace, !isLedToLoopback || place.host == bytes || Self.loopback.contains(place.host)
        else { return nil }
        let port = place.port.map { ":\($0)" } ?? ""
        return "\(scheme.rawValue)://\(name)\(port)\(EscapedText.escape(AbsoluteTarget.originForm(of: head.target)))"
    }

    /// The authority at which the sender of a request reaches scenarios.
    func authorityOfScenarios(_ head: RequestHead, at place: SocketAddress) -> String {
        guard isNamed(by: head) else {
            // As in replies, a host that no URL can have is none.
            return head.statedAuthority.map { EscapedText.escape($0) } ?? "localhost"
                + (place.port.map { ":\($0)" } ?? "")
        }
        var host = "localhost"
        if case .ipv4(let address, _) = place, place.isLoopback { host = address }
        if case .ipv6(let address, _) = place, place.isLoopback { host = "[\(address)]" }
        return host + (head.askedPlace?.port.map { ":\($0)" } ?? "")
    }

    private var isLedToLoopback: Bool { name.hasSuffix(".localhost") }

    private static let loopback = ["localhost", "127.0.0.1", "[::1]"].map { Array($0.utf8) }
}

extension RequestHead {
    /// Its host in lower case, without a final dot, and its port; nil where it is none.
    fileprivate var askedPlace: (host: [UInt8], port: Int?)? {
        guard let authority = askedAuthority, let place = HostAndPort(authority.span, in: authority.indices) else {
            return nil
        }
        return (authority[place.host].map(\.asciiLowercased), place.port)
    }
}
