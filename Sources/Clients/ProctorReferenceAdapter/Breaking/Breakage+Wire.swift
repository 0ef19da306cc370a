internal import Foundation
internal import ProctorBase
internal import ProctorHTTP
internal import ProctorReference

/// Wrong uses of credentials, cookies, TLS and proxies that break no callback rule: the wire shows them.
extension FaultHook {
    static let wire = [
        digest, otherSchemes, ntlm, negotiate, places, routes, calls, trailers, together, storms,
    ]

    /// Gives every response that a delegate or a handler gets that fault.
    static func responses(_ fault: LoadResponse.Fault) -> FaultHook {
        calls(alsoOf: .connection) { call in
            switch call {
            case .response(var response):
                response.fault = fault
                return .placing(.response(response))
            case .redirect(let request, var response):
                response.fault = fault
                return .placing(.redirect(to: request, from: response))
            case .handler(var outcome):
                outcome.response?.fault = fault
                return .placing(.handler(outcome))
            default: return .placing(call)
            }
        }
    }

    // MARK: Parameters of Digest (RFC 7616 §3.4)

    private static let digest: [String: FaultHook] = [
        "nonce-count-stays": .sending(keeping: String?.none) { request, sent in
            guard let value = request.fields.value(of: "Authorization"), DigestCredentialText(value) != nil else {
                return
            }
            if let sent { request.fields.set("Authorization", to: sent) }
            sent = sent ?? value
        },
        "nonce-count-in-two-digits": .parameters {
            $0["nc"] = "01"
        },
        "nonce-count-in-quotes": .parameters { $0.quote("nc") },
        "no-cnonce": .parameters { $0["cnonce"] = nil },
        "no-realm": .parameters { $0["realm"] = nil },
        "uri-without-query": .parameters { credential in
            credential["uri"] = credential["uri"].map { String($0.prefix { $0 != "?" }) }
        },
        "opaque-not-returned": .parameters {
            $0["opaque"] = "opaque"
        },
        "response-of-zeros": .parameters { credential in
            credential["response"] = credential["response"].map { String(repeating: "0", count: $0.utf8.count) }
        },
        "stale-is-asked-about": .actions(keeping: ()) { actions, event, loader, _ in
            guard case .head(let head) = event, head.status == 401, let stale = LoadChallenge(stale: head, loader)
            else { return actions }
            return [.tell(.challenge(stale))] + actions
        },
    ]

    /// `change` gets the parameters of each Digest credential.
    private static func parameters(
        change: @escaping @Sendable (_ credential: inout DigestCredentialText) -> Void
    ) -> FaultHook {
        credential(of: "digest") { value in
            guard var credential = DigestCredentialText(value) else { return value }
            change(&credential)
            return credential.text
        }
    }

    /// `change` gets the value of each Authorization field of a scheme.
    private static func credential(
        of scheme: String, change: @escaping @Sendable (_ value: String) -> String
    ) -> FaultHook {
        sending { request in
            guard let value = request.fields.value(of: "Authorization"), value.lowercased().hasPrefix("\(scheme) ")
            else { return }
            request.fields.set("Authorization", to: change(value))
        }
    }

    // MARK: Basic (RFC 7617 §2) and Bearer (RFC 6750 §2.1)

    private static let otherSchemes: [String: FaultHook] = [
        "basic-without-padding": .credential(of: "basic") { value in
            String(value.reversed().drop { $0 == "=" }.reversed())
        },
        "basic-in-the-clear": .credential(of: "basic") { value in
            guard let encoded = value.split(separator: " ").last, let decoded = Data(base64Encoded: String(encoded))
            else { return value }
            return "Basic \(String(decoding: decoded, as: UTF8.self))"
        },
        "bearer-under-another-name": .credential(of: "bearer") { "Token" + $0.drop { $0 != " " } },
        "credential-sent-twice": .sending { request in
            guard let value = request.fields.value(of: "Authorization") else { return }
            request.fields.append(HTTPField("Authorization", value))
        },
    ]

    // MARK: Right credentials in the wrong place (RFC 9110 §11.4, §11.7)

    private static let places: [String: FaultHook] = [
        "credential-follows-the-redirect": .sending(keeping: String?.none) { request, sent in
            if let value = request.fields.value(of: "Authorization") {
                sent = value
            } else if let sent {
                request.fields.set("Authorization", to: sent)
            }
        },
        "fields-follow-the-redirect": .sending(keeping: [HTTPField]()) { request, sent in
            request.fields += sent.filter { !request.fields.contains(named: $0.name) }
            if sent.isEmpty { sent = request.fields.filter { !$0.isNamed("Host") } }
        },
        "credential-ends-at-the-redirect": .sending(keeping: false) { request, isSent in
            if isSent { request.fields.removeAll(named: "Authorization") }
            isSent = true
        },
        "fields-follow-the-load": .sendingOfAll(keeping: [HTTPField]()) { request, earlier in
            request.fields += earlier.filter { !request.fields.contains(named: $0.name) }
            if let host = earlier.first(named: "Host") { request.fields.set(host) }
            earlier = request.fields
        },
        "resumes-any-version": .sending { $0.fields.removeAll(named: "If-Range") },
        "proxy-credential-to-the-origin": .sending { request in
            guard let value = request.fields.value(of: "Proxy-Authorization"),
                !request.fields.contains(named: "Authorization")
            else { return }
            request.fields.set("Authorization", to: value)
        },
        "proxy-credential-in-the-other-field": .sending { request in
            guard let value = request.fields.value(of: "Proxy-Authorization") else { return }
            request.fields.removeAll(named: "Proxy-Authorization")
            request.fields.set("Authorization", to: value)
        },
    ]

    /// Like ``sending(keeping:change:)``, with a memory that all loads of the process share.
    private static func sendingOfAll<Memory: Sendable>(
        keeping memory: Memory,
        change: @escaping @Sendable (_ request: inout ClientRequest, _ memory: inout Memory) -> Void
    ) -> FaultHook {
        let shared = Locked(memory)
        return sending { request in shared.withLock { change(&request, &$0) } }
    }

    // MARK: Fields behind content (RFC 9110 §6.5)

    private static let trailers: [String: FaultHook] = [
        "trailers-untold": .dropping { if case .trailers = $0 { true } else { false } },
        "trailers-first-alone": .calls { call in
            guard case .trailers(let fields) = call else { return .placing(call) }
            return .placing(.trailers(Array(fields.prefix(1))))
        },
        "trailers-unsent": .sending {
            $0.trailers = []
        },
        "trailers-before-the-content": .sending { request in
            request.fields += request.trailers
            request.trailers = []
        },
    ]

    // MARK: Proxies and tunnels (RFC 9110 §9.3.6, RFC 9112 §3.2)

    private static let routes: [String: FaultHook] = [
        "origin-credential-in-connect": .actions(keeping: HTTPField?.none) { actions, _, _, credential in
            actions.map { action in
                if case .send(let request, _) = action { credential = request.fields.first(named: "Authorization") }
                guard case .openTunnel(var asked) = action, let credential else { return action }
                asked.fields.append(credential)
                return .openTunnel(asked)
            }
        },
        "https-in-the-clear": .sending { request in
            let clear = request.url.text.drop { $0 != ":" }
            if request.url.origin.scheme == .https, let url = try? ClientURL("http" + clear) { request.url = url }
        },
    ]

    // MARK: Rewritten requests (R7), which no callback of a session reports, and defaults of missing methods

    private static let calls: [String: FaultHook] = [
        "rewriting-told-as-a-redirect": .actions(keeping: ()) { actions, event, loader, _ in
            guard event == .start, loader.request.url.isRespelled, let head = movedHead else { return actions }
            let response = LoadResponse(url: loader.request.url, head: head)
            return [.tell(.redirect(to: loader.request, from: response))] + actions
        },
        "stops-without-the-method": .calls { call in
            guard case .redirect = call else { return .placing(call) }
            var placed = PlacedCall(call)
            placed.otherDefault = .redirectAnswered(nil)
            return [placed]
        },
        "says-nothing-of-a-rewriting": .dropping { if case .canonicalize = $0 { true } else { false } },
        "announces-another-url": .calls { call in
            guard case .canonicalize(var request) = call, let url = try? request.url.resolving(location: [0x61]) else {
                return .placing(call)
            }
            request.url = url
            return .placing(.canonicalize(request))
        },
    ]

    /// The head of a redirect that no server has sent.
    private static let movedHead: ReplyHead? = {
        var reader = ReplyReader()
        reader.expectReply(to: Array("GET".utf8))
        var offset = 0
        let bytes = Array("HTTP/1.1 301 Moved Permanently\r\nContent-Length: 0\r\n\r\n".utf8)
        guard case .head(let head)? = reader.next(bytes.span, at: &offset) else { return nil }
        return head
    }()
}

extension LoadChallenge {
    /// The challenge of a reply with `stale=true`; nil for any other reply.
    fileprivate init?(stale head: ReplyHead, _ loader: Loader) {
        let fields = head.fields.values(named: "WWW-Authenticate").map { Array($0) }
        guard let offer = ChallengeReader(fields).challenges.first(where: { $0["stale"]?.lowercased() == "true" }),
            let realm = offer.realm
        else { return nil }
        let response = LoadResponse(url: loader.request.url, head: head)
        self = .asked(by: response, kind: "digest", realm: realm)
    }
}

/// A Digest credential as text that can be changed, also to invalid parameters.
struct DigestCredentialText {
    private var parameters: [Parameter]

    private struct Parameter {
        let name: String
        var value: String
        var isQuoted: Bool
    }

    /// The parameters that RFC 7616 §3.4 writes as tokens, and `userhash`.
    private static let unquoted: Set = ["algorithm", "qop", "nc", "userhash"]

    init?(_ value: String) {
        // Credentials have the syntax of challenges (RFC 9110 §11.4).
        guard let credential = ChallengeReader([Array(value.utf8)]).challenges.first, credential.isScheme("Digest")
        else { return nil }
        parameters = credential.parameters.map {
            Parameter(name: $0.name, value: $0.value, isQuoted: !Self.unquoted.contains($0.name.lowercased()))
        }
    }

    /// The value of a parameter; setting nil removes it, and a missing parameter is not added.
    subscript(name: String) -> String? {
        get { parameters.first { $0.name == name }?.value }
        set {
            guard let index = parameters.firstIndex(where: { $0.name == name }) else { return }
            if let newValue { parameters[index].value = newValue } else { parameters.remove(at: index) }
        }
    }

    /// Writes a parameter that is usually a token as a quoted string.
    mutating func quote(_ name: String) {
        for index in parameters.indices where parameters[index].name == name { parameters[index].isQuoted = true }
    }

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
