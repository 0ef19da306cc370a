import ProctorHTTP

/// What a proxy is asked for a tunnel by, and what it answers (RFC 9110 §9.3.6).
extension Loader {
    /// Nothing of the request goes along but who asks: the rest is between client and origin.
    mutating func tunnelNeeded() -> [LoadAction] {
        guard let proxy = policy.tunnelProxy(for: request.url) else { return [] }
        let fields = request.fields.filter { field in Self.namesForProxies.contains(field.name.lowercased()) }
        var asked = ClientRequest(method: "CONNECT", url: request.url, fields: fields)
        authorize(
            &asked, as: "Proxy-Authorization", at: proxy, by: RequestForm.authority.target(of: request.url),
            isProxy: true)
        return [.openTunnel(asked)]
    }

    /// In lower case.
    private static let namesForProxies: Set = ["proxy-authorization", "user-agent"]

    /// It has let the credential in, where it asked for one.
    mutating func tunnelOpened(_ head: ReplyHead) -> [LoadAction] {
        heed(LoadResponse(url: request.url, head: head), isProxy: true).map { end($0) } ?? []
    }

    /// A 407 is a challenge; whatever else it is, it is not the origin's and nobody is given it for a response.
    mutating func tunnelRefused(_ head: ReplyHead) -> [LoadAction] {
        let response = LoadResponse(url: request.url, head: head)
        // Not a byte of it was sent.
        request.body = unsentBody
        isTunnelRefused = true
        if let error = heed(response, isProxy: true) { return end(error) }
        return challenge(by: response)
    }

    /// What there is when nothing more can be asked about: the response, or the error that there is no tunnel.
    mutating func settle(_ response: LoadResponse) -> [LoadAction] {
        guard isTunnelRefused else { return deliver(response) }
        let proxy = policy.tunnelProxy(for: response.url)?.authority ?? ""
        let place = response.url.origin.hostAndPort
        let advice =
            response.status == 407
            ? "answer its challenge with a credential" : "the reply is the proxy's own, so it is not shown"
        return end(
            LoadError(
                response.status == 407 ? .userAuthenticationRequired : .cannotConnect,
                "the proxy \(proxy) made no tunnel to \(place): it answered CONNECT with \(response.status) "
                    + "(RFC 9110 §9.3.6); \(advice)"))
    }
}
