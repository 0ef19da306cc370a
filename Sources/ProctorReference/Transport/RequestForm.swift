internal import ProctorHTTP

/// Who reads a request, which decides its target (RFC 9112 §3.2) and what else stands in its head.
enum RequestForm {
    /// The origin, by path and query.
    case origin
    /// The origin, in a tunnel.
    case tunnelled
    /// A proxy that hands it on, by the whole URL.
    case absolute
    /// A proxy that is to make a tunnel, by host and port.
    case authority

    func target(of url: ClientURL) -> [UInt8] {
        switch self {
        case .origin, .tunnelled: url.target
        case .absolute: url.absoluteTarget
        case .authority: Array(url.origin.hostAndPort.utf8)
        }
    }

    /// The same authority as the target's (RFC 9110 §7.2).
    func host(of url: ClientURL) -> HTTPField {
        switch self {
        case .origin, .tunnelled, .absolute: url.hostField
        case .authority: HTTPField("Host", url.origin.hostAndPort)
        }
    }

    /// Whether a proxy is the one who reads it.
    var isForProxy: Bool {
        switch self {
        case .absolute, .authority: true
        case .origin, .tunnelled: false
        }
    }

    /// What is for the next proxy is no business of an origin, also where the caller wrote it (RFC 9110 §11.7.2).
    func leavesOut(_ name: String) -> Bool {
        guard !isForProxy else { return false }
        return name.utf8.count == 19 && name.lowercased() == "proxy-authorization"
    }
}
