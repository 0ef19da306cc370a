internal import ProctorHTTP

/// Credentials on their way, and what replies say of them.
extension Loader {
    /// What goes on the wire as the target of this request (RFC 9112 §3.2).
    var wireTarget: [UInt8] { policy.proxy == nil ? request.url.target : request.url.absoluteTarget }

    /// Adds what is known to be wanted: for the server to nobody else, and for the proxy to the proxy alone.
    mutating func authorize(_ outgoing: inout ClientRequest) {
        authorize(&outgoing, as: "Authorization", at: request.url.origin, isProxy: false)
        if let proxy = policy.proxy { authorize(&outgoing, as: "Proxy-Authorization", at: proxy, isProxy: true) }
    }

    private mutating func authorize(
        _ outgoing: inout ClientRequest, as name: String, at origin: Origin, isProxy: Bool
    ) {
        if authentication[isProxy: isProxy]?.covers(request.url, at: origin) != true {
            authentication[isProxy: isProxy]?.rest()
            // What the caller has written itself stays until somebody refuses it.
            guard authentication.usesStored, !outgoing.fields.contains(named: name),
                let recalled = memory.recall(request.url, at: origin, isProxy: isProxy),
                authentication.failures[recalled.space] == nil
            else { return }
            authentication[isProxy: isProxy] = recalled
        }
        guard var authorization = authentication[isProxy: isProxy] else { return }
        if let known = memory[authorization.space] { authorization.follow(known) }
        if let value = authorization.fieldValue(for: outgoing, target: wireTarget, by: memory) {
            outgoing.fields.set(HTTPField(name: name, bytes: value))
        }
        authentication[isProxy: isProxy] = authorization
        remember { $0.update(authorization) }
    }

    /// Takes what the final head says of the credentials that went along; an error where the server proves wrong.
    mutating func heed(_ response: LoadResponse) -> LoadError? {
        heed(response, isProxy: true) ?? heed(response, isProxy: false)
    }

    private mutating func heed(_ response: LoadResponse, isProxy: Bool) -> LoadError? {
        // A refusal by the proxy says nothing of the server's credential, which it never saw.
        guard response.status != 407, isProxy || response.status != 401,
            var authorization = authentication[isProxy: isProxy], authorization.isSent
        else { return nil }
        let name: StaticString = isProxy ? "Proxy-Authentication-Info" : "Authentication-Info"
        let values = response.head.fields.values(named: name)
        if !values.isEmpty, let answer = authorization.answer {
            let info = AuthenticationInfo(values.map { Array($0) })
            if let reason = answer.contradiction(in: info, by: memory.hasher) {
                return LoadError(
                    .badServerResponse,
                    "\(response.url): \(name) does not belong to the credential that was sent: \(reason) "
                        + "(RFC 7616 §3.5)")
            }
            if let nonce = info.nextNonce { authorization.goOn(with: nonce) }
        }
        // A server that forbids may mean the credential.
        if response.status != 403 {
            authorization.accept()
            remember { $0.remember(authorization) }
        } else {
            remember { $0.update(authorization) }
        }
        authentication[isProxy: isProxy] = authorization
        return nil
    }
}
