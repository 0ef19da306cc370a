import ProctorBase
import ProctorEvents
import ProctorHTTP
import ProctorRules
import ProctorScenario

/// Compares a challenge with the fields of the 401 or 407 that caused it (RFC 9110 §11).
enum ChallengeCheck: LoadContentCheck {
    static func faults(in load: ContentLoad) -> [ContentFault] {
        let asked = lastHandshakes(load)
        return load.events.indices.flatMap { index -> [ContentFault] in
            let event = load.events[index]
            guard event.name == .challenge, event.lane != .session, let argument = event.argument else { return [] }
            if let fault = scopeFault(event) ?? userFault(event, load) { return [fault] }
            if event.isOfTLS { return asked.contains(index) ? ofTLS(event, index, load) : [] }
            let isProxy = argument.hasPrefix("proxy")
            let kind = (isProxy ? String(argument.dropFirst(5)) : argument).lowercased()
            let status = isProxy ? 407 : 401
            guard let exchange = load.latestExchange(before: index, includingTunnels: isProxy),
                exchange.status == status
            else { return [] }
            let field = isProxy ? "Proxy-Authenticate" : "WWW-Authenticate"
            return ofField(event, kind: kind, field, exchange: exchange)
                + ofPlace(event, exchange, isProxy: isProxy, ownScheme: load.ownScheme)
                + ofCount(event, index, load: load, isProxy: isProxy)
        }
    }

    /// `scope` must say which delegate method of URLSession was called: the session's method names no task, the task's
    /// method does.
    private static func scopeFault(_ event: TraceEvent) -> ContentFault? {
        guard let scope = event.facts.text(.scope), let method = event.facts.text(.sel),
            method.utf8.starts(with: "urlSession(".utf8) || method.utf8.starts(with: "URLSession:".utf8)
        else { return nil }
        let wanted =
            method.utf8.starts(with: "urlSession(_:task:".utf8) || method.utf8.starts(with: "URLSession:task:".utf8)
            ? "task" : "session"
        guard scope != wanted else { return nil }
        return event.fault(
            "scope", wanted: wanted, got: EventText.printable(scope), reason: "sel is \(EventText.printable(method))")
    }

    /// A credential is proposed that failed before, or that is stored: each is one that the program gave
    /// (URLAuthenticationChallenge.proposedCredential).
    private static func userFault(_ event: TraceEvent, _ load: ContentLoad) -> ContentFault? {
        guard let user = event.facts.text(.proposedUser), let users = load.users, !users.contains(user) else {
            return nil
        }
        return event.fault(
            "proposedUser",
            wanted: (["none"] + users.sorted().map { ContentFault.quoted($0) }).joined(separator: " or "),
            got: ContentFault.quoted(user), reason: "the program gives no credential of another user")
    }

    /// The last TLS challenge before each request; an earlier one was for another server.
    private static func lastHandshakes(_ load: ContentLoad) -> Set<Int> {
        var last: [Int: Int] = [:]
        for (index, event) in load.events.enumerated() where event.name == .challenge && event.isOfTLS {
            if let count = load.begunCount(before: index) { last[count] = index }
        }
        return Set(last.values)
    }

    /// A TLS challenge is about the server of the next request, or about the proxy that it is sent to; no credential was
    /// tried before, and there is no realm.
    private static func ofTLS(_ event: TraceEvent, _ index: Int, _ load: ContentLoad) -> [ContentFault] {
        if let connect = load.securedConnect(after: index) {
            return ofPlace(event, connect, isProxy: true, ownScheme: nil)
        }
        guard let next = load.exchange(after: index), next.url?.origin.scheme == .https else { return [] }
        var faults = ofPlace(event, next, isProxy: false, ownScheme: load.ownScheme)
        if let realm = event.facts.text(.realm), !realm.isEmpty {
            faults.append(
                event.fault(
                    "realm", wanted: "none", got: ContentFault.quoted(realm),
                    reason: "a certificate has no realm (NSURLProtectionSpace.realm)"))
        }
        if let failures = event.facts.integer(.failures), failures != 0, event.argument == "serverTrust" {
            faults.append(
                event.fault(
                    "failures", wanted: "0", got: "\(failures)", reason: "no credential was sent in a handshake",
                    rule: 17))
        }
        return faults
    }

    private static func ofField(
        _ event: TraceEvent, kind: String, _ name: String, exchange: SeenExchange
    ) -> [ContentFault] {
        let values = exchange.replyFields.all(named: name).map(\.bytes)
        let reader = ChallengeReader(values)
        guard !values.isEmpty, reader.violations.isEmpty, isHTTP(kind) else { return [] }
        let shown = values.map { WireText.quoted($0) }.joined(separator: ", ")
        let offered = reader.challenges.filter { $0.isScheme(kind) }
        guard !offered.isEmpty else {
            return [
                event.fault(
                    "authentication method",
                    wanted: reader.challenges.map { $0.scheme.lowercased() }.joined(separator: " or "), got: kind,
                    reason: "\(name) was \(shown) (RFC 9110 §11.6.1)")
            ]
        }
        guard let realm = event.facts.text(.realm), !offered.contains(where: { $0.isRealm(realm) }) else { return [] }
        let realms = offered.map { ContentFault.quoted($0.realm ?? "") }
        return [
            event.fault(
                "realm", wanted: realms.joined(separator: " or "), got: ContentFault.quoted(realm),
                reason: "\(name) was \(shown) (RFC 9110 §11.5)")
        ]
    }

    /// Whether the kind has a challenge field; false for a kind of challenge that only a platform has.
    private static func isHTTP(_ kind: String) -> Bool { SchemeNames.ofHTTP.contains(kind) }

    /// Host, port and protocol must be those of the request, or those of the proxy.
    private static func ofPlace(
        _ event: TraceEvent, _ exchange: SeenExchange, isProxy: Bool, ownScheme: String?
    ) -> [ContentFault] {
        let origin = exchange.url.map { (host: $0.origin.host, port: $0.origin.port) }
        guard let (host, port) = isProxy ? exchange.local : origin else { return [] }
        let reason = isProxy ? "the proxy that asked stands there" : "the request went there (RFC 9110 §11.5)"
        var faults: [ContentFault] = []
        if let got = event.facts.text(.host), !isSame(got, host, isProxy: isProxy) {
            faults.append(
                event.fault("host", wanted: ContentFault.quoted(host), got: ContentFault.quoted(got), reason: reason))
        }
        if let got = event.facts.integer(.port), got != port {
            faults.append(event.fault("port", wanted: "\(port)", got: "\(got)", reason: reason))
        }
        if !isProxy, let scheme = exchange.url?.origin.scheme.rawValue, let got = event.facts.text(.protocol),
            got.lowercased() != scheme, got.lowercased() != ownScheme?.lowercased()
        {
            faults.append(event.fault("protocol", wanted: scheme, got: ContentFault.quoted(got), reason: reason))
        }
        return faults
    }

    /// Whether the host names are equal; a client may use a proxy's name instead of its address.
    private static func isSame(_ got: String, _ wanted: String, isProxy: Bool) -> Bool {
        func bare(_ host: String) -> String { host.lowercased().filter { $0 != "[" && $0 != "]" } }
        if bare(got) == bare(wanted) { return true }
        let isAddress = bare(got).allSatisfy { $0.isHexDigit || $0 == "." || $0 == ":" }
        return isProxy && !isAddress
    }

    /// The count of failures may only include credentials that the client sent.
    private static func ofCount(_ event: TraceEvent, _ index: Int, load: ContentLoad, isProxy: Bool) -> [ContentFault] {
        guard let failures = event.facts.integer(.failures),
            let sent = load.credentialCount(before: index, isProxy: isProxy),
            failures > sent || failures < 0
        else { return [] }
        return [
            event.fault(
                "failures", wanted: sent == 0 ? "0" : "at most \(sent)", got: "\(failures)",
                reason: "\(Plural.count(sent, "request")) came with a credential", rule: 17)
        ]
    }
}

extension AuthenticationChallenge {
    /// Whether the realm is this text, as UTF-8 or as Latin-1 (RFC 9110 §5.5 leaves the encoding open).
    fileprivate func isRealm(_ text: String) -> Bool {
        guard let parameter = self[parameter: "realm"] else { return text.isEmpty }
        if parameter.bytes == Array(text.utf8) { return true }
        return text.unicodeScalars.count == parameter.bytes.count
            && zip(text.unicodeScalars, parameter.bytes).allSatisfy { $0.value == UInt32($1) }
    }
}
