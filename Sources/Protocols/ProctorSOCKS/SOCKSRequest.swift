/// What a client of SOCKS asks its proxy for.
package struct SOCKSRequest: Sendable, Hashable {
    package var version: SOCKSVersion
    /// 1 CONNECT, 2 BIND, 3 UDP ASSOCIATE (RFC 1928 §4); SOCKS 4 has the first two.
    package var command: UInt8
    package var destination: SOCKSAddress
    package var port: UInt16
    /// USERID of SOCKS 4; empty in SOCKS 5.
    package var user: [UInt8]

    package init(
        _ version: SOCKSVersion, command: UInt8 = SOCKSRequest.connect, _ destination: SOCKSAddress, port: UInt16,
        user: [UInt8] = []
    ) {
        (self.version, self.command, self.destination, self.port) = (version, command, destination, port)
        self.user = user
    }

    package static let connect: UInt8 = 1
    package static let bind: UInt8 = 2
    package static let associate: UInt8 = 3

    /// `connect`, `bind`, `udp-associate`, or the number.
    package var commandText: String {
        switch command {
        case Self.connect: "connect"
        case Self.bind: "bind"
        case Self.associate: "udp-associate"
        default: "\(command)"
        }
    }

    /// Host and port as in the authority-form of HTTP, `home.example.org:443` or `[::1]:80`.
    package var authority: [UInt8] { destination.hostText + Array(":\(port)".utf8) }
}

/// The version that a request is written in; 4a is the extension of 4 that has names.
package enum SOCKSVersion: String, Sendable, CaseIterable {
    case four = "SOCKS4"
    case fourWithName = "SOCKS4a"
    case five = "SOCKS5"
}

/// Where a request leads to: an address that the client has looked up, or a name that the proxy looks up.
package enum SOCKSAddress: Sendable, Hashable {
    /// Four bytes.
    case ipv4([UInt8])
    /// Sixteen bytes.
    case ipv6([UInt8])
    /// 1 to 255 bytes in SOCKS 5.
    case name([UInt8])

    /// `ipv4`, `ipv6` or `name`.
    package var kind: String {
        switch self {
        case .ipv4: "ipv4"
        case .ipv6: "ipv6"
        case .name: "name"
        }
    }

    /// The host as in a URL: an address of IPv6 stands in brackets.
    package var hostText: [UInt8] {
        switch self {
        case .ipv4(let bytes): Array(bytes.map(String.init).joined(separator: ".").utf8)
        case .ipv6(let bytes): Array("[\(Self.ipv6Text(bytes))]".utf8)
        case .name(let bytes): bytes
        }
    }

    /// The canonical text (RFC 5952 §4): the first longest run of zeros is shortened, letters are in lower case.
    private static func ipv6Text(_ bytes: [UInt8]) -> String {
        let groups = stride(from: 0, to: min(bytes.count, 16) & ~1, by: 2).map {
            UInt16(bytes[$0]) << 8 | UInt16(bytes[$0 + 1])
        }
        var longest = 0..<0
        var start = 0
        while start < groups.count {
            var end = start
            while end < groups.count, groups[end] == 0 { end += 1 }
            if end - start > longest.count, end - start > 1 { longest = start..<end }
            start = max(end, start + 1)
        }
        func text(_ groups: ArraySlice<UInt16>) -> String {
            groups.map { String($0, radix: 16) }.joined(separator: ":")
        }
        guard !longest.isEmpty else { return text(groups[...]) }
        return "\(text(groups[..<longest.lowerBound]))::\(text(groups[longest.upperBound...]))"
    }
}

/// How a client of SOCKS 5 may say who it is (RFC 1928 §3).
package enum SOCKSMethod {
    package static let none: UInt8 = 0x00
    package static let gssapi: UInt8 = 0x01
    package static let password: UInt8 = 0x02
    /// What a server selects when none of the offered ones is acceptable.
    package static let unacceptable: UInt8 = 0xFF

    /// The words of the methods that have one, with their numbers.
    package static let words: [(word: String, method: UInt8)] = [
        ("none", none), ("gssapi", gssapi), ("password", password), ("unacceptable", unacceptable),
    ]

    /// `none`, `gssapi`, `password`, `unacceptable`, or the number.
    package static func text(_ method: UInt8) -> String {
        words.first { $0.method == method }?.word ?? "\(method)"
    }
}

/// The codes of replies (RFC 1928 §6, and the document of SOCKS 4).
package enum SOCKSCode {
    package static let words: [(word: String, code: UInt8)] = [
        ("succeeded", 0), ("general-failure", 1), ("not-allowed", 2), ("network-unreachable", 3),
        ("host-unreachable", 4), ("connection-refused", 5), ("ttl-expired", 6), ("command-not-supported", 7),
        ("address-type-not-supported", 8), ("granted", 90), ("rejected", 91), ("no-identd", 92),
        ("identd-differs", 93),
    ]

    /// `host-unreachable`, or the number.
    package static func text(_ code: UInt8) -> String { words.first { $0.code == code }?.word ?? "\(code)" }

    /// The code with which a version of SOCKS says it: SOCKS 4 has one for every failure.
    package static func code(_ code: UInt8, in version: SOCKSVersion) -> UInt8 {
        guard version != .five else { return code }
        return code == 0 ? 90 : 91
    }
}

extension SOCKSAddress {
    /// An address of IPv4 or IPv6; anything else is a name.
    package init(written text: String) {
        let parts = text.split(separator: ".", omittingEmptySubsequences: false).map { UInt8($0) }
        if parts.count == 4, !parts.contains(nil) {
            self = .ipv4(parts.compactMap(\.self))
        } else {
            self = Self.groups(text).map { .ipv6($0) } ?? .name(Array(text.utf8))
        }
    }

    private static func groups(_ text: String) -> [UInt8]? {
        guard text.contains(":") else { return nil }
        let groups = text.split(separator: ":", omittingEmptySubsequences: false)
        let numbers = groups.compactMap { $0.isEmpty ? nil : UInt16($0, radix: 16) }
        guard numbers.count == groups.count(where: { !$0.isEmpty }), numbers.count <= 8 else { return nil }
        let before = groups.prefix { !$0.isEmpty }.count
        let missing = [UInt16](repeating: 0, count: 8 - numbers.count)
        return (numbers.prefix(before) + missing + numbers.dropFirst(before)).flatMap {
            [UInt8($0 >> 8), UInt8($0 & 0xFF)]
        }
    }
}
