internal import ProctorBase
internal import ProctorHTTP
import ProctorProgram
internal import ProctorReplies
package import ProctorScenario

/// A curl command line for a case, as far as curl can do the case.
package struct CurlLine: Sendable {
    private let steps: [CurlStep]

    /// One transfer for each step in one curl process, so that connections can be reused.
    ///
    /// With `speaksHTTP2` curl speaks HTTP/2 alone.
    package init(
        steps programs: [ClientProgram], scenario: Scenario, place: PlaceOfScenario, speaksHTTP2: Bool = false
    ) {
        steps = programs.reduce(into: []) { steps, program in
            steps.append(
                CurlStep(
                    program: program, session: programs.first?.session, before: steps.last, scenario: scenario,
                    place: place, speaksHTTP2: speaksHTTP2))
        }
    }

    /// A part of the case that curl can't do; nil when the line does all of it.
    package var shortfall: String? { steps.lazy.compactMap(\.shortfall).first }

    package var text: String {
        "curl " + steps.map { $0.words.map(ShellWords.quote).joined(separator: " ") }.joined(separator: " --next ")
    }
}

private struct CurlStep: Sendable {
    let program: ClientProgram
    let scenario: Scenario
    let place: PlaceOfScenario
    let speaksHTTP2: Bool
    /// Address of the session's proxy, or of the proxy to the scenario's names; nil: no proxy.
    let proxy: String?
    let session: SessionProgram?
    let route: CurlRoute
    /// The credential of an earlier step for the same guards, which a session keeps.
    let remembered: ClientProgram.Credential?
    /// The credential that the next step inherits, with the guards that it is for.
    let keeps: (credential: ClientProgram.Credential, guards: Set<Int>)?

    init(
        program: ClientProgram, session: SessionProgram?, before: CurlStep?, scenario: Scenario,
        place: PlaceOfScenario, speaksHTTP2: Bool
    ) {
        (self.program, self.speaksHTTP2, self.scenario, self.place) = (program, speaksHTTP2, scenario, place)
        // What a later step says is all that is so for it.
        let session = program.session ?? session
        self.session = session
        let asked = session?.proxy.flatMap { place.authorities.indices.contains($0) ? place.authorities[$0] : nil }
        proxy = asked ?? place.namesProxy
        let route = CurlRoute(
            from: Self.url(of: program, at: place), following: program.follows, of: scenario, at: place)
        self.route = route
        let own = program.onChallenge.compactMap(\.credential)
        let isSameSpace = before?.keeps.map { !$0.guards.isDisjoint(with: route.guards) || $0.guards == route.guards }
        remembered = own.isEmpty && isSameSpace == true ? before?.keeps?.credential : nil
        if let kept = own.first(where: { $0.persistence != .none }) {
            keeps = (kept, route.guards)
        } else {
            keeps = before?.keeps
        }
    }

    var words: [String] {
        var words = ["-i"]
        // Over TLS it selects by ALPN all the same.
        if speaksHTTP2 { words.append("--http2-prior-knowledge") }
        if program.follows { words.append(crossesWithCredentials ? "--location-trusted" : "-L") }
        switch program.method {
        case "GET": break
        case "HEAD": words.append("-I")
        // With -d curl uses POST by itself, and may change it to GET after a redirect, as browsers do.
        case "POST" where program.body != nil: break
        default: words += ["-X", program.method]
        }
        words += security
        words += cookies
        words += authentication
        for header in program.headers {
            words += ["-H", Self.typed(header.name) + ": " + Self.typed(header.value.rendered(in: context))]
        }
        if let body = program.body { words += ["--data-binary", data(body)] }
        let url = Self.url(of: program, at: place)
        // curl would read these as patterns of many URLs.
        if url.contains(where: { "[]{}".contains($0) }) { words.append("--globoff") }
        words.append(url)
        return words
    }

    private func rendered(_ text: Template) -> String { Self.typed(text.rendered(in: context)) }

    private static func url(of program: ClientProgram, at place: PlaceOfScenario) -> String {
        let bytes = program.url.rendered(in: place.context)
        if program.isURLVerbatim { return typed(bytes) }
        let start = bytes.firstIndex { $0 > 0x20 } ?? bytes.endIndex
        let (blanks, text) = (typed(Array(bytes[..<start])), typed(Array(bytes[start...])))
        return blanks + (text.isEmpty || text.hasPrefix("/") ? place.base : "") + text
    }

    /// UTF-8 text as a person would type it; control characters become escapes.
    private static func typed(_ bytes: [UInt8]) -> String {
        guard let text = String(validating: bytes, as: UTF8.self), bytes.allSatisfy({ $0 >= 0x20 && $0 != 0x7F }) else {
            return EscapedText.escape(bytes, limit: .max)
        }
        return text
    }

    private var context: TemplateContext { place.context }

    private func data(_ body: ByteSource) -> String {
        switch body {
        case .literal(let bytes): data(bytes)
        case .template(let template): data(template.rendered(in: context))
        case .file(let file): "@\(file.path)"
        case .repeated, .pattern: "@FILE"
        }
    }

    /// Bytes as text, or the name of a file for bytes that can't be typed.
    private func data(_ bytes: [UInt8]) -> String {
        let isPrintable = bytes.allSatisfy { (0x20...0x7E).contains($0) } && bytes.first != UInt8(ascii: "@")
        return isPrintable && bytes.count <= 1_000 ? String(decoding: bytes, as: UTF8.self) : "@FILE"
    }

    // MARK: Options

    /// curl keeps cookies only after an option has started its cookie engine.
    private var cookies: [String] {
        guard session?.cookies ?? .always == .always, scenario.isAboutCookies else { return [] }
        return ["--cookie", ""]
    }

    private var security: [String] {
        guard let trust = place.trust else { return [] }
        var words: [String] = []
        if program.onChallenge.contains(where: \.isTrust) {
            words.append("-k")
        } else if session?.trust ?? .authority == .authority {
            words += ["--cacert", trust.authority]
        }
        let name = session?.identity ?? program.onChallenge.lazy.compactMap(\.identityName).first
        if let identity = name.flatMap({ trust.identities[$0] }) {
            words += ["--cert", identity.certificate, "--key", identity.key]
        }
        return words
    }
}

extension CurlStep {
    /// Options for the proxy and for credentials, with the schemes of the scenario's guards.
    private var authentication: [String] {
        let asked = session?.proxy.map { scenario.origins[$0] }
        let isSecured = asked?.scheme == .https
        let urlScheme =
            asked?.socks == nil ? isSecured ? "https" : "http" : (session?.proxyProtocol ?? .socks5h).urlScheme
        var words = proxy.map { ["--proxy", "\(urlScheme)://\($0)"] } ?? []
        if let user = session?.proxyUser { words += ["--proxy-user", "\(user):\(session?.proxyPassword ?? "")"] }
        if let hosts = session?.noProxy { words += ["--noproxy", hosts.map(rendered).joined(separator: ",")] }
        if isSecured, let trust = place.trust { words += ["--proxy-cacert", trust.authority] }
        for (credential, isProxy) in placed {
            words += Self.options(credential, isProxy: isProxy, scheme: scheme(ofProxies: isProxy))
        }
        if placed.isEmpty, hasCredentialInURL { words.append("--" + scheme(ofProxies: false)) }
        return words
    }

    /// One credential for the proxy and one for the origin, each where a guard challenges.
    private var placed: [(credential: ClientProgram.Credential, isProxy: Bool)] {
        if let remembered { return [(remembered, asks.first ?? false)] }
        guard asks.count > 1 else { return credentials.prefix(1).map { ($0, asks.first ?? false) } }
        var left = program.onChallenge[...]
        // The proxy challenges first.
        return asks.compactMap { isProxy in
            guard let answer = left.first else { return nil }
            if left.count > 1 { left.removeFirst() }
            return answer.credential.map { ($0, isProxy) }
        }
    }

    private var credentials: [ClientProgram.Credential] { program.onChallenge.compactMap(\.credential) }

    /// Whether an origin after a redirect needs the credential, which `-L` does not send there.
    private var crossesWithCredentials: Bool { !placed.isEmpty && proxy == nil && route.asksElsewhere }

    /// The guards of the exchanges on the program's route, or all guards where the route is unknown.
    private var guards: [Guard] {
        let indexes = route.exchanges.isEmpty ? Set(scenario.exchanges.flatMap(\.guards)) : route.guards
        return indexes.sorted().map { scenario.guards[$0] }
    }

    /// Whether the URL has user information, as in `http://user:pass@host/`.
    private var hasCredentialInURL: Bool {
        guard case .literal(let bytes)? = program.url.parts.first else { return false }
        let text = String(decoding: bytes, as: UTF8.self)
        guard let scheme = text.firstRange(ofText: "://") else { return false }
        return text[scheme.upperBound...].prefix { $0 != "/" && $0 != "?" }.contains("@")
    }

    /// True where a proxy challenges, then false where an origin does; without a guard a 401 or 407 reply counts.
    private var asks: [Bool] {
        let proxies = Set(guards.map(\.isProxy))
        if proxies.isEmpty { return [proxy != nil] }
        return [true, false].filter(proxies.contains)
    }

    /// `digest` where it is the only offer, `basic` for a credential without challenge, `anyauth` otherwise.
    private func scheme(ofProxies isProxy: Bool) -> String {
        let names = schemes(ofProxies: isProxy)
        if names == ["digest"], program.body == nil { return "digest" }
        return remembered != nil && names == ["basic"] ? "basic" : "anyauth"
    }

    private func schemes(ofProxies isProxy: Bool) -> Set<String> {
        let names = guards.filter { $0.isProxy == isProxy }.flatMap(\.schemes).compactMap { scheme in
            switch scheme {
            case .basic: "basic"
            case .digest: "digest"
            case .other(let offer): offer.isOfConnection ? offer.scheme.lowercased() : nil
            case .verbatim: nil
            }
        }
        return Set(names)
    }

    private static func options(_ credential: ClientProgram.Credential, isProxy: Bool, scheme: String) -> [String] {
        if let token = credential.token {
            return [isProxy ? "--proxy-header" : "-H", "\(isProxy ? "Proxy-" : "")Authorization: Bearer \(token)"]
        }
        let prefix = isProxy ? "--proxy-" : "--"
        return [prefix + scheme, "\(prefix)user", credential.typed]
    }

    // MARK: What curl can't do

    /// A part of the program that curl can't do; nil when the options do all of it.
    var shortfall: String? {
        for answer in program.onRedirect {
            if case .change = answer { return "curl can't answer a redirect with a request of its own" }
        }
        let follows = program.onRedirect.map { if case .follow = $0 { true } else { false } }
        if Set(follows).count > 1 { return "curl follows all redirects or none" }
        if let reason = answerShortfall ?? credentialShortfall { return reason }
        if session?.httpsProxy != nil { return "curl is told of a proxy for https by its environment alone" }
        if program.isReference { return "curl takes no base URL" }
        if words.contains("@FILE") { return "FILE is to hold the body, which can't be typed" }
        return nil
    }

    private var answerShortfall: String? {
        let answers = program.onChallenge
        guard let first = answers.first else { return nil }
        if let obstacle = program.step.obstacle(in: .curl) { return obstacle }
        for answer in answers {
            if case .twice = answer { return "curl gives an answer once" }
            if case .cancelTaskThenUse = answer { return "curl can't cancel and answer" }
        }
        let offered = hasCredentialInURL ? 1 : 0
        if Set(credentials.map(\.typed)).count + offered > max(placed.count, offered) {
            return "curl gives one answer to every challenge"
        }
        // A caller's own credential is expected to be valid, so no challenge follows.
        guard remembered == nil, !sendsItsOwn else { return nil }
        switch first {
        case .use, .twice, .cancelTaskThenUse, .performDefault, .trust, .identity: return nil
        case .cancel, .cancelTask: return "curl can't cancel at a challenge, and takes its response"
        case .reject: return "curl can't reject a challenge, and takes its response"
        case .useNone: return "curl isn't asked, and takes the response of the challenge"
        case .never: return "curl can't leave a challenge unanswered"
        }
    }

    private var sendsItsOwn: Bool {
        program.headers.contains {
            $0.name.isFieldName("authorization") || $0.name.isFieldName("proxy-authorization")
        }
    }

    private var credentialShortfall: String? {
        for (credential, isProxy) in placed {
            if credential.token != nil, remembered == nil { return "curl doesn't wait to be asked for a token" }
            if credential.user.contains(":") { return "curl parts user and password at the first colon" }
            let names = schemes(ofProxies: isProxy)
            if remembered != nil, names != ["basic"] { return "curl has to be asked again in each step" }
            if program.body != nil, names == ["digest"], wantsContentHash(ofProxies: isProxy) {
                return "curl hashes an empty content for auth-int"
            }
        }
        return nil
    }

    private func wantsContentHash(ofProxies isProxy: Bool) -> Bool {
        guards.filter { $0.isProxy == isProxy }.flatMap(\.schemes).contains { scheme in
            guard case .digest(let offer) = scheme else { return false }
            return offer.qops == [.integrity]
        }
    }
}

extension ClientProgram {
    fileprivate var follows: Bool {
        if case .follow? = onRedirect.first { true } else { false }
    }
}

extension ClientProgram.ChallengeAnswer {
    var credential: ClientProgram.Credential? {
        switch self {
        case .use(let credential), .twice(let credential), .cancelTaskThenUse(let credential): credential
        case .cancelTask, .useNone, .performDefault, .cancel, .reject, .never, .trust, .identity: nil
        }
    }

    fileprivate var isTrust: Bool {
        if case .trust = self { true } else { false }
    }

    fileprivate var identityName: String? {
        if case .identity(let name) = self { name } else { nil }
    }
}

extension ClientProgram.Credential {
    var typed: String { token ?? "\(user):\(password)" }
}

extension Scenario {
    fileprivate var isAboutCookies: Bool {
        exchanges.lazy.flatMap(\.replies).contains { reply in
            reply.structured?.headers.contains { $0.name.isFieldName("set-cookie") } ?? false
        } || cases.contains { $0.cookies != nil }
    }
}
