public import ProctorBase
public import ProctorTLSWire

/// One scheme, host and port of a scenario.
public struct Origin: Sendable {
    /// `main` for the implicit first one.
    public let name: String
    /// `server` when the file says nothing.
    public let role: Role
    /// Effects before an exchange is known, in the order of the file.
    public let connectionEffects: [ConnectionEffect]
    /// SO_RCVBUF of its connections in bytes; nil: the system's own.
    public let receiveBufferByteCount: Int?
    /// Which requests it takes.
    public let acceptance: Acceptance
    /// What it takes of one request; nil: what the server does.
    public let limits: OriginLimits?
    /// Of its URLs.
    public let scheme: Scheme
    /// What its URLs call the machine.
    public let host: Host
    /// Of its URLs, where the host is a name; nil: that of the scheme.
    public let port: Int?
    /// What it listens on.
    public let transport: Transport
    /// How TLS is spoken there; nil: it is not, whatever the scheme says.
    public let tls: TLSProgram?
    /// Where the name of its certificate stands; where its own stands, when the file says nothing.
    public let certificateLocation: SourceLocation
    /// Where its name stands; the scenario itself for an implicit one.
    public let location: SourceLocation

    /// The schemes of URLs that an origin can have.
    public enum Scheme: String, Sendable, CaseIterable { case http, https }

    /// Which requests an origin takes.
    public enum Acceptance: String, Sendable, CaseIterable {
        /// Those that RFC 9112 has one reading of; others are refused with 400 or another status.
        case readable
        /// Whatever has a method and a target.
        case anything
    }

    /// What happens at the port.
    public enum Role: String, Sendable, CaseIterable {
        /// Listens and plays exchanges.
        case server
        /// Like a server, for requests that a client sends to a proxy: the absolute-form of any authority, and CONNECT.
        case proxy
        /// Its port is taken, and no socket listens: a connection attempt is refused.
        case closed
        /// Listens and never accepts: the system answers the handshake of TCP, and nothing is ever read.
        case unaccepting
        /// Listens with a queue that is full: connecting neither succeeds nor fails.
        case unreachable
    }

    /// One entry of `origins:`, or the implicit one.
    public init(
        name: String, role: Role, connectionEffects: [ConnectionEffect], receiveBufferByteCount: Int? = nil,
        acceptance: Acceptance = .readable, limits: OriginLimits? = nil, scheme: Scheme = .http, host: Host = .address,
        port: Int? = nil, transport: Transport = .tcp,
        tls: TLSProgram? = nil,
        certificateLocation: SourceLocation? = nil, location: SourceLocation
    ) {
        self.acceptance = acceptance
        self.limits = limits
        self.host = host
        self.port = port
        self.transport = transport
        self.certificateLocation = certificateLocation ?? location
        self.scheme = scheme
        self.tls = tls
        self.name = name
        self.role = role
        self.connectionEffects = connectionEffects
        self.receiveBufferByteCount = receiveBufferByteCount
        self.location = location
    }
}

/// What an origin takes of one request, in place of the server's own limits; nil leaves one as it is.
public struct OriginLimits: Sendable, Equatable {
    /// Bytes of the target, and of each field line with its line end.
    public let lineByteCount: Int?
    /// Bytes of the whole head.
    public let headByteCount: Int?
    /// Field lines.
    public let fieldCount: Int?

    /// `limits:` of an origin.
    public init(lineByteCount: Int?, headByteCount: Int?, fieldCount: Int?) {
        self.lineByteCount = lineByteCount
        self.headByteCount = headByteCount
        self.fieldCount = fieldCount
    }
}

/// An effect on a connection before an exchange is chosen.
public struct ConnectionEffect: Sendable {
    /// The effect comes just before it.
    public let position: Position
    /// What is done.
    public let action: Effect.Action
    /// 0-based indexes of the connections of this origin that it applies to; nil means all.
    public let connections: ClosedRange<Int>?
    /// 0-based indexes of the requests of a connection that it applies to; nil means all; of no meaning at `accept`.
    public let requests: ClosedRange<Int>?
    /// Where the effect begins in the file.
    public let location: SourceLocation

    /// Moments of a connection at which no exchange is known.
    public enum Position: Sendable, Equatable {
        /// Right after the connection was accepted.
        case accept
        /// In our part of the TLS handshake.
        case handshake(HandshakePosition)
        /// Before byte N of a request's head is read, counted from 0 for each request.
        case requestHead(Int)
        /// Before byte N of a request's body (as framed) is read.
        case requestBody(Int)
    }

    /// Places in the server's part of a TLS handshake.
    public typealias HandshakePosition = ProctorTLSWire.HandshakePosition

    /// One item of `connections:`.
    public init(
        position: Position, action: Effect.Action, connections: ClosedRange<Int>?, requests: ClosedRange<Int>? = nil,
        location: SourceLocation
    ) {
        self.position = position
        self.action = action
        self.connections = connections
        self.requests = requests
        self.location = location
    }
}

extension Origin {
    /// What a URL can call the machine without anything to resolve.
    public enum Host: Sendable, Equatable {
        /// The address that is listened on; TLS clients send no server name then (RFC 6066 §3).
        case address
        /// 127.0.0.1 itself, whatever address the run has.
        case loopback
        /// The name that every machine has for itself.
        case localhost
        /// Another address of this machine than the run's, so that it is another host to cookies and credentials.
        case otherAddress
        /// The loopback address of IPv6.
        case ipv6
        /// Lower-case, in the form of the DNS, without a point at its end; it is not resolved: the client is told where it
        /// stands (``Assignment/NamedHost``) or comes by a proxy.
        case name(String)
    }

    /// What an origin can listen on.
    public enum Transport: String, Sendable, CaseIterable {
        case tcp
        /// A socket of the file system.
        case unix
    }

    /// The name that its URLs call it by; nil for an address or `localhost`.
    public var hostName: String? {
        guard case .name(let name) = host else { return nil }
        return name
    }

    /// The port that its URLs mean, where the host is a name.
    public var namedPort: Int { port ?? scheme.defaultPort }

    /// Host and port of its URLs, where `address` is what is listened on: `127.0.0.1:40000` or `[::1]:40000`.
    public func authority(at address: String) -> String {
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
    public var defaultPort: Int { self == .http ? 80 : 443 }
}
