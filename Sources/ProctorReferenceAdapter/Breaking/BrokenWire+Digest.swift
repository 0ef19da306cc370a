internal import ProctorHTTP
internal import ProctorReference

/// Parameters of Digest (RFC 7616 §3.4).
extension BrokenWire {
    static let digest: [BrokenWire] = [
        sending(
            "nonce-count-stays", "send the same count, and so the same credential, a second time",
            says: .replayedNonceCount, keeping: String?.none
        ) { request, sent in
            guard let value = request.fields.value(of: "Authorization"), DigestCredentialText(value) != nil else {
                return
            }
            if let sent { request.fields.set("Authorization", to: sent) }
            sent = sent ?? value
        },
        parameters("nonce-count-in-two-digits", "write the count as short as it can be", says: .malformedNonceCount) {
            $0["nc"] = "01"
        },
        parameters("nonce-count-in-quotes", "put the count into quotes", says: .wrongQuoting) { $0.quote("nc") },
        parameters("no-cnonce", "leave the client's own nonce out", says: .missingParameter) { $0["cnonce"] = nil },
        parameters("no-realm", "leave the realm out", says: .missingParameter) { $0["realm"] = nil },
        parameters("uri-without-query", "leave the query out of the uri", says: .wrongURI) { credential in
            credential["uri"] = credential["uri"].map { String($0.prefix { $0 != "?" }) }
        },
        parameters("opaque-not-returned", "send another opaque than it was given", says: .wrongOpaque) {
            $0["opaque"] = "opaque"
        },
        parameters("response-of-zeros", "compute nothing", says: .wrongResponse) { credential in
            credential["response"] = credential["response"].map { String(repeating: "0", count: $0.utf8.count) }
        },
        actions(
            "stale-is-asked-about", "ask for a credential again where only the nonce is old", says: nil, keeping: ()
        ) { actions, event, loader, _ in
            guard case .head(let head) = event, head.status == 401, let stale = LoadChallenge(stale: head, loader)
            else { return actions }
            return [.tell(.challenge(stale))] + actions
        },
    ]

    /// `change` is given the parameters of each Digest credential.
    private static func parameters(
        _ label: String, _ name: String, says fault: CredentialFault.Kind,
        _ change: @escaping @Sendable (_ credential: inout DigestCredentialText) -> Void
    ) -> BrokenWire {
        credential(label, name, of: "digest", says: fault) { value in
            guard var credential = DigestCredentialText(value) else { return value }
            change(&credential)
            return credential.text
        }
    }
}

extension LoadChallenge {
    /// Of a reply that says `stale=true`; nil for any other.
    fileprivate init?(stale head: ReplyHead, _ loader: Loader) {
        let fields = head.fields.values(named: "WWW-Authenticate").map { Array($0) }
        guard let offer = ChallengeReader(fields).challenges.first(where: { $0["stale"]?.lowercased() == "true" }),
            let realm = offer.realm
        else { return nil }
        let response = LoadResponse(url: loader.request.url, head: head)
        self.init(
            space: ProtectionSpace(kind: "digest", origin: response.url.origin, realm: realm), previousFailureCount: 0,
            response: response)
    }
}
