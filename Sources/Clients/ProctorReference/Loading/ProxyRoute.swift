internal import ProctorBase
package import ProctorHTTP
internal import ProctorLoop
package import ProctorSOCKS

/// The hosts that a client reaches without its proxy, as an application lists them.
///
/// No document defines the entries of `no_proxy`. Here `*` is every host; a name is itself and every name below it, with
/// or without a dot before it; an address is itself, of IPv6 with or without brackets, or with `/` and a number of bits
/// a network. A port behind a name or an address restricts the entry to that port. What is none of these names no host.
package struct ProxyExceptions: Sendable, Equatable {
    private let entries: [Entry]

    private enum Entry: Sendable, Equatable {
        case every
        case name(String, port: Int?)
        case network([UInt8], bits: Int, port: Int?)
    }

    /// Reads the entries, in any letter case.
    package init(_ texts: [String]) {
        entries = texts.compactMap { Self.entry($0.lowercased()) }
    }

    /// Whether requests for the origin do not use the proxy.
    package func contain(_ origin: Origin) -> Bool {
        guard !entries.isEmpty else { return false }
        let host = origin.undottedHost
        let address = SocketAddress(host: host, port: 0)?.hostBytes
        return entries.contains { entry in
            switch entry {
            case .every: return true
            case .name(let name, let port):
                guard address == nil, port ?? origin.port == origin.port else { return false }
                return host == name || host.hasSuffix("." + name)
            case .network(let network, let bits, let port):
                guard let address, address.count == network.count, port ?? origin.port == origin.port else {
                    return false
                }
                return Self.hasPrefix(address, network, bits: bits)
            }
        }
    }

    private static func hasPrefix(_ address: [UInt8], _ network: [UInt8], bits: Int) -> Bool {
        zip(address, network).enumerated().allSatisfy { index, pair in
            let left = min(8, max(0, bits - index * 8))
            return (pair.0 ^ pair.1) >> (8 - left) == 0
        }
    }

    private static func entry(_ text: String) -> Entry? {
        if text == "*" { return .every }
        if let slash = text.lastIndex(of: "/") {
            let host = unbracketed(text[..<slash])
            guard let network = SocketAddress(host: host, port: 0)?.hostBytes,
                let bits = Int(text[text.index(after: slash)...]), 0...network.count * 8 ~= bits
            else { return nil }
            return .network(network, bits: bits, port: nil)
        }
        var (host, port) = (text[...], Int?.none)
        if SocketAddress(host: text, port: 0) == nil, let colon = text.lastIndex(of: ":"),
            let number = UInt16(text[text.index(after: colon)...])
        {
            (host, port) = (text[..<colon], Int(number))
        }
        if let address = SocketAddress(host: unbracketed(host), port: 0)?.hostBytes {
            return .network(address, bits: address.count * 8, port: port)
        }
        if host.hasPrefix(".") { host.removeFirst() }
        if host.hasSuffix(".") { host.removeLast() }
        return host.isEmpty ? nil : .name(String(host), port: port)
    }

    private static func unbracketed(_ host: Substring) -> String {
        host.hasPrefix("[") && host.hasSuffix("]") ? String(host.dropFirst().dropLast()) : String(host)
    }
}

/// One way to a server.
package enum ProxyRoute: Sendable, Equatable {
    case direct
    case proxy(Origin)
    case socks(SOCKSProxy)

    var socks: SOCKSProxy? { if case .socks(let proxy) = self { proxy } else { nil } }
}

/// Finds the ways to a URL; throws where the load is to fail at once.
package typealias RouteFinding = @Sendable (_ url: ClientURL) throws(LoadError) -> [ProxyRoute]
