internal import ProctorBase
internal import ProctorLoop

/// Where a listener is: an http URL at an address of this machine.
struct ListenerURL: Sendable {
    /// As it was given, for the journal.
    let text: String
    let address: SocketAddress
    /// Host and port as the URL has them.
    let authority: [UInt8]
    /// Path and query.
    let target: [UInt8]

    private static let byteLimit = 2_000
    static let scheme = Array("http://".utf8)

    /// Throws why nothing is sent there, a sentence.
    init(_ bytes: [UInt8]) throws(WebhookFailure) {
        text = EscapedText.escape(bytes, limit: 300)
        guard bytes.count <= Self.byteLimit else {
            throw WebhookFailure(
                sentence: "the URL of its listener has \(bytes.count) bytes; at most \(Self.byteLimit) are permitted")
        }
        let scheme = Self.scheme
        guard bytes.starts(with: scheme), bytes.allSatisfy({ $0 > 0x20 && $0 < 0x7F }) else {
            throw WebhookFailure(
                sentence: "the URL of its listener is \"\(text)\"; expected one like http://127.0.0.1:8080/hook")
        }
        let rest = bytes[scheme.count...]
        let authority = Array(rest.prefix { !"/?#".utf8.contains($0) })
        let path = Array(rest.dropFirst(authority.count).prefix { $0 != UInt8(ascii: "#") })
        target = path.first == UInt8(ascii: "/") ? path : [UInt8(ascii: "/")] + path
        self.authority = authority
        guard let address = Self.address(of: String(decoding: authority, as: UTF8.self)) else {
            throw WebhookFailure(
                sentence:
                    "the listener is at \"\(EscapedText.escape(authority, limit: 100))\"; webhooks go to 127.0.0.1 and "
                    + "other addresses of 127.0.0.0/8, to [::1] and to localhost alone, with a port")
        }
        self.address = address
    }

    /// nil for what is no loopback address; nothing is resolved.
    private static func address(of authority: String) -> SocketAddress? {
        guard let colon = authority.lastIndex(of: ":"), let port = UInt16(authority[authority.index(after: colon)...]),
            port > 0
        else { return nil }
        let host = authority[..<colon]
        if host.lowercased() == "localhost" { return .ipv4(host: "127.0.0.1", port: port) }
        if host == "[::1]" { return .ipv6(host: "::1", port: port) }
        let parts = host.split(separator: ".", omittingEmptySubsequences: false)
        let numbers = parts.compactMap { part in part.utf8.allSatisfy(\.isASCIIDigit) ? UInt8(part) : nil }
        guard parts.count == 4, numbers.count == 4, numbers[0] == 127 else { return nil }
        return SocketAddress(hostBytes: numbers, port: port)
    }
}
