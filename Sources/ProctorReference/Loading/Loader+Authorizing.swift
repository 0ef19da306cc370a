internal import ProctorHTTP

/// Credentials on their way, and what replies say of them.
extension Loader {
    /// What goes on the wire as the target of this request (RFC 9112 §3.2).
    private var wireTarget: [UInt8] {
        policy.handingProxy(for: request.url) == nil ? request.url.target : request.url.absoluteTarget
    }

    /// Adds what is known to be wanted: for the server to nobody else, and for the proxy to the proxy alone.
    mutating func authorize(_ outgoing: inout ClientRequest) {
        authorize(&outgoing, as: "Authorization", at: request.url.origin, by: wireTarget, isProxy: false)
        guard let proxy = policy.handingProxy(for: request.url) else { return }
        authorize(&outgoing, as: "Proxy-Authorization", at: proxy, by: wireTarget, isProxy: true)
    }

    /// `target` is what goes on the wire as the target of `outgoing`.
    mutating func authorize(
        _ outgoing: inout ClientRequest, as name: String, at origin: Origin, by target: [UInt8], isProxy: Bool
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
        if let value = authorization.fieldValue(for: outgoing, target: target, by: memory) {
            outgoing.fields.set(HTTPField(name: name, bytes: value))
        }
        authentication[isProxy: isProxy] = authorization
        remember { $0.update(authorization) }
    }

    /// Takes what the final head says of the credentials that went along; an error where the server proves wrong.
    mutating func heed(_ response: LoadResponse) -> LoadError? {
        // Of what comes through a tunnel the proxy has seen nothing.
        let isHanded = policy.handingProxy(for: response.url) != nil
        return (isHanded ? heed(response, isProxy: true) : nil) ?? heed(response, isProxy: false)
    }

    /// Of one of the two.
    mutating func heed(_ response: LoadResponse, isProxy: Bool) -> LoadError? {
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
