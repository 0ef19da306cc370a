internal import ProctorBase
internal import ProctorHTTP
internal import ProctorLoop

/// Who may call the control API.
///
/// A web page that somebody looks at can send requests to loopback too, by itself or through a name that it resolves
/// to 127.0.0.1. So `Host` must be an address of ours, `Origin` must not be foreign, and off loopback a token is asked for.
struct ControlGate: Sendable {
    /// The host of the shared port, as it was bound.
    let address: SocketAddress
    /// Asked for as `Authorization: Bearer TOKEN` when set.
    let token: String?

    func check(_ head: RequestHead) throws(ControlError) {
        let host = head.fields.first(named: "Host").map { String(decoding: $0, as: UTF8.self) } ?? ""
        guard isOurs(host) else {
            throw ControlError(
                403, "foreign-host",
                "the control API answers to its own address only, and Host is \"\(EscapedText.of(host.utf8))\"")
        }
        if let origin = head.fields.first(named: "Origin").map({ String(decoding: $0, as: UTF8.self) }) {
            let scheme = ["http://", "https://"].first { origin.hasPrefix($0) }
            let authority = scheme.map { String(origin.dropFirst($0.count)) } ?? ""
            // A page of ours is one, whatever name it was asked for by.
            guard isAddressOfOurs(authority) || !authority.isEmpty && authority == host else {
                throw ControlError(
                    403, "foreign-origin",
                    "pages of \"\(EscapedText.of(origin.utf8))\" may not call the control API")
            }
        }
        try checkToken(head)
    }

    private func checkToken(_ head: RequestHead) throws(ControlError) {
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
}
