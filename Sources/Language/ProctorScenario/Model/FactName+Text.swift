import ProctorBase
import ProctorDocument
import ProctorHTTP
package import ProctorProgram

/// Why a text is no fact name.
package struct FactNameError: Error, Sendable, Equatable {
    package let sentence: String
    /// The probable correction, or the permitted values.
    package let hint: String?
}

extension FactName {
    /// Reads a name as fixtures write it: `wire[0].headers.Cookie`, `step[1].status`.
    package init(parsing text: String) throws(FactNameError) {
        if text == "wire.count" {
            self = .requestCount
        } else if text == "tunnels" {
            self = .tunnelCount
        } else if text == "pipelined" {
            self = .pipelinedCount
        } else if let name = text.dropping(prefix: "client.") {
            self = .spent(try Self.choice(name, "client."))
        } else if text == "connections" {
            self = .connectionCount
        } else if let fact = try Self.ofTLS(text) {
            self = fact
        } else if let (index, rest) = try Self.indexed(text, "wire") {
            self = .wire(index: index, try WireFact(parsing: rest, prefix: "wire[\(index)]."))
        } else if let (index, rest) = try Self.indexed(text, "connection") {
            self = .connection(index: index, try Self.choice(rest, "connection[\(index)]."))
        } else if let fact = try Self.ofHTTP2(text) {
            self = fact
        } else if let (index, rest) = try Self.indexed(text, "socks") {
            self = .socks(index: index, try Self.choice(rest, "socks[\(index)]."))
        } else if text == "dns.count" {
            self = .questionCount
        } else if text == "dns.questions" {
            self = .questions
        } else if let (index, rest) = try Self.indexed(text, "dns") {
            self = .dns(index: index, try Self.choice(rest, "dns[\(index)]."))
        } else if text == "ws.count" {
            self = .webSocketCount
        } else if let (index, rest) = try Self.indexed(text, "ws") {
            self = .webSocket(index: index, try Self.choice(rest, "ws[\(index)]."))
        } else if let (step, rest) = try Self.indexed(text, "step") {
            self = .client(step: step, try ClientFact(parsing: rest, prefix: "step[\(step)]."))
        } else if let name = text.dropping(prefix: "auth.") {
            let words = name.split(separator: ".", maxSplits: 1, omittingEmptySubsequences: false)
            if words.count == 2, let fact = GuardFact(rawValue: String(words[1])) {
                throw FactNameError(
                    sentence: "unknown fact \(quoted(text))", hint: "write \"auth[\(words[0])].\(fact.rawValue)\"")
            }
            self = .guarding(guardName: nil, try Self.choice(name, "auth."))
        } else if let (guardName, name) = try Self.guardName(text) {
            self = .guarding(guardName: guardName, try Self.choice(name, "auth[\(guardName)]."))
        } else if let fact = try ClientFact(parsing: text) {
            self = .client(step: 0, fact)
        } else {
            let guardNames = GuardFact.allCases.map { "auth.\($0.rawValue)" }
            let names =
                ClientFact.names + [
                    "wire.count", "connections", "tunnels", "pipelined", "client.memory", "client.processor",
                    "tls.handshakes", "tls.failures",
                    "h2.connections",
                    "h2.streams", "ws.count",
                ]
                + guardNames + [
                    "wire[0].", "connection[0].", "tls[0].", "stream[0].", "h2[0].", "ws[0].", "socks[0].", "dns[0].",
                ]
            throw FactNameError(
                sentence: "unknown fact \(quoted(text))",
                hint: NearestName.find(text, in: names).map { "did you mean \"\($0)\"?" }
                    ?? "known facts: \(names.dropLast(8).joined(separator: ", ")), auth[GUARD].…, wire[N].…, "
                    + "connection[N].…, tls[N].…, stream[N].…, h2[N].…, ws[N].…, socks[N].…, dns[N].…, step[N].…"
            )
        }
    }

    /// Reads `tls.…` and `tls[N].…`; nil for any other text.
    private static func ofTLS(_ text: String) throws(FactNameError) -> FactName? {
        switch text {
        case "tls.handshakes": return .handshakeCount
        case "tls.failures": return .handshakeFailureCount
        default: break
        }
        if let (index, rest) = try indexed(text, "tls") {
            return .tls(index: index, try choice(rest, "tls[\(index)]."))
        }
        guard let name = text.dropping(prefix: "tls.") else { return nil }
        if TLSFact(rawValue: name) != nil {
            throw FactNameError(
                sentence: "unknown fact \(quoted(text))", hint: "write \"tls[0].\(name)\" for the first handshake")
        }
        throw .unknown(name, below: "tls.", among: ["handshakes", "failures"])
    }

    /// Reads `h2.…`, `h2[N].…`, `stream[N].…`, `h3.…` and `h3[N].…`; nil for any other text.
    private static func ofHTTP2(_ text: String) throws(FactNameError) -> FactName? {
        switch text {
        case "h2.connections": return .http2ConnectionCount
        case "h2.streams": return .streamCount
        default: break
        }
        if let (index, rest) = try indexed(text, "stream") {
            return .stream(index: index, try choice(rest, "stream[\(index)]."))
        }
        if let (index, rest) = try indexed(text, "h2") {
            return .http2(index: index, try choice(rest, "h2[\(index)]."))
        }
        if text == "h3.connections" { return .http3ConnectionCount }
        if let (index, rest) = try indexed(text, "h3") {
            return .http3(index: index, try choice(rest, "h3[\(index)]."))
        }
        if let name = text.dropping(prefix: "h3.") {
            if HTTP3Fact(rawValue: name) != nil {
                throw FactNameError(
                    sentence: "unknown fact \(quoted(text))", hint: "write \"h3[0].\(name)\" for the first connection")
            }
            throw .unknown(name, below: "h3.", among: ["connections"])
        }
        guard let name = text.dropping(prefix: "h2.") else { return nil }
        if HTTP2Fact(rawValue: name) != nil {
            throw FactNameError(
                sentence: "unknown fact \(quoted(text))", hint: "write \"h2[0].\(name)\" for the first connection")
        }
        throw .unknown(name, below: "h2.", among: ["connections", "streams"])
    }

    /// Splits `auth[GUARD].rest`; nil when the text does not begin with `auth[`.
    private static func guardName(_ text: String) throws(FactNameError) -> (String, String)? {
        guard let tail = text.dropping(prefix: "auth[") else { return nil }
        let name = tail.prefix { $0 != "]" }
        let rest = tail.dropFirst(name.count)
        guard !name.isEmpty, rest.hasPrefix("].") else {
            throw FactNameError(
                sentence: "expected auth[GUARD].NAME with the name of a guard, found \(quoted(text))", hint: nil)
        }
        return (String(name), String(rest.dropFirst(2)))
    }

    package var text: String {
        switch self {
        case .requestCount: "wire.count"
        case .tunnelCount: "tunnels"
        case .pipelinedCount: "pipelined"
        case .spent(let resource): "client.\(resource.rawValue)"
        case .wire(let index, let fact): "wire[\(index)].\(fact.text)"
        case .connectionCount: "connections"
        case .connection(let index, let fact): "connection[\(index)].\(fact.rawValue)"
        case .guarding(nil, let fact): "auth.\(fact.rawValue)"
        case .guarding(let name?, let fact): "auth[\(name)].\(fact.rawValue)"
        case .handshakeCount: "tls.handshakes"
        case .handshakeFailureCount: "tls.failures"
        case .tls(let index, let fact): "tls[\(index)].\(fact.rawValue)"
        case .socks(let index, let fact): "socks[\(index)].\(fact.rawValue)"
        case .questionCount: "dns.count"
        case .questions: "dns.questions"
        case .dns(let index, let fact): "dns[\(index)].\(fact.rawValue)"
        case .http2ConnectionCount: "h2.connections"
        case .streamCount: "h2.streams"
        case .stream(let index, let fact): "stream[\(index)].\(fact.rawValue)"
        case .http2(let index, let fact): "h2[\(index)].\(fact.rawValue)"
        case .http3ConnectionCount: "h3.connections"
        case .http3(let index, let fact): "h3[\(index)].\(fact.rawValue)"
        case .webSocketCount: "ws.count"
        case .webSocket(let index, let fact): "ws[\(index)].\(fact.rawValue)"
        case .client(0, let fact): fact.text
        case .client(let step, let fact): "step[\(step)].\(fact.text)"
        }
    }

    /// Splits `prefix[N].rest`; nil when the text does not begin with `prefix[`.
    ///
    /// `outer` is written before the text in messages.
    fileprivate static func indexed(
        _ text: String, _ prefix: String, within outer: String = ""
    ) throws(FactNameError) -> (Int, String)? {
        guard let tail = text.dropping(prefix: "\(prefix)[") else { return nil }
        let digits = tail.prefix { $0 != "]" }
        let rest = tail.dropFirst(digits.count)
        guard !digits.isEmpty, digits.utf8.allSatisfy(\.isASCIIDigit), let index = Int(digits),
            Bounds.index.contains(index), rest.hasPrefix("].")
        else {
            throw FactNameError(
                sentence:
                    "expected \(outer)\(prefix)[N].NAME with N from 0 to \(Bounds.index.upperBound), found "
                    + quoted(outer + text),
                hint: nil)
        }
        return (index, String(rest.dropFirst(2)))
    }

    fileprivate static func choice<Choice: RawRepresentable<String> & CaseIterable>(
        _ name: String, _ prefix: String
    ) throws(FactNameError) -> Choice {
        if let choice = Choice(rawValue: name) { return choice }
        throw .unknown(name, below: prefix, among: Choice.allCases.map(\.rawValue))
    }
}

extension FactName.ClientFact {
    private static let plain: [(name: String, fact: FactName.ClientFact)] = [
        ("status", .status), ("url", .url), ("body", .body), ("mime", .mime), ("suggestedName", .suggestedName),
        ("expectedLength", .expectedLength), ("error", .error), ("body.length", .bodyLength),
        ("textEncodingName", .textEncodingName), ("statusText", .statusText), ("error.message", .errorMessage),
        ("error.message.length", .errorMessageLength), ("willCache.storage", .proposedStorage),
        ("metrics.protocol", .measuredProtocol),
        ("stored.cookies", .storedCookies), ("file", .file), ("fileExists", .fileExists), ("files", .files),
        ("temporaryFileExists", .temporaryFileExists), ("resumeData", .resumeData), ("messages", .messages),
        ("close.code", .closeCode), ("close.reason", .closeReason), ("protocol", .chosenProtocol),
        ("events", .events), ("events.count", .eventCount), ("retries", .retries),
    ]

    /// The names for messages.
    fileprivate static let names =
        plain.map(\.name) + [
            "header.NAME", "redirect[N].NAME", "events[N].NAME", "stored.cookies.NAME", "stored.PROPERTY.NAME",
            "cached.NAME",
        ]

    /// nil for a text that is none of these facts.
    fileprivate init?(parsing text: String) throws(FactNameError) {
        if let field = text.dropping(prefix: "header."), field.isFieldName {
            self = .header(field)
        } else if let (index, rest) = try FactName.indexed(text, "redirect") {
            self = .redirect(index: index, try FactName.RedirectFact(parsing: rest, prefix: "redirect[\(index)]."))
        } else if let (index, rest) = try FactName.indexed(text, "events") {
            self = .event(index: index, try FactName.choice(rest, "events[\(index)]."))
        } else if let known = Self.plain.first(where: { $0.name == text }) {
            self = known.fact
        } else if let cookie = text.dropping(prefix: "stored.cookies."), !cookie.isEmpty {
            self = .storedCookie(cookie)
        } else if let (property, name) = try Self.property(text) {
            self = .storedProperty(property, name: name)
        } else if let note = text.dropping(prefix: "cached.notes."), !note.isEmpty {
            self = .cachedNote(note)
        } else if let rest = text.dropping(prefix: "cached.") {
            self = .cached(try FactName.choice(rest, "cached."))
        } else {
            return nil
        }
    }

    /// Splits `stored.PROPERTY.NAME`; nil when the text does not begin with `stored.`.
    private static func property(_ text: String) throws(FactNameError) -> (FactName.CookieProperty, String)? {
        guard let rest = text.dropping(prefix: "stored.") else { return nil }
        let parts = rest.split(separator: ".", maxSplits: 1, omittingEmptySubsequences: false).map(String.init)
        guard parts.count == 2, !parts[1].isEmpty, let property = FactName.CookieProperty(rawValue: parts[0]) else {
            let properties = FactName.CookieProperty.allCases.map { "\($0.rawValue).NAME" }
            throw .unknown(rest, below: "stored.", among: ["cookies", "cookies.NAME"] + properties)
        }
        return (property, parts[1])
    }

    fileprivate init(parsing text: String, prefix: String) throws(FactNameError) {
        guard let fact = try Self(parsing: text) else { throw .unknown(text, below: prefix, among: Self.names) }
        self = fact
    }

    package var text: String {
        switch self {
        case .header(let name): "header.\(name)"
        case .storedCookie(let name): "stored.cookies.\(name)"
        case .storedProperty(let property, let name): "stored.\(property.rawValue).\(name)"
        case .cached(let fact): "cached.\(fact.rawValue)"
        case .cachedNote(let name): "cached.notes.\(name)"
        case .redirect(let index, .header(let name)): "redirect[\(index)].header.\(name)"
        case .redirect(let index, .status): "redirect[\(index)].status"
        case .redirect(let index, .url): "redirect[\(index)].url"
        case .event(let index, let fact): "events[\(index)].\(fact.rawValue)"
        default: Self.plain.first { $0.fact == self }?.name ?? ""
        }
    }

    /// The store that is read for the fact; nil for other facts.
    package var store: StoreToRead? {
        switch self {
        case .storedCookies, .storedCookie, .storedProperty: .cookies
        case .cached, .cachedNote: .cached
        default: nil
        }
    }

    /// The name of the field that the client looks up for the fact; nil for other facts.
    package var fieldName: String? {
        switch self {
        case .header(let name), .redirect(_, .header(let name)): name
        default: nil
        }
    }
}

extension FactName.RedirectFact {
    fileprivate init(parsing text: String, prefix: String) throws(FactNameError) {
        switch text {
        case "status": self = .status
        case "url": self = .url
        default:
            guard let field = text.dropping(prefix: "header."), field.isFieldName else {
                throw .unknown(text, below: prefix, among: ["status", "url", "header.NAME"])
            }
            self = .header(field)
        }
    }
}

extension FactName.WireFact {
    private static let plain: [(name: String, fact: FactName.WireFact)] = [
        ("method", .method), ("target", .target), ("version", .version), ("body", .body),
        ("body.length", .bodyLength), ("connection", .connection), ("origin", .origin), ("violations", .violations),
        ("fields", .fieldNames), ("gap", .gap), ("framing", .framing), ("chunks", .chunks), ("parts", .partCount),
        ("auth", .guardOutcome), ("auth.faults", .guardFaults), ("cookies", .cookieNames), ("target-form", .targetForm),
        ("authority", .authority), ("chunk-lines", .chunkLines), ("withheld", .withheld), ("opaque", .opaque),
        ("opaque.length", .opaqueLength), ("stream", .stream), ("reused", .reused), ("behind", .behind),
        ("coalesced", .coalesced),
    ]

    fileprivate init(parsing name: String, prefix: String) throws(FactNameError) {
        if let field = name.dropping(prefix: "headers."), !field.isEmpty {
            self = .header(field)
        } else if let field = name.dropping(prefix: "reply.headers."), !field.isEmpty {
            self = .replyHeader(field)
        } else if let rest = name.dropping(prefix: "reply.") {
            guard let fact = FactName.ReplyFact(rawValue: rest) else {
                throw .unknown(
                    rest, below: "\(prefix)reply.",
                    among: FactName.ReplyFact.allCases.map(\.rawValue) + ["headers.NAME"])
            }
            self = .reply(fact)
        } else if let field = name.dropping(prefix: "trailers."), !field.isEmpty {
            self = .trailer(field)
        } else if let field = name.dropping(prefix: "form."), !field.isEmpty {
            self = .form(field)
        } else if let field = name.dropping(prefix: "query."), !field.isEmpty {
            self = .query(field)
        } else if let cookie = name.dropping(prefix: "cookies."), !cookie.isEmpty {
            self = .cookie(cookie)
        } else if let parameter = name.dropping(prefix: "credentials."), !parameter.isEmpty {
            self = .credentials(parameter, isProxy: false)
        } else if let parameter = name.dropping(prefix: "proxy-credentials."), !parameter.isEmpty {
            self = .credentials(parameter, isProxy: true)
        } else if let (index, rest) = try FactName.indexed(name, "parts", within: prefix) {
            self = .part(index: index, try FactName.choice(rest, "\(prefix)parts[\(index)]."))
        } else if let known = Self.plain.first(where: { $0.name == name }) {
            self = known.fact
        } else {
            let names = [
                "headers.NAME", "trailers.NAME", "form.NAME", "query.NAME", "cookies.NAME", "parts[N].NAME",
                "credentials.NAME",
                "proxy-credentials.NAME", "reply.status", "reply.headers.NAME", "reply.body", "reply.body.length",
            ]
            throw .unknown(name, below: prefix, among: Self.plain.map(\.name) + names)
        }
    }

    package var text: String {
        switch self {
        case .header(let name): "headers.\(name)"
        case .reply(let fact): "reply.\(fact.rawValue)"
        case .replyHeader(let name): "reply.headers.\(name)"
        case .trailer(let name): "trailers.\(name)"
        case .form(let name): "form.\(name)"
        case .query(let name): "query.\(name)"
        case .cookie(let name): "cookies.\(name)"
        case .credentials(let name, let isProxy): "\(isProxy ? "proxy-" : "")credentials.\(name)"
        case .part(let index, let fact): "parts[\(index)].\(fact.rawValue)"
        default: Self.plain.first { $0.fact == self }?.name ?? ""
        }
    }
}

extension String {
    /// Whether the text is a field name, which is a token (RFC 9110 §5.1).
    fileprivate var isFieldName: Bool { !isEmpty && utf8.allSatisfy(\.isTokenByte) }
}

extension FactNameError {
    fileprivate static func unknown(_ name: String, below prefix: String, among names: [String]) -> FactNameError {
        FactNameError(
            sentence: "unknown fact \(quoted(prefix + name))",
            hint: NearestName.find(name, in: names).map { "did you mean \"\(prefix)\($0)\"?" }
                ?? "known after \(prefix): \(names.joined(separator: ", "))")
    }
}
