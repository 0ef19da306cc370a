internal import Foundation
internal import ProctorBase
internal import ProctorHTTP
internal import ProctorReference

extension Breakage {
    /// Wrong uses of credentials, cookies, TLS and proxies that break no callback rule.
    ///
    /// The wire shows them, and a guard names the fault of a credential.
    package static let wire: [Breakage] =
        digest + otherSchemes + ntlm + negotiate + places + security + routes + cookies + rewriting + protocols
        + metadata
        + cache + methods + files + starts + together + values + downloadFiles + eventSources + webSockets + socks
        + dialling + pac + storage + replies + bounds

    // MARK: Fields of responses (RFC 9110 §5)

    private static let metadata: [Breakage] = [
        .responses("fields-last-line-wins", "show the last of several lines of a field alone", fault: .lastLineWins),
        .responses("field-names-matter", "find a field by its name as it was sent alone", fault: .namesMatter),
        .responses("charset-is-forgotten", "know no charset of any response", fault: .charsetIsForgotten),
    ]

    // MARK: Values that the client encodes (WHATWG URL §5)

    private static let values: [Breakage] = [
        .setting("form-values-unescaped", "put the values of a form together as they are") {
            $0.encodingFault = .formIsNotEncoded
        },
        .setting("query-values-unescaped", "put the values of a query together as they are") {
            $0.encodingFault = .queryIsNotEncoded
        },
    ]

    // MARK: Stored responses and their validation (RFC 9111)

    private static let cache =
        each(CacheFault.self) { $0.cacheFault = $1 } + [
            .setting("deleted-by-hand-stays", "keep the cookies and responses that the application deletes") {
                $0.deletesNothing = true
            }
        ]

    /// Gives every response that a delegate or a handler gets that fault.
    private static func responses(_ label: String, _ name: String, fault: LoadResponse.Fault) -> Breakage {
        let change: @Sendable (DelegateCall) -> [PlacedCall] = { call in
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
        return calls(label, name, change: change).andCalls(of: .connection, change: change)
    }

    // MARK: When a load starts

    private static let starts: [Breakage] = [
        .setting(
            "starts-when-made", "start a connection when it is made, although it is to start later", as: .connection
        ) { $0.startsWhenMade = true },
        .setting("collects-the-stream-first", "read a body's stream to its end before the request is sent") {
            $0.transportFault = .collectsStreams
        },
    ]

    // MARK: Parameters of Digest (RFC 7616 §3.4)

    private static let digest: [Breakage] = [
        .sending(
            "nonce-count-stays", "send the same count, and so the same credential, a second time",
            finds: .replayedNonceCount, keeping: String?.none
        ) { request, sent in
            guard let value = request.fields.value(of: "Authorization"), DigestCredentialText(value) != nil else {
                return
            }
            if let sent { request.fields.set("Authorization", to: sent) }
            sent = sent ?? value
        },
        .parameters("nonce-count-in-two-digits", "write the count as short as it can be", finds: .malformedNonceCount) {
            $0["nc"] = "01"
        },
        .parameters("nonce-count-in-quotes", "put the count into quotes", finds: .wrongQuoting) { $0.quote("nc") },
        .parameters("no-cnonce", "leave the client's own nonce out", finds: .missingParameter) { $0["cnonce"] = nil },
        .parameters("no-realm", "leave the realm out", finds: .missingParameter) { $0["realm"] = nil },
        .parameters("uri-without-query", "leave the query out of the uri", finds: .wrongURI) { credential in
            credential["uri"] = credential["uri"].map { String($0.prefix { $0 != "?" }) }
        },
        .parameters("opaque-not-returned", "send another opaque than it was given", finds: .wrongOpaque) {
            $0["opaque"] = "opaque"
        },
        .parameters("response-of-zeros", "compute nothing", finds: .wrongResponse) { credential in
            credential["response"] = credential["response"].map { String(repeating: "0", count: $0.utf8.count) }
        },
        .actions("stale-is-asked-about", "ask for a credential again where only the nonce is old", keeping: ()) {
            actions, event, loader, _ in
            guard case .head(let head) = event, head.status == 401, let stale = LoadChallenge(stale: head, loader)
            else { return actions }
            return [.tell(.challenge(stale))] + actions
        },
    ]

    /// `change` gets the parameters of each Digest credential.
    private static func parameters(
        _ label: String, _ name: String, finds fault: CredentialFault.Kind,
        change: @escaping @Sendable (_ credential: inout DigestCredentialText) -> Void
    ) -> Breakage {
        credential(label, name, of: "digest", finds: fault) { value in
            guard var credential = DigestCredentialText(value) else { return value }
            change(&credential)
            return credential.text
        }
    }

    /// `change` gets the value of each Authorization field of a scheme.
    private static func credential(
        _ label: String, _ name: String, of scheme: String, finds fault: CredentialFault.Kind,
        change: @escaping @Sendable (_ value: String) -> String
    ) -> Breakage {
        sending(label, name, finds: fault, keeping: ()) { request, _ in
            guard let value = request.fields.value(of: "Authorization"), value.lowercased().hasPrefix("\(scheme) ")
            else { return }
            request.fields.set("Authorization", to: change(value))
        }
    }

    // MARK: Basic (RFC 7617 §2) and Bearer (RFC 6750 §2.1)

    private static let otherSchemes: [Breakage] = [
        .credential("basic-without-padding", "leave the padding of Base64 out", of: "basic", finds: .malformedBase64) {
            value in
            String(value.reversed().drop { $0 == "=" }.reversed())
        },
        .credential("basic-in-the-clear", "send user and password as they are", of: "basic", finds: .malformedBase64) {
            value in
            guard let encoded = value.split(separator: " ").last, let decoded = Data(base64Encoded: String(encoded))
            else { return value }
            return "Basic \(String(decoding: decoded, as: UTF8.self))"
        },
        .credential(
            "bearer-under-another-name", "send the token as of scheme Token", of: "bearer", finds: .wrongScheme
        ) { "Token" + $0.drop { $0 != " " } },
        .sending("credential-sent-twice", "send the field a second time", finds: .severalFields, keeping: ()) {
            request, _ in
            guard let value = request.fields.value(of: "Authorization") else { return }
            request.fields.append(HTTPField("Authorization", value))
        },
    ]

    // MARK: Right credentials in the wrong place (RFC 9110 §11.4, §11.7)

    private static let places: [Breakage] = [
        .sending(
            "credential-follows-the-redirect", "send the credential of one origin to the next", finds: .unknownUser,
            keeping: String?.none
        ) { request, sent in
            if let value = request.fields.value(of: "Authorization") {
                sent = value
            } else if let sent {
                request.fields.set("Authorization", to: sent)
            }
        },
        .sending(
            "fields-follow-the-redirect", "send every field of one request with the next one too",
            keeping: [HTTPField]()
        ) { request, sent in
            request.fields += sent.filter { !request.fields.contains(named: $0.name) }
            if sent.isEmpty { sent = request.fields.filter { !$0.isNamed("Host") } }
        }.sendingEveryField(),
        .sending(
            "credential-ends-at-the-redirect", "send the caller's Authorization with the first request alone",
            keeping: false
        ) { request, isSent in
            if isSent { request.fields.removeAll(named: "Authorization") }
            isSent = true
        },
        .setting("fields-follow-the-load", "send every field of earlier requests with the later ones too") {
            $0.transportFault = .sendsEveryField
            let earlier = Locked<[HTTPField]>([])
            $0.makeActionFilter = {
                ActionChange(memory: ()) { actions, _, _, _ in
                    actions.map { action in
                        guard case .send(var request, let onNewConnection) = action else { return action }
                        earlier.withLock { earlier in
                            request.fields += earlier.filter { !request.fields.contains(named: $0.name) }
                            if let host = earlier.first(named: "Host") { request.fields.set(host) }
                            earlier = request.fields
                        }
                        return .send(request, onNewConnection: onNewConnection)
                    }
                }
            }
        },
        .setting(
            "ways-of-the-first-load", "take proxy, trust, identity and base URL of the first load for every load"
        ) {
            $0.keepsFirstWays = true
        },
        .setting("proxy-for-every-host", "ask one proxy for every URL, of whatever scheme and host") {
            $0.asksOneProxy = true
        },
        .sending(
            "proxy-credential-to-the-origin", "send the proxy's credential to the origin as well", finds: .unknownUser,
            keeping: ()
        ) { request, _ in
            guard let value = request.fields.value(of: "Proxy-Authorization"),
                !request.fields.contains(named: "Authorization")
            else { return }
            request.fields.set("Authorization", to: value)
        },
        .sending("proxy-credential-in-the-other-field", "answer a proxy in the field of origins", keeping: ()) {
            request, _ in
            guard let value = request.fields.value(of: "Proxy-Authorization") else { return }
            request.fields.removeAll(named: "Proxy-Authorization")
            request.fields.set("Authorization", to: value)
        },
    ]

    // MARK: Handshakes: trust, the identity of the client, and its offers

    private static let security = each(ReferenceSecurity.Fault.self) { $0.securityFault = $1 }

    // MARK: Proxies and tunnels (RFC 9110 §9.3.6, RFC 9112 §3.2)

    private static let routes: [Breakage] = [
        .actions(
            "origin-credential-in-connect", "send the proxy the credential of the origin when a tunnel is asked for",
            keeping: HTTPField?.none
        ) { actions, _, _, credential in
            actions.map { action in
                if case .send(let request, _) = action { credential = request.fields.first(named: "Authorization") }
                guard case .openTunnel(var asked) = action, let credential else { return action }
                asked.fields.append(credential)
                return .openTunnel(asked)
            }
        },
        .wrong(
            "proxy-credential-in-the-tunnel", "send the origin the credential of the proxy inside the tunnel",
            transport: .sendsProxyCredentialInTunnel),
        .wrong("origin-form-to-the-proxy", "send a proxy the path alone", transport: .sendsOriginFormToProxy),
        .wrong("tunnel-of-another-origin", "use the tunnel to one origin for another one", transport: .sharesTunnels),
        .wrong(
            "refused-tunnel-is-the-reply", "take the proxy's refusal of a tunnel for the origin's reply",
            transport: .takesRefusalForReply),
        .wrong("connect-without-port", "leave the port out of the target of CONNECT", transport: .connectsWithoutPort),
        .wrong("proxy-connection", "send proxies the field Proxy-Connection", transport: .sendsProxyConnection),
        .sending("https-in-the-clear", "send what is for https without TLS", keeping: ()) { request, _ in
            let clear = request.url.text.drop { $0 != ":" }
            if request.url.origin.scheme == .https, let url = try? ClientURL("http" + clear) { request.url = url }
        },
        .wrong(
            "holds-dead-connections", "leave a connection open that can carry no other request",
            transport: .holdsDeadConnections),
    ]

    // MARK: Lists in the fields of replies (RFC 9110 §5.6.1), and content that breaks off (RFC 9112 §8)

    private static let replies: [Breakage] = [
        .wrong(
            "lists-are-not-read", "read no Connection, Transfer-Encoding, Content-Encoding and Vary",
            transport: .lists(.unread)),
        .wrong(
            "lists-by-parts-of-words", "find close, chunked and Basic in every field that has the letters",
            transport: .lists(.byPartsOfWords)),
        .wrong(
            "broken-off-content-is-whole", "take content for whole wherever it breaks off", transport: .takesAnyEnd),
    ]

    // MARK: Bounds (RFC 9110 §17.5)

    private static let bounds: [Breakage] = [
        .setting("no-bounds", "hold whatever comes, without a bound") { broken in
            broken.transportFault = .hasNoBounds
            broken.redirectLimit = 150
        }
    ]

    /// The same fault in a client that leaves no field out.
    private func sendingEveryField() -> Breakage {
        var broken = self
        broken.transportFault = .sendsEveryField
        return broken
    }

    static func wrong(_ label: String, _ name: String, transport: TransportFault) -> Breakage {
        setting(label, name) { $0.transportFault = transport }
    }

    // MARK: Files of downloads (NSURLDownload.h, NSURLSession.h), which no callback shows

    private static let files: [Breakage] = [
        .file("file-of-a-failure-stays", "keep the file of a failed download that is to go", .keepsFailedFile),
        .file("file-is-overwritten", "replace a file that must not be overwritten", .overwrites),
        .file("decoded-file-is-resumed", "keep resume data of what was decoded", .resumesWhatWasDecoded),
        .file("no-resume-data", "have nothing to resume a kept file with", .losesResumeData),
        .file("temporary-file-stays", "leave the file of a callback where it is", .keepsTemporaryFile, as: .session),
    ]

    private static func file(
        _ label: String, _ name: String, _ fault: DownloadFault, as shape: ReferenceShape = .download
    ) -> Breakage {
        setting(label, name, as: shape) { $0.downloadFault = fault }
    }

    // MARK: Cookies that are stored or sent wrongly (RFC 6265 §5)

    private static let cookies = each(CookieFault.self) { $0.cookieFault = $1 }

    // MARK: Rewritten requests (R7), which no callback of a session reports

    private static let rewriting: [Breakage] = [
        .actions(
            "rewriting-told-as-a-redirect", "tell a session of its own rewriting of a URL as of a redirect", keeping: ()
        ) { actions, event, loader, _ in
            guard event == .start, loader.request.url.isRespelled, let head = movedHead else { return actions }
            let response = LoadResponse(url: loader.request.url, head: head)
            return [.tell(.redirect(to: loader.request, from: response))] + actions
        }
    ]

    // MARK: Defaults of missing delegate methods, and questions to old delegates

    private static let methods: [Breakage] = [
        .calls("stops-without-the-method", "deliver a redirect where the delegate has no method for it") { call in
            guard case .redirect = call else { return .placing(call) }
            var told = PlacedCall(call)
            told.otherDefault = .redirectAnswered(nil)
            return [told]
        },
        .calls("says-nothing-of-a-rewriting", "tell a connection nothing of a URL that it rewrites", of: .connection) {
            call in
            if case .canonicalize = call { [] } else { .placing(call) }
        },
        .calls("announces-another-url", "tell a connection of another URL than the one it asks for", of: .connection) {
            call in
            guard case .canonicalize(var request) = call, let url = try? request.url.resolving(location: [0x61]) else {
                return .placing(call)
            }
            request.url = url
            return .placing(.canonicalize(request))
        },
        .setting("storage-against-its-will", "use a stored credential whatever the delegate says", as: .connection) {
            $0.legacyFault = .usesStorageAlways
        },
    ]

    // MARK: Files of NSURLDownload

    private static let downloadFiles: [Breakage] = [
        .setting("decodes-into-the-wrong-fork", "keep the resource fork of an encoded file", as: .download) {
            $0.legacyFault = .keepsResources
        },
        .setting("decodes-what-it-may-not", "decode a file whatever the delegate says", as: .download) {
            $0.legacyFault = .decodesAlways
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
        self.init(
            space: ProtectionSpace(kind: "digest", origin: response.url.origin, realm: realm), previousFailureCount: 0,
            response: response)
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
