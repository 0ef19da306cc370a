internal import ProctorBase
internal import ProctorHTTP
internal import ProctorLoop

/// Who may call the control API.
///
/// A web page that somebody looks at can send requests to loopback too, by itself or through a name that it resolves
/// to 127.0.0.1. So `Host` must be an address of ours, `Origin` must be the server's own or one that was allowed, what a
/// browser calls cross-site is refused, and off loopback a token is asked for.
struct ControlGate: Sendable {
    /// The host of the shared port, as it was bound.
    let address: SocketAddress
    /// Asked for as `Authorization: Bearer TOKEN` when set.
    let token: String?
    /// Origins of other servers whose pages may call, as browsers write them.
    var allowedOrigins: Set<String> = []

    /// Who calls from a page of an origin that was allowed; nil for everybody else who may call, but for the token.
    ///
    /// `place` is where the call came to.
    func visitor(_ head: RequestHead, at place: SocketAddress) throws(ControlError) -> Visitor? {
        let host = head.fields.first(named: "Host").map { String(decoding: $0, as: UTF8.self) } ?? ""
        guard isOurs(host) else {
            throw ControlError(
                403, "foreign-host",
                "the control API answers to its own address only, and Host is \"\(EscapedText.of(host.utf8))\"")
        }
        let origins = head.fields.values(named: "Origin").map { String(decoding: $0, as: UTF8.self) }
        if let origin = origins.first {
            if origins.count == 1, allowedOrigins.contains(origin.lowercased()) { return Visitor(origin: origin) }
            guard origins.count == 1, isOwn(origin, host, place) else {
                throw ControlError(
                    403, "foreign-origin",
                    "pages of \"\(EscapedText.of(origin.utf8))\" may not call the control API; "
                        + "serve --allow-origin ORIGIN lets those of an origin call")
            }
        }
        // Fetch Metadata, §2.4: an image or a form of a foreign page comes without Origin in some browsers.
        for site in head.fields.values(named: "Sec-Fetch-Site") where site.elementsEqual("cross-site".utf8) {
            throw ControlError(403, "cross-site", "pages of other sites may not call the control API")
        }
        return nil
    }

    /// A page of ours is one whatever name it was asked for by, and at the port that it calls.
    private func isOwn(_ origin: String, _ host: String, _ place: SocketAddress) -> Bool {
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
            throw ControlError(401, "token-needed", "send the token given at start as 'Authorization: Bearer TOKEN'")
        }
    }

    /// The time does not tell how much of the token was right.
    private static func isEqual(_ left: [UInt8], _ right: [UInt8]) -> Bool {
        guard left.count == right.count else { return false }
        return zip(left, right).reduce(0) { $0 | ($1.0 ^ $1.1) } == 0
    }

    /// Off loopback the names and addresses that clients use are not known here; the token guards then.
    private func isOurs(_ authority: String) -> Bool {
        token != nil && !address.isLoopback || isAddressOfOurs(authority)
    }

    /// A loopback address or `localhost`, or the very address that was bound; with whatever port, which containers map.
    private func isAddressOfOurs(_ authority: String) -> Bool {
        let host = Self.host(of: authority)
        if host == "localhost" { return true }
        guard let found = SocketAddress(host: host, port: 0) else { return false }
        return found.isLoopback || found == address.with(port: 0)
    }

    private static func host(of authority: String) -> String {
        if authority.hasPrefix("["), let end = authority.firstIndex(of: "]") {
            return String(authority[authority.index(after: authority.startIndex)..<end])
        }
        return authority.split(separator: ":", omittingEmptySubsequences: false).first.map { $0.lowercased() } ?? ""
    }

    /// nil where none is written.
    private static func port(of authority: String) -> UInt16? {
        let rest = authority.hasPrefix("[") ? authority.drop { $0 != "]" } : authority[...]
        return rest.lastIndex(of: ":").flatMap { UInt16(rest[rest.index(after: $0)...]) }
    }
}

extension ControlGate {
    /// A page of an origin that was allowed: its browser has to be told so (Fetch, CORS protocol).
    struct Visitor {
        let origin: String

        /// The answer to a preflight, which carries no token; nil for any other request.
        func preflight(_ head: RequestHead) -> BuiltInReply? {
            guard head.hasMethod("OPTIONS"), head.fields.first(named: "Access-Control-Request-Method") != nil else {
                return nil
            }
            var reply = shown(BuiltInReply(status: 200, body: ""))
            reply.fields.append(("Access-Control-Allow-Methods", "GET, POST, DELETE"))
            reply.fields.append(("Access-Control-Allow-Headers", "Authorization, Content-Type"))
            return reply
        }

        /// The page may read the answer.
        func shown(_ reply: BuiltInReply) -> BuiltInReply {
            var reply = reply
            reply.fields.append(("Access-Control-Allow-Origin", origin))
            reply.fields.append(("Vary", "Origin"))
            return reply
        }
    }
}
