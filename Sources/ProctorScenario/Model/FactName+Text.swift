import ProctorBase
import ProctorDocument

/// Why a text is no name of a fact.
package struct FactNameError: Error, Sendable, Equatable {
    package let sentence: String
    /// The probable correction, or the permitted values.
    package let hint: String?
}

extension FactName {
    /// The syntax of fixtures: `wire[0].headers.Cookie`, `step[1].status`.
    package init(parsing text: String) throws(FactNameError) {
        if text == "wire.count" {
            self = .requestCount
        } else if text == "tunnels" {
            self = .tunnelCount
        } else if text == "connections" {
            self = .connectionCount
        } else if let fact = try Self.ofTLS(text) {
            self = fact
        } else if let (index, rest) = try Self.indexed(text, "wire") {
            self = .wire(index: index, try WireFact(parsing: rest, prefix: "wire[\(index)]."))
        } else if let (index, rest) = try Self.indexed(text, "connection") {
            self = .connection(index: index, try Self.choice(rest, "connection[\(index)]."))
        } else if let (step, rest) = try Self.indexed(text, "step") {
            self = .client(step: step, try Self.choice(rest, "step[\(step)]."))
        } else if let name = text.dropping(prefix: "auth.") {
            let words = name.split(separator: ".", maxSplits: 1, omittingEmptySubsequences: false)
            if words.count == 2, let fact = GuardFact(rawValue: String(words[1])) {
                throw FactNameError(
                    sentence: "unknown fact \(quoted(text))", hint: "write \"auth[\(words[0])].\(fact.rawValue)\"")
            }
            self = .guarding(guardName: nil, try Self.choice(name, "auth."))
        } else if let (guardName, name) = try Self.guardName(text) {
            self = .guarding(guardName: guardName, try Self.choice(name, "auth[\(guardName)]."))
        } else if let fact = ClientFact(rawValue: text) {
            self = .client(step: 0, fact)
        } else {
            let guardNames = GuardFact.allCases.map { "auth.\($0.rawValue)" }
            let names =
                ClientFact.allCases.map(\.rawValue) + [
                    "wire.count", "connections", "tunnels", "tls.handshakes", "tls.failures",
                ]
                + guardNames + ["wire[0].", "connection[0].", "tls[0]."]
            throw FactNameError(
                sentence: "unknown fact \(quoted(text))",
                hint: NearestName.find(text, in: names).map { "did you mean \"\($0)\"?" }
                    ?? "known facts: \(names.dropLast(3).joined(separator: ", ")), auth[GUARD].…, wire[N].…, "
                    + "connection[N].…, tls[N].…, step[N].…"
            )
        }
    }

    /// `tls.…` and `tls[N].…`; nil for any other text.
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
        case .wire(let index, let fact): "wire[\(index)].\(fact.text)"
        case .connectionCount: "connections"
        case .connection(let index, let fact): "connection[\(index)].\(fact.rawValue)"
        case .guarding(nil, let fact): "auth.\(fact.rawValue)"
        case .guarding(let name?, let fact): "auth[\(name)].\(fact.rawValue)"
        case .handshakeCount: "tls.handshakes"
        case .handshakeFailureCount: "tls.failures"
        case .tls(let index, let fact): "tls[\(index)].\(fact.rawValue)"
        case .client(0, let fact): fact.rawValue
        case .client(let step, let fact): "step[\(step)].\(fact.rawValue)"
        }
    }

    /// Splits `prefix[N].rest`; nil when the text does not begin with `prefix[`.
    ///
    /// `outer` precedes the text in messages.
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

extension FactName.WireFact {
    private static let plain: [(name: String, fact: FactName.WireFact)] = [
        ("method", .method), ("target", .target), ("version", .version), ("body", .body),
        ("body.length", .bodyLength), ("connection", .connection), ("origin", .origin), ("violations", .violations),
        ("fields", .fieldNames), ("gap", .gap), ("framing", .framing), ("chunks", .chunks), ("parts", .partCount),
        ("auth", .guardOutcome), ("auth.faults", .guardFaults), ("cookies", .cookieNames), ("target-form", .targetForm),
        ("authority", .authority), ("chunk-lines", .chunkLines), ("withheld", .withheld), ("opaque", .opaque),
        ("opaque.length", .opaqueLength),
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
                "headers.NAME", "trailers.NAME", "form.NAME", "cookies.NAME", "parts[N].NAME", "credentials.NAME",
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
        case .cookie(let name): "cookies.\(name)"
        case .credentials(let name, let isProxy): "\(isProxy ? "proxy-" : "")credentials.\(name)"
        case .part(let index, let fact): "parts[\(index)].\(fact.rawValue)"
        default: Self.plain.first { $0.fact == self }?.name ?? ""
        }
    }
}

extension FactNameError {
    fileprivate static func unknown(_ name: String, below prefix: String, among names: [String]) -> FactNameError {
        FactNameError(
            sentence: "unknown fact \(quoted(prefix + name))",
            hint: NearestName.find(name, in: names).map { "did you mean \"\(prefix)\($0)\"?" }
                ?? "known after \(prefix): \(names.joined(separator: ", "))")
    }
}
