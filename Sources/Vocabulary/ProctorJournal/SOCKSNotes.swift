/// One thing that a client of a SOCKS proxy says before its tunnel (RFC 1928, RFC 1929).
public struct SOCKSNote: Sendable, Equatable {
    package let event: Event

    package enum Event: Sendable, Equatable {
        /// A client of SOCKS 5 has offered methods; the one that was selected.
        case greeting(methods: [String], selected: String)
        /// A user came; the password is not kept.
        case login(user: String, isAccepted: Bool)
        case request(SOCKSRequestNote)
        /// Nothing is read behind a fatal one. The offset counts from the first byte of the connection.
        case violation(ViolationNote, isFatal: Bool)
    }

    package init(_ event: Event) { self.event = event }

    /// For a person.
    package var sentence: String {
        switch event {
        case .greeting(let methods, let selected):
            "SOCKS5 with the methods \(methods.joined(separator: ", ")); selected: \(selected)"
        case .login(let user, let isAccepted): "the user \(user) is \(isAccepted ? "accepted" : "refused")"
        case .request(let request): request.sentence
        case .violation(let violation, _): "\(violation)"
        }
    }
}

/// A request of SOCKS.
package struct SOCKSRequestNote: Sendable, Equatable {
    /// `SOCKS4`, `SOCKS4a` or `SOCKS5`.
    package var version: String
    /// `connect`, `bind`, `udp-associate`, or the number.
    package var command: String
    /// Who looks the name up: `name` leaves it to the proxy, `ipv4` and `ipv6` come from a client that did it.
    package var addressType: String
    package var host: String
    package var port: Int
    /// The user of SOCKS 4; nil in SOCKS 5.
    package var user: String?

    package init(version: String, command: String, addressType: String, host: String, port: Int, user: String?) {
        (self.version, self.command, self.addressType, self.host) = (version, command, addressType, host)
        (self.port, self.user) = (port, user)
    }

    fileprivate var sentence: String {
        "\(version) \(command) to \(host):\(port) (\(addressType))"
            + (user.map { $0.isEmpty ? "" : " for the user \($0)" } ?? "")
    }
}
