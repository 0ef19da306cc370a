package import ProctorBase
package import ProctorTLSWire

/// One scheme, host and port of a scenario.
package struct Origin: Sendable {
    /// The name; `main` for an implicit first origin.
    package let name: String
    /// The role of its port; `server` by default.
    package var role = Role.server
    /// Effects that are played before an exchange is chosen, in the order of the file.
    package var connectionEffects: [ConnectionEffect] = []
    /// SO_RCVBUF of its connections in bytes; nil: the system's default.
    package var receiveBufferByteCount: Int?
    /// Which requests it accepts.
    package var acceptance = Acceptance.readable
    /// Its limits for a request; nil: the server's limits.
    package var limits: OriginLimits?
    package var scheme = Scheme.http
    /// The host of its URLs.
    package var host = Host.address
    /// The port of its URLs when the host is a name; nil: the scheme's default.
    package var port: Int?
    /// The origins at whose addresses a client finds its name, in order; nil: its own alone.
    package var addresses: [Int]?
    /// The kind of its listening socket.
    package var transport = Transport.tcp
    /// Its TLS program; nil: no TLS, whatever the scheme is.
    package var tls: TLSProgram?
    /// Whether the run's protocol has added `tls`, which the fixture does not have.
    package var hasTLSOfRun = false
    /// Whether its port of TLS answers plain HTTP as it answers over TLS.
    package var servesPlainHTTP: Bool { tls?.plainHTTP == .serve }
    /// The key `protocols` without repetitions, never empty; nil: left out.
    package var ownProtocols: [ApplicationProtocol]?
    /// Whether `tls` sets the answer to ALPN; otherwise ``protocols`` does.
    package var hasOwnALPN = false
    /// Its HTTP/2 behaviour where the fixture changes it.
    package var http2 = HTTP2Behaviour()
    /// Its HTTP/3 behaviour where the fixture changes it.
    package var http3 = HTTP3Behaviour()
    /// How it speaks SOCKS, where it is a proxy of SOCKS; nil: it speaks HTTP.
    package var socks: SOCKSProgram?
    /// The place where its certificate is named; by default, that of the origin's name.
    package let certificateLocation: SourceLocation
    /// The place of its name; that of the scenario for an implicit origin.
    package let location: SourceLocation

    package init(
        name: String, role: Role = .server, connectionEffects: [ConnectionEffect] = [],
        receiveBufferByteCount: Int? = nil, acceptance: Acceptance = .readable, limits: OriginLimits? = nil,
        scheme: Scheme = .http, host: Host = .address, port: Int? = nil, addresses: [Int]? = nil,
        transport: Transport = .tcp, tls: TLSProgram? = nil, ownProtocols: [ApplicationProtocol]? = nil,
        hasOwnALPN: Bool = false,
        http2: HTTP2Behaviour = HTTP2Behaviour(), http3: HTTP3Behaviour = HTTP3Behaviour(), socks: SOCKSProgram? = nil,
        certificateLocation: SourceLocation,
        location: SourceLocation
    ) {
        (self.name, self.role, self.connectionEffects) = (name, role, connectionEffects)
        (self.receiveBufferByteCount, self.acceptance, self.limits) = (receiveBufferByteCount, acceptance, limits)
        (self.scheme, self.host, self.port, self.addresses, self.transport) = (scheme, host, port, addresses, transport)
        (self.tls, self.ownProtocols, self.hasOwnALPN, self.http2) = (tls, ownProtocols, hasOwnALPN, http2)
        (self.http3, self.socks, self.certificateLocation) = (http3, socks, certificateLocation)
        self.location = location
    }

    /// The schemes of URLs that an origin can have.
    package enum Scheme: String, Sendable, CaseIterable { case http, https }

    /// Which requests an origin accepts.
    package enum Acceptance: String, Sendable, CaseIterable {
        /// Unambiguous requests (RFC 9112); others are refused with an error status.
        case readable
        /// Every request with a method and a target.
        case anything
    }

    /// What the origin's port does.
    package enum Role: String, Sendable, CaseIterable {
        /// Listens and answers requests from exchanges.
        case server
        /// A server that accepts absolute-form targets of any authority, and CONNECT.
        case proxy
        /// The port is reserved without a listening socket: connections are refused.
        case closed
        /// Listens and never accepts: TCP connects, but nothing is read.
        case unaccepting
        /// Listens with a full queue: connecting neither succeeds nor fails.
        case unreachable
    }
}

/// Limits for one request in place of the server's; nil: the server's.
package struct OriginLimits: Sendable, Equatable {
    /// The most bytes of the target, and of each field line with its line end.
    package let lineByteCount: Int?
    /// The most bytes of the whole head.
    package let headByteCount: Int?
    /// The most field lines.
    package let fieldCount: Int?

    package init(lineByteCount: Int?, headByteCount: Int?, fieldCount: Int?) {
        (self.lineByteCount, self.headByteCount, self.fieldCount) = (lineByteCount, headByteCount, fieldCount)
    }
}

package struct ConnectionEffect: Sendable {
    /// The position just before which the action is performed.
    package let position: Position
    package let action: Effect.Action
    /// Indexes of the origin's connections, from 0; nil: all connections.
    package let connections: ClosedRange<Int>?
    /// Indexes of a connection's requests, from 0; nil: all requests; ignored at `accept`.
    package let requests: ClosedRange<Int>?
    package let location: SourceLocation
    /// At `accept`: how long after it the connection is ended, whatever goes over it; nil: at once.
    package let delay: Duration?

    package init(
        position: Position, action: Effect.Action, connections: ClosedRange<Int>?, requests: ClosedRange<Int>?,
        location: SourceLocation, delay: Duration? = nil
    ) {
        (self.delay, self.position, self.action, self.connections) = (delay, position, action, connections)
        (self.requests, self.location) = (requests, location)
    }

    /// The positions on a connection before an exchange is chosen.
    package enum Position: Sendable, Equatable {
        /// Directly after the connection was accepted.
        case accept
        /// In the server's part of the TLS handshake.
        case handshake(HandshakePosition)
        /// After the server's first SETTINGS frame, over HTTP/2.
        case preface
        /// Before byte N of a request's head, counted from 0 for each request.
        case requestHead(Int)
        /// Before byte N of a request's body with its framing.
        case requestBody(Int)

        /// Whether the effect is played for requests; other effects are played once on a connection, before any
        /// request.
        package var isOfRequests: Bool {
            switch self {
            case .accept, .handshake, .preface: false
            case .requestHead, .requestBody: true
            }
        }

        /// The position as a fixture writes it.
        package var text: String {
            switch self {
            case .accept: "accept"
            case .handshake(let place): "handshake \(place.rawValue)"
            case .preface: "preface"
            case .requestHead(0): "request-head"
            case .requestHead(let offset): "request-head \(offset)"
            case .requestBody(let offset): "request-body \(offset)"
            }
        }
    }

    package typealias HandshakePosition = ProctorTLSWire.HandshakePosition
}

extension Origin {
    /// The host of an origin's URLs; none of them needs a name server.
    package enum Host: Sendable, Equatable {
        /// The listening address; TLS clients send no server name for an address (RFC 6066 §3).
        case address
        /// 127.0.0.1, whatever the listening address of the run is.
        case loopback
        case localhost
        /// Another address of this machine, which is a different host for cookies and credentials.
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

    /// The DNS name; nil for an address or `localhost`.
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
    /// The default port (RFC 9110 §4.2.1, §4.2.2).
    package var defaultPort: Int { self == .http ? 80 : 443 }
}

extension Origin.Role {
    /// Why an origin of the role gets no request, to be written after its name; nil when it gets requests.
    package var refusal: String? {
        switch self {
        case .server, .proxy: nil
        case .closed: "is closed"
        case .unaccepting: "never accepts a connection"
        case .unreachable: "cannot be reached"
        }
    }
}
