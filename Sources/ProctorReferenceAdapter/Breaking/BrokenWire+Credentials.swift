internal import Foundation
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

/// Basic (RFC 7617 §2) and Bearer (RFC 6750 §2.1).
extension BrokenWire {
    static let otherSchemes: [BrokenWire] = [
        credential("basic-without-padding", "leave the padding of Base64 out", of: "basic", says: .malformedBase64) {
            value in
            String(value.reversed().drop { $0 == "=" }.reversed())
        },
        credential("basic-in-the-clear", "send user and password as they are", of: "basic", says: .malformedBase64) {
            value in
            guard let encoded = value.split(separator: " ").last, let decoded = Data(base64Encoded: String(encoded))
            else { return value }
            return "Basic \(String(decoding: decoded, as: UTF8.self))"
        },
        credential("bearer-under-another-name", "send the token as of scheme Token", of: "bearer", says: .wrongScheme) {
            value in
            "Token" + value.drop { $0 != " " }
        },
        sending("credential-sent-twice", "send the field a second time", says: .severalFields, keeping: ()) {
            request, _ in
            guard let value = request.fields.value(of: "Authorization") else { return }
            request.fields.append(HTTPField("Authorization", value))
        },
    ]

    // MARK: Right credentials in the wrong place (RFC 9110 §11.4, §11.7)

    static let places: [BrokenWire] = [
        sending(
            "credential-follows-the-redirect", "send the credential of one origin to the next", says: .unknownUser,
            keeping: String?.none
        ) { request, sent in
            if let value = request.fields.value(of: "Authorization") {
                sent = value
            } else if let sent {
                request.fields.set("Authorization", to: sent)
            }
        },
        sending(
            "proxy-credential-to-the-origin", "send the proxy's credential to the origin as well", says: .unknownUser,
            keeping: ()
        ) { request, _ in
            guard let value = request.fields.value(of: "Proxy-Authorization"),
                !request.fields.contains(named: "Authorization")
            else { return }
            request.fields.set("Authorization", to: value)
        },
        sending(
            "proxy-credential-in-the-other-field", "answer a proxy in the field of origins", says: nil, keeping: ()
        ) { request, _ in
            guard let value = request.fields.value(of: "Proxy-Authorization") else { return }
            request.fields.removeAll(named: "Proxy-Authorization")
            request.fields.set("Authorization", to: value)
        },
    ]
}

/// A Digest credential as the client writes it, to be written otherwise: no rule of its parameters is kept here.
struct DigestCredentialText {
    private var parameters: [Parameter]

    private struct Parameter {
        let name: String
        var value: String
        var isQuoted: Bool
    }

    /// Tokens where RFC 7616 §3.4 has them; `userhash` too.
    private static let unquoted: Set = ["algorithm", "qop", "nc", "userhash"]

    /// nil for a credential of another scheme.
    init?(_ value: String) {
        // Credentials are written like challenges (RFC 9110 §11.4).
        guard let credential = ChallengeReader([Array(value.utf8)]).challenges.first, credential.isScheme("Digest")
        else { return nil }
        parameters = credential.parameters.map {
            Parameter(name: $0.name, value: $0.value, isQuoted: !Self.unquoted.contains($0.name.lowercased()))
        }
    }

    /// nil leaves it out; what is not there is not added.
    subscript(name: String) -> String? {
        get { parameters.first { $0.name == name }?.value }
        set {
            guard let index = parameters.firstIndex(where: { $0.name == name }) else { return }
            if let newValue { parameters[index].value = newValue } else { parameters.remove(at: index) }
        }
    }

    /// Puts it into quotes, where it is none of those that have them anyhow.
    mutating func quote(_ name: String) {
        for index in parameters.indices where parameters[index].name == name { parameters[index].isQuoted = true }
    }

    /// As it stands in the field.
    var text: String {
        "Digest "
            + parameters.map { $0.isQuoted ? "\($0.name)=\(Self.quoted($0.value))" : "\($0.name)=\($0.value)" }
            .joined(separator: ", ")
    }

    private static func quoted(_ value: String) -> String {
        var bytes: [UInt8] = []
        AuthenticationParameter.appendQuoted(value.utf8, to: &bytes)
        return String(decoding: bytes, as: UTF8.self)
    }
}
