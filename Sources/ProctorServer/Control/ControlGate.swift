internal import ProctorBase
internal import ProctorHTTP
internal import ProctorLoop

/// Decides which clients may call the control API.
///
/// A web page in a browser of this machine can send requests to loopback too, by itself or through a name that
/// resolves to 127.0.0.1. So `Host` must be an address of the server, `Origin` the server's own or an allowed one,
/// cross-site requests are refused, and off loopback a token is needed.
struct ControlGate: Sendable {
    let address: SocketAddress
    /// The token of `Authorization: Bearer TOKEN`; nil: none is needed.
    let token: String?
    var allowedOrigins: Set<String> = []

    /// The page of an allowed origin that calls; nil for another permitted client.
    ///
    /// Throws where the call is not permitted.
    func visitor(_ head: RequestHead, at place: SocketAddress) throws(ControlError) -> Visitor? {
        let host = head.fields.first(named: "Host").map { String(decoding: $0, as: UTF8.self) } ?? ""
        guard isOurs(host) else {
            throw ControlError(
                403, "foreign-host",
                message: "the control API answers to its own address only, and Host is \"\(EscapedText.of(host.utf8))\""
            )
        }
        let origins = head.fields.values(named: "Origin").map { String(decoding: $0, as: UTF8.self) }
        if let origin = origins.first {
            if origins.count == 1, allowedOrigins.contains(origin.lowercased()) { return Visitor(origin: origin) }
            guard origins.count == 1, isOwn(origin, host: host, at: place) else {
                throw ControlError(
                    403, "foreign-origin",
                    message: "pages of \"\(EscapedText.of(origin.utf8))\" may not call the control API; "
                        + "serve --allow-origin ORIGIN lets those of an origin call")
            }
        }
        // Fetch Metadata, §2.4: an image or a form of a foreign page comes without Origin in some browsers.
        for site in head.fields.values(named: "Sec-Fetch-Site") where site.elementsEqual("cross-site".utf8) {
            throw ControlError(403, "cross-site", message: "pages of other sites may not call the control API")
        }
        return nil
    }

    /// Whether a page's origin is the server itself, by any host name and with the called port.
    private func isOwn(_ origin: String, host: String, at place: SocketAddress) -> Bool {
        guard let scheme = ["http://", "https://"].first(where: { origin.hasPrefix($0) }) else { return false }
        let authority = origin.dropFirst(scheme.count).lowercased()
        if !authority.isEmpty, authority == host.lowercased() { return true }
        guard let port = place.port, isAddressOfOurs(authority) else { return false }
        let usual: UInt16 = scheme == "http://" ? 80 : 443
        return Self.port(of: authority) ?? usual == port
    }

    func checkToken(_ head: RequestHead) throws(ControlError) {
        guard let token else { return }
        let given = head.fields.first(named: "Authorization").map { Array($0) } ?? []
        let scheme = Array("Bearer ".utf8)
        // The scheme's letter case does not matter (RFC 9110 §11.1).
        let hasScheme = given.prefix(scheme.count).elementsEqual(scheme) { $0.asciiLowercased == $1.asciiLowercased }
        guard hasScheme, Self.isEqual(Array(given.dropFirst(scheme.count)), Array(token.utf8)) else {
            throw ControlError(
                401, "token-needed", message: "send the token given at start as 'Authorization: Bearer TOKEN'")
        }
    }

    /// Compares in constant time, so that the time reveals nothing of the token.
    private static func isEqual(_ left: [UInt8], _ right: [UInt8]) -> Bool {
        guard left.count == right.count else { return false }
        return zip(left, right).reduce(0) { $0 | ($1.0 ^ $1.1) } == 0
    }

    /// Off loopback the server can't know its names and addresses; the token protects it.
    private func isOurs(_ authority: String) -> Bool {
        token != nil && !address.isLoopback || isAddressOfOurs(authority)
    }

    /// A loopback address, `localhost`, or the bound address; with any port, since containers map ports.
    private func isAddressOfOurs(_ authority: String) -> Bool { address.isReached(at: Self.host(of: authority)) }

    private static func host(of authority: String) -> String {
        if authority.hasPrefix("["), let end = authority.firstIndex(of: "]") {
            return String(authority[authority.index(after: authority.startIndex)..<end])
        }
        return authority.split(separator: ":", omittingEmptySubsequences: false).first.map { $0.lowercased() } ?? ""
    }

    /// nil where the authority has no port.
    private static func port(of authority: String) -> UInt16? {
        let rest = authority.hasPrefix("[") ? authority.drop { $0 != "]" } : authority[...]
        return rest.lastIndex(of: ":").flatMap { UInt16(rest[rest.index(after: $0)...]) }
    }
}

extension SocketAddress {
    /// Whether a client of this machine may reach this address, with any port, as `localhost` or by an address.
    func isReached(at host: String) -> Bool {
        if host == "localhost" { return true }
        guard let address = SocketAddress(host: host, port: 0) else { return false }
        return address.isLoopback || address == with(port: 0)
    }
}

extension ControlGate {
    /// A page of an allowed origin; its browser needs CORS fields in the reply (Fetch, CORS protocol).
    struct Visitor {
        let origin: String

        /// The answer to a preflight, which carries no token; nil for any other request.
        func preflight(_ head: RequestHead) -> BuiltInReply? {
            guard head.hasMethod("OPTIONS"), head.fields.first(named: "Access-Control-Request-Method") != nil else {
                return nil
            }
            var reply = shown(BuiltInReply(status: 200, body: ""))
            reply.fields.append(("Access-Control-Allow-Methods", "GET, POST, PUT, PATCH, DELETE"))
            reply.fields.append(("Access-Control-Allow-Headers", "Authorization, Content-Type"))
            return reply
        }

        /// The reply with the fields that let the page read it.
        func shown(_ reply: BuiltInReply) -> BuiltInReply {
            var reply = reply
            reply.fields.append(("Access-Control-Allow-Origin", origin))
            reply.fields.append(("Vary", "Origin"))
            return reply
        }
    }
}
