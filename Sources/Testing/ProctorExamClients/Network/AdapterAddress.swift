package import ProctorLoop

/// Where the exam listens for an adapter over the network: `tcp://HOST:PORT`, HOST an address and never a name.
package struct AdapterAddress: Sendable, Equatable, CustomStringConvertible {
    package let socket: SocketAddress

    package static let scheme = "tcp://"

    package init(_ socket: SocketAddress) { self.socket = socket }

    /// nil for a text that is not of this form, or whose port is not from 0 to 65,535; IPv6 stands in brackets.
    package init?(_ text: String) {
        guard text.hasPrefix(Self.scheme) else { return nil }
        let authority = text.dropFirst(Self.scheme.count)
        guard let colon = authority.lastIndex(of: ":") else { return nil }
        let digits = authority[authority.index(after: colon)...]
        guard digits.allSatisfy({ $0.isASCII && $0.isNumber }), let port = UInt16(digits) else { return nil }
        var host = authority[..<colon]
        let isBracketed = host.hasPrefix("[") && host.hasSuffix("]")
        if isBracketed { host = host.dropFirst().dropLast() }
        guard host.contains(":") == isBracketed, let socket = SocketAddress(host: String(host), port: port) else {
            return nil
        }
        self.socket = socket
    }

    package var description: String { Self.scheme + socket.description }

    /// Whether the address means every interface of the machine, and so is none that a client can reach.
    package var isEveryInterface: Bool {
        switch socket {
        case .ipv4(let host, _): host == "0.0.0.0"
        case .ipv6(let host, _): host == "::" || host == "::0"
        case .unix: false
        }
    }
}
