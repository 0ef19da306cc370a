package import ProctorBase
package import ProctorTLSWire

/// One scheme, host and port of a scenario.
package struct Origin: Sendable {
    /// `main` for the implicit first origin.
    package let name: String
    /// `server` by default.
    package internal(set) var role = Role.server
    /// Effects before an exchange is chosen, in the order of the file.
    package internal(set) var connectionEffects: [ConnectionEffect] = []
    /// SO_RCVBUF of its connections in bytes; nil: the system's default.
    package internal(set) var receiveBufferByteCount: Int?
    /// Which requests it takes.
    package internal(set) var acceptance = Acceptance.readable
    /// Its limits of a request; nil: the server's.
    package internal(set) var limits: OriginLimits?
    package internal(set) var scheme = Scheme.http
    /// The host of its URLs.
    package internal(set) var host = Host.address
    /// The port of its URLs when the host is a name; nil: the scheme's default.
    package internal(set) var port: Int?
    /// What it listens on.
    package internal(set) var transport = Transport.tcp
    /// Its TLS; nil: none, whatever the scheme says.
    package internal(set) var tls: TLSProgram?
    /// `protocols`, without repetitions and never empty; nil: left out.
    package internal(set) var ownProtocols: [ApplicationProtocol]?
    /// Whether `tls` says what is answered to ALPN, which else is ``protocols``.
    package internal(set) var hasOwnALPN = false
    /// How it speaks HTTP/2, where the fixture says so.
    package internal(set) var http2 = HTTP2Behaviour()
    /// Where its certificate is named; the place of the origin's name by default.
    package let certificateLocation: SourceLocation
    /// Where its name is written; the scenario for an implicit one.
    package let location: SourceLocation

    /// The schemes of URLs that an origin can have.
    package enum Scheme: String, Sendable, CaseIterable { case http, https }

    /// Which requests an origin takes.
    package enum Acceptance: String, Sendable, CaseIterable {
        /// Unambiguous requests (RFC 9112); others are refused with an error status.
        case readable
        /// Anything with a method and a target.
        case anything
    }

    /// What the origin's port does.
    package enum Role: String, Sendable, CaseIterable {
        /// Listens and plays exchanges.
        case server
        /// A server that takes absolute-form targets of any authority, and CONNECT.
        case proxy
        /// The port is reserved without a listening socket: connections are refused.
        case closed
        /// Listens and never accepts: TCP connects, but nothing is read.
        case unaccepting
        /// Listens with a full queue: connecting neither succeeds nor fails.
        case unreachable
    }
}

/// Limits for one request instead of the server's; nil: the server's.
package struct OriginLimits: Sendable, Equatable {
    /// Bytes of the target, and of each field line with its line end.
    package let lineByteCount: Int?
    /// Bytes of the whole head.
    package let headByteCount: Int?
    /// Field lines.
    package let fieldCount: Int?
}

package struct ConnectionEffect: Sendable {
    /// The action happens just before it.
    package let position: Position
    package let action: Effect.Action
    /// 0-based indexes of the origin's connections; nil: all.
    package let connections: ClosedRange<Int>?
    /// 0-based indexes of a connection's requests; nil: all; ignored at `accept`.
    package let requests: ClosedRange<Int>?
    package let location: SourceLocation

    /// Positions of a connection before an exchange is chosen.
    package enum Position: Sendable, Equatable {
        /// Right after the connection was accepted.
        case accept
        /// In the server's part of the TLS handshake.
        case handshake(HandshakePosition)
        /// Behind the server's first SETTINGS, where HTTP/2 is spoken.
        case preface
        /// Before byte N of a request's head, from 0 for each request.
        case requestHead(Int)
        /// Before byte N of a request's body as framed.
        case requestBody(Int)
    }

    package typealias HandshakePosition = ProctorTLSWire.HandshakePosition
}

extension Origin {
    /// The host of an origin's URLs, which needs no name server.
    package enum Host: Sendable, Equatable {
        /// The listening address; TLS clients send no server name for it (RFC 6066 §3).
        case address
        /// 127.0.0.1, whatever address the run has.
        case loopback
        case localhost
        /// Another address of this machine, which is another host for cookies and credentials.
        case otherAddress
        /// The loopback address of IPv6.
        case ipv6
        /// A DNS name in lower case without a trailing dot; the client is told its address (``Assignment/NamedHost``)
        /// or uses a proxy.
        case name(String)
    }

    /// The kind of socket that an origin listens on.
    package enum Transport: String, Sendable, CaseIterable {
        case tcp
        /// A Unix domain socket.
        case unix
    }

    /// nil for an address or `localhost`.
    package var hostName: String? {
        guard case .name(let name) = host else { return nil }
        return name
    }

    /// The port of its URLs when the host is a name.
    package var namedPort: Int { port ?? scheme.defaultPort }

    /// Host and port of its URLs; `address` is the listening one: `127.0.0.1:40000` or `[::1]:40000`.
    package func authority(at address: String) -> String {
        switch host {
        case .address, .loopback, .otherAddress, .ipv6: return address
        case .localhost:
            guard let colon = address.lastIndex(of: ":") else { return address }
            return "localhost" + address[colon...]
        case .name(let name): return namedPort == scheme.defaultPort ? name : "\(name):\(namedPort)"
        }
    }
}

extension Origin.Scheme {
    /// RFC 9110 §4.2.1, §4.2.2.
    package var defaultPort: Int { self == .http ? 80 : 443 }
}
