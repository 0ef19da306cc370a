import ProctorBase
import ProctorDocument
import ProctorRegex
import ProctorScenario

/// A request pattern that was read, with its captures.
struct ReadRequest {
    let pattern: RequestPattern
    let captures: [String]
    /// The place of a target that is only `*`, whose meaning depends on the origin; else nil.
    let loneAsterisk: LoneAsterisk?
    /// The node of `tls:`; nil without it.
    let security: Node?
    /// The node of `protocol:`; nil without it.
    var protocolName: Node?

    /// The place of the asterisk, and whether the request is written in the short form.
    struct LoneAsterisk {
        let isShort: Bool
        let location: SourceLocation
    }
}

struct RequestKeys: Sendable {
    let method = Key<Node>("method", isRequired: true)
    let path = Key<Node>("path", isRequired: true)
    let protocolName = Key<String>("protocol") {
        $1.token($0, "a protocol", in: "RFC 9110 §7.8", hint: "like websocket")
    }
    let conditions = RequestConditionKeys()
    let script = Key("script", Shape<FixtureScript>.script)
}

/// `path: { matches: EXPRESSION }`.
struct PathKeys: Sendable {
    let matches = Key("matches", Shape<RegularExpression>.expression, isRequired: true)
}

/// The keys of a request besides its method and path; also those of `not` and `any of`.
struct RequestConditionKeys: Sendable {
    let query = Key<Node>("query")
    let rawQuery = Key<Node>("raw query")
    let headers = Key<Node>("headers")
    let cookies = Key<Node>("cookies")
    let captured = Key<Node>("where")
    let body = Key<BodyPattern>("body") { $1.content($0) }
    let codedBody = Key<BodyPattern>("body.coded") { $1.codedContent($0) }
    let json = Key("json", Shape<JSONPattern>.json)
    let form = Key<Node>("form")
    let parts = Key<[PartPattern]>("parts") { $1.parts($0) }
    let tls = Key(
        "tls",
        Shape<MoreConditions.SecurityConditions>.mapping(ScenarioReader.securityTable) { keys in
            MoreConditions.SecurityConditions(
                serverName: keys[\.sni], applicationProtocol: keys[\.alpn], identity: keys[\.identity])
        })
    let not = Key<RequestConditions>("not") { $1.requestConditions($0) }
    let anyOf = Key<[RequestConditions]>("any of") { node, reader in
        reader.conditionItems(node).map { $0.compactMap { reader.requestConditions($0) } }
    }
}

/// The conditions `{ matches }`, `{ contains }` and `{ schema }` on content.
struct ContentKeys: Sendable {
    let matches = Key("matches", Shape<RegularExpression>.expression)
    let contains = Key(
        "contains", Shape<[UInt8]>.literal("what the content contains", limit: Bounds.containedByteCount))
    let schema = Key("schema", ScenarioReader.schema.shape)
    let xml = Key("xml", ScenarioReader.xml.shape)
    let xpath = Key("xpath", ScenarioReader.xpath.shape)
    let jsonPath = Key("jsonpath", ScenarioReader.jsonPath.shape)
    let grpc = Key("grpc", ScenarioReader.callMessages.shape)
    let namespaces = Key<Node>("namespaces")
    let formats = Key("formats", ScenarioReader.schemaFormats.shape)
}

struct SecurityConditionKeys: Sendable {
    let sni = Key("sni", Shape<ValueCondition>.condition("a server name"))
    let alpn = Key("alpn", Shape<ValueCondition>.condition("a protocol"))
    let identity = Key("identity", Shape<ValueCondition>.condition("an identity"))
}

struct PartPatternKeys: Sendable {
    let name = Key("name", Shape<String>.text("the name of a part"), isRequired: true)
    let filename = Key("filename", Shape<ValueCondition>.condition("a file name"))
    let type = Key("type", Shape<ValueCondition>.condition("a content type"))
    let body = Key("body", Shape<ByteSource>.bytes("the body of a part"))
}

extension ScenarioReader {
    static let requestTable = Table("a request", RequestKeys())
    static let requestConditionTable = Table("conditions on a request", RequestConditionKeys())
    static let contentTable = Table("content", ContentKeys())
    static let pathTable = Table("a path", PathKeys())
    static let securityTable = Table("conditions on TLS", SecurityConditionKeys())
    static let partPatternTable = Table("a part", PartPatternKeys())

    func request(_ node: Node) -> ReadRequest? {
        if let text = node.text { return shortRequest(node, text) }
        guard node.entries != nil else {
            return sink.refuse(node, "expected a request as \"METHOD target\" or as a mapping, found \(node.found)")
        }
        return mappedRequest(node)
    }

    private func shortRequest(_ node: Node, _ text: String) -> ReadRequest? {
        let scalar = ScalarText(node, text)
        guard let space = scalar.bytes.firstIndex(of: 0x20) else {
            return sink.refuse(
                node, "expected a request as \"METHOD target\", found \(quoted(text))", hint: "like GET /path")
        }
        var method = scalar
        method.range = 0..<space
        guard let methods = methods(method) else { return nil }
        var captures: [String] = []
        guard let target = target(scalar.dropping(space + 1), methods, isShort: true, captures: &captures) else {
            return nil
        }
        let pattern = RequestPattern(
            text: text, methods: methods.names, target: target.pattern, query: nil, headers: [], body: nil)
        return ReadRequest(pattern: pattern, captures: captures, loneAsterisk: target.loneAsterisk, security: nil)
    }

    private func mappedRequest(_ node: Node) -> ReadRequest? {
        guard let keys = Self.requestTable.open(node, self) else { return nil }
        let method = keys[\.method].flatMap { node in
            sink.text(node, "a method").map { ScalarText(node, $0) }
        }
        let methods = method.flatMap(self.methods)
        var captures: [String] = []
        let protocolName = keys[\.protocolName]
        let isExtended = keys.has(\.protocolName)
        let path = keys[\.path].flatMap { self.path($0, methods, isExtended: isExtended, captures: &captures) }
        let ofHead = ["script", "protocol"]
        var inner = self
        inner.target = path?.target.exactBytes
        let conditions = inner.requestConditions(keys.entries.filter { !ofHead.contains($0.key) }, captures: &captures)
        let script = keys[\.script]
        if keys.has(\.conditions.query) || keys.has(\.conditions.rawQuery), case .target(_, let text)? = path,
            let mark = text.bytes.firstIndex(of: UInt8(ascii: "?"))
        {
            sink.report(text.location(mark), "the path has a query already", hint: "write it there or under query:")
        }
        if isExtended, let methods, !methods.isOnly("CONNECT"), let node = keys.entry(\.method)?.value {
            sink.report(
                node, "only CONNECT names a protocol (RFC 8441 §4)", hint: "write method: CONNECT beside protocol:")
        }
        guard let method, let methods, let path else { return nil }
        var pattern = RequestPattern(
            text: "\(method.text) \(path.text)", methods: methods.names, target: path.target, query: conditions.query,
            headers: conditions.headers, body: conditions.body)
        pattern.expression = path.expression
        pattern.more = conditions.more
        pattern.script = script
        pattern.protocolName = protocolName.map { Array($0.utf8) }
        return ReadRequest(
            pattern: pattern, captures: captures, loneAsterisk: path.loneAsterisk,
            security: keys.entry(\.conditions.tls)?.value,
            protocolName: keys.entry(\.protocolName)?.value)
    }

    /// The path of a request as it is written in the long form.
    private enum Path {
        case target(ReadTarget, ScalarText)
        case expression(RegularExpression)

        var text: String {
            switch self {
            case .target(_, let text): text.text
            case .expression(let expression): "{ matches: \(quoted(expression.pattern)) }"
            }
        }

        var target: BytePattern {
            if case .target(let target, _) = self { target.pattern } else { BytePattern(parts: [.wildcard]) }
        }

        var expression: RegularExpression? {
            if case .expression(let expression) = self { expression } else { nil }
        }

        var loneAsterisk: ReadRequest.LoneAsterisk? {
            if case .target(let target, _) = self { target.loneAsterisk } else { nil }
        }
    }

    /// Reads the path; `isExtended`: of an extended CONNECT, whose target is a path as in other requests (RFC 8441 §4).
    private func path(
        _ node: Node, _ methods: Methods?, isExtended: Bool, captures: inout [String]
    ) -> Path? {
        if node.entries != nil {
            guard let expression = Self.pathTable.open(node, self)?[\.matches] else { return nil }
            addCaptures(expression, node, &captures)
            return .expression(expression)
        }
        guard let text = sink.text(node, "a path").map({ ScalarText(node, $0) }), let methods else { return nil }
        return target(text, methods, isShort: false, isExtended: isExtended, captures: &captures)
            .map { .target($0, text) }
    }

    private typealias ReadTarget = (pattern: BytePattern, loneAsterisk: ReadRequest.LoneAsterisk?)

    /// The methods of a request; nil names: any method.
    private struct Methods {
        let names: [[UInt8]]?

        func isOnly(_ name: String) -> Bool { names == [Array(name.utf8)] }
    }

    /// `GET`, `GET|HEAD` or `*`.
    private func methods(_ text: ScalarText) -> Methods? {
        if text.text == "*" { return Methods(names: nil) }
        var names: [[UInt8]] = []
        var offset = text.range.lowerBound
        for part in text.bytes[text.range].split(separator: UInt8(ascii: "|"), omittingEmptySubsequences: false) {
            guard !part.isEmpty, part.allSatisfy(\.isTokenByte) else {
                let name = quoted(String(decoding: part, as: UTF8.self))
                return sink.refuse(
                    text.location(offset), "expected a method as a token (RFC 9110 §9.1), found \(name)",
                    hint: "like GET, GET|HEAD, or * for any")
            }
            names.append(Array(part))
            offset += part.count + 1
        }
        if let (written, meant) = MisspeltMethod.find(in: names) {
            return sink.refuse(
                text.location(text.range.lowerBound),
                "methods are case-sensitive (RFC 9110 §9.1), and \(quoted(written)) is not \(meant)",
                hint: "write \(meant), or \(meant)|\(written) for clients that send it so")
        }
        return Methods(names: names)
    }

    private func target(
        _ text: ScalarText, _ methods: Methods, isShort: Bool, isExtended: Bool = false, captures: inout [String]
    ) -> ReadTarget? {
        let bytes = text.bytes[text.range]
        let start = text.location(text.range.lowerBound)
        if let bad = bytes.firstIndex(where: { $0 <= 0x20 || $0 == 0x7F }) {
            return sink.refuse(text.location(bad), "this can never match: a request-target holds no white space")
        }
        // A lone asterisk is the asterisk-form (RFC 9112 §3.2.4), and not a hole. The targets of CONNECT are
        // authorities only (§3.2.3).
        let isConnect = methods.isOnly("CONNECT") && !isExtended
        if bytes.elementsEqual("*".utf8), !isConnect {
            let exactly = BytePattern(exactly: Array(bytes))
            if methods.isOnly("OPTIONS") { return (exactly, nil) }
            return (exactly, ReadRequest.LoneAsterisk(isShort: isShort, location: start))
        }
        let isAuthority = isConnect && !bytes.isEmpty
        let isAbsolute = bytes.starts(with: Array("http://".utf8)) || bytes.starts(with: Array("https://".utf8))
        guard bytes.first == UInt8(ascii: "/") || isAbsolute || isAuthority else {
            return sink.refuse(
                start, "a target begins with /, found \(quoted(text.text))",
                hint: "write /* for any target, http:// for the absolute form")
        }
        let pattern = PatternParser(sink: sink).parse(text, captures: &captures)
        if isAuthority, !isAbsolute, let literal = pattern?.exactBytes, !literal.contains(UInt8(ascii: ":")) {
            // With a path it is an extended one, which names a protocol (RFC 8441 §4, RFC 9220 §3).
            let isPath = literal.first == UInt8(ascii: "/")
            let text = quoted(String(decoding: literal, as: UTF8.self) + (isPath ? "" : ":443"))
            sink.report(
                start, "this can never match: the target of CONNECT has a port (RFC 9112 §3.2.3)",
                hint: isPath
                    ? "for an extended CONNECT over HTTP/2 or HTTP/3 write { method: CONNECT, path: \(text), protocol: websocket }"
                    : "write \(text)")
        }
        return pattern.map { ($0, nil) }
    }
}

extension UInt8 {
    /// Whether the byte is permitted in a token (RFC 9110 §5.6.2).
    var isTokenByte: Bool {
        if isASCIILetter || isASCIIDigit { return true }
        return "!#$%&'*+-.^_`|~".utf8.contains(self)
    }
}
