public import ProctorHTTP
internal import ProctorReference

/// A way to send credentials or cookies wrongly, or to speak TLS wrongly, that no callback rule is broken by: what came over
/// the wire shows it, and of a credential a guard names it.
public struct BrokenWire: Sendable {
    /// What a guard finds in such a credential; nil: there is a credential, or a question, that should not be there, or it
    /// is none of a credential.
    public let fault: CredentialFault.Kind?
    /// What is done in the right thing's place.
    public let breakage: Breakage

    /// Every way, in the order of the code; each once.
    public static let all = digest + otherSchemes + places + security + routes + cookies + rewriting

    /// `change` is given each request before it is sent, and keeps what it wants to remember of one load.
    static func sending<Memory: Sendable>(
        _ label: String, _ name: String, says fault: CredentialFault.Kind?, keeping memory: Memory,
        _ change: @escaping @Sendable (_ request: inout ClientRequest, _ memory: inout Memory) -> Void
    ) -> BrokenWire {
        actions(label, name, says: fault, keeping: memory) { actions, _, _, memory in
            actions.map { action in
                guard case .send(var request, let onNewConnection) = action else { return action }
                change(&request, &memory)
                return .send(request, onNewConnection: onNewConnection)
            }
        }
    }

    /// `change` says what is done in place of all that came of an event.
    static func actions<Memory: Sendable>(
        _ label: String, _ name: String, says fault: CredentialFault.Kind?, keeping memory: Memory,
        _ change: @escaping ActionChange<Memory>.Change
    ) -> BrokenWire {
        var breakage = Breakage(label, name)
        breakage.makeActionFilter = { ActionChange(memory: memory, change: change) }
        return BrokenWire(fault: fault, breakage: breakage)
    }

    /// `change` is given the value of each Authorization field of a scheme.
    static func credential(
        _ label: String, _ name: String, of scheme: String, says fault: CredentialFault.Kind,
        _ change: @escaping @Sendable (_ value: String) -> String
    ) -> BrokenWire {
        sending(label, name, says: fault, keeping: ()) { request, _ in
            guard let value = request.fields.value(of: "Authorization"),
                value.lowercased().hasPrefix("\(scheme) ")
            else { return }
            request.fields.set("Authorization", to: change(value))
        }
    }

    // MARK: What a server sees of a client that keeps or sends cookies wrongly (RFC 6265 §5)

    static let cookies: [BrokenWire] = [
        cookies(
            "cookies-end-at-a-redirect", "send no cookies with a request that follows a redirect", .forgottenByRedirects
        ),
        cookies(
            "cookies-of-a-whole-site", "send every cookie to the hosts beside its own, too", .sentToSiblings),
        cookies("cookies-live-for-ever", "take no notice of Expires and Max-Age", .neverExpires),
        cookies("secure-cookies-in-the-clear", "send cookies that say Secure over http", .sentInTheClear),
        cookies("cookies-to-every-path", "take no notice of the path of cookies", .sentToEveryPath),
        cookies("cookies-last-first", "send the cookies in the wrong order", .orderReversed),
        cookies("set-cookie-joined-by-commas", "join several Set-Cookie fields before reading them", .foldedByCommas),
        cookies("one-field-for-each-cookie", "send a Cookie field for each cookie", .oneFieldEach),
        cookies(
            "cookies-of-success-alone", "take no cookies from a reply that is no success", .takenFromSuccessAlone),
    ]

    private static func cookies(_ label: String, _ name: String, _ fault: CookieFault) -> BrokenWire {
        var breakage = Breakage(label, name)
        breakage.cookieFault = fault
        return BrokenWire(fault: nil, breakage: breakage)
    }

    // MARK: Proxies and tunnels (RFC 9110 §9.3.6, RFC 9112 §3.2)

    static let routes: [BrokenWire] = [
        actions(
            "origin-credential-in-connect", "send the proxy the credential of the origin when a tunnel is asked for",
            says: nil, keeping: HTTPField?.none
        ) { actions, _, _, credential in
            actions.map { action in
                if case .send(let request, _) = action { credential = request.fields.first(named: "Authorization") }
                guard case .openTunnel(var asked) = action, let credential else { return action }
                asked.fields.append(credential)
                return .openTunnel(asked)
            }
        },
        routed(
            "proxy-credential-in-the-tunnel", "send the origin the credential of the proxy inside the tunnel",
            .sendsProxyCredentialInTunnel),
        routed("origin-form-to-the-proxy", "send a proxy the path alone", .sendsOriginFormToProxy),
        routed("tunnel-of-another-origin", "use the tunnel to one origin for another one", .sharesTunnels),
        routed(
            "refused-tunnel-is-the-reply", "take the proxy's refusal of a tunnel for the origin's reply",
            .takesRefusalForReply),
        routed("connect-without-port", "leave the port out of the target of CONNECT", .connectsWithoutPort),
        routed("proxy-connection", "send proxies the field Proxy-Connection", .sendsProxyConnection),
    ]

    private static func routed(_ label: String, _ name: String, _ fault: TransportFault) -> BrokenWire {
        var breakage = Breakage(label, name)
        breakage.transportFault = fault
        return BrokenWire(fault: nil, breakage: breakage)
    }

    // MARK: What only the handshake shows: who is trusted, who the client says it is, and what it offers

    static let security: [BrokenWire] = [
        secured("every-server-is-trusted", "trust every server, and ask nobody", .trustsEverybody),
        secured("no-client-certificate", "show no certificate, and ask nobody which", .showsNoCertificate),
        secured("old-tls-alone", "offer nothing newer than TLS 1.1", .offersOldVersions),
        secured("no-session-is-resumed", "begin every connection by a full handshake", .keepsNoSessions),
    ]

    private static func secured(_ label: String, _ name: String, _ fault: ReferenceSecurity.Fault) -> BrokenWire {
        var breakage = Breakage(label, name)
        breakage.securityFault = fault
        return BrokenWire(fault: nil, breakage: breakage)
    }
}

/// Keeps the answer to a certificate until the same question was answered a second time.
struct HeldAnswer: Sendable {
    private var challenge: LoadChallenge?
    private var answer: LoadAction?

    mutating func filter(_ actions: [LoadAction], after event: LoadEvent) -> [LoadAction] {
        for case .tell(.challenge(let challenge)) in actions where challenge.trust != nil { self.challenge = challenge }
        guard case .challengeAnswered = event else { return actions }
        // The loader does not wait for the second answer.
        if let answer, actions.isEmpty {
            self.answer = nil
            return [answer]
        }
        guard let challenge, case .answerHandshake? = actions.first else { return actions }
        answer = actions.first
        self.challenge = nil
        return [.tell(.challenge(challenge))]
    }
}

/// A session has no callback for what its loader rewrites (R7), and the wire shows that no server redirected.
extension BrokenWire {
    static let rewriting: [BrokenWire] = [
        actions(
            "rewriting-told-as-a-redirect", "tell a session of its own rewriting of a URL as of a redirect", says: nil,
            keeping: ()
        ) { actions, event, loader, _ in
            guard event == .start, loader.request.url.isRespelled, let head = movedHead else { return actions }
            let response = LoadResponse(url: loader.request.url, head: head)
            return [.tell(.redirect(to: loader.request, from: response))] + actions
        }
    ]

    /// As no server has sent it.
    private static let movedHead: ReplyHead? = {
        var reader = ReplyReader()
        reader.expectReply(to: Array("GET".utf8))
        var offset = 0
        let bytes = Array("HTTP/1.1 301 Moved Permanently\r\nContent-Length: 0\r\n\r\n".utf8)
        guard case .head(let head)? = reader.next(bytes.span, at: &offset) else { return nil }
        return head
    }()
}
