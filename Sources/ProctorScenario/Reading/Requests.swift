import ProctorBase
import ProctorDocument

/// A request pattern and its captures.
struct ReadRequest {
    let pattern: RequestPattern
    let captures: [String]
    /// Set when the target is `*` alone, whose meaning depends on the origin.
    let loneAsterisk: LoneAsterisk?

    /// Its place, and whether the request has the short form.
    struct LoneAsterisk {
        let isShort: Bool
        let location: SourceLocation
    }
}

struct RequestKeys: Sendable {
    let method = Key(
        "method",
        Shape<Node>.node(
            .scalar(["pattern": "^(\\*|[!#$%&'*+.^_`~0-9A-Za-z-]+(\\|[!#$%&'*+.^_`~0-9A-Za-z-]+)*)$"]),
            takes: "a method"),
        leftOut: "required", says: "`GET`, `GET|HEAD`, or `*` for any.")
    let path = Key(
        "path", Shape<Node>.node(["type": "string", "pattern": "^[^\\s]+$"], takes: "a target"), leftOut: "required",
        says: "The request-target: `{name}` captures, `*` is anything; with its query, unless `query` is given.")
    let query = Key(
        "query",
        Shape<Node>.node(
            [
                "type": "object", "propertyNames": ["pattern": "^[^*]*$"],
                "additionalProperties": .oneOrMore(.ref("text"), [:]),
            ], takes: "values by name"),
        says:
            "Exactly these names and values, in any order; values are patterns, names are not, and hold no `*`; a "
            + "list stands for a name that comes several times. `{}` means no query."
    )
    let headers = Key(
        "headers",
        Shape<Node>.node(
            [
                "type": "object", "propertyNames": ["pattern": "^[!#$%&'*+.^_`|~0-9A-Za-z-]+$"],
                "additionalProperties": ["type": ["string", "number", "boolean", "null"]],
            ], takes: "values by name"),
        says:
            "Each field must be there with a value that matches the pattern; `null`: it must not be there. Names are "
            + "compared without regard to case."
    )
    let body = Key(
        "body", Shape<ByteSource>.bytes("a body"), says: "The exact content, in any form of [bytes](#bytes).")
    let form = Key(
        "form",
        Shape<Node>.node(
            ["type": "object", "additionalProperties": .oneOrMore(.ref("text"), [:])], takes: "values by name"),
        says:
            "A form in application/x-www-form-urlencoded with exactly these names and values, decoded, in any order; "
            + "`*` is anything."
    )
    let parts = Key(
        "parts",
        Shape<[PartPattern]>(
            .items(ScenarioReader.partPatternTable.schema, ["minItems": 1, "maxItems": .integer(Bounds.parts)]),
            takes: "a list of parts"
        ) { $1.parts($0) },
        says: "multipart/form-data with exactly these parts, in this order.")
}

struct PartPatternKeys: Sendable {
    let name = Key(
        "name", Shape<String>.text("the name of a part"), leftOut: "required",
        says: "The name in its Content-Disposition.")
    let filename = Key(
        "filename", Shape<BytePattern>.bodyPattern("a file name"),
        says: "The file name in its Content-Disposition; `*` is anything.")
    let type = Key(
        "type", Shape<BytePattern>.bodyPattern("a content type"), says: "Its Content-Type; `*` is anything.")
    let body = Key("body", Shape<ByteSource>.bytes("the body of a part"), says: "Its exact content.")
}

extension Shape where Value == BytePattern {
    /// A pattern for a body.
    fileprivate static func bodyPattern(_ what: String) -> Shape {
        Shape(.ref("text"), takes: "a pattern") { $1.bodyText($0, what) }
    }
}

extension ScenarioReader {
    static let requestTable = Table(
        "a request", RequestKeys(),
        rules: [
            "not": [
                "anyOf": [
                    ["required": ["body", "form"]], ["required": ["body", "parts"]], ["required": ["form", "parts"]],
                ]
            ]
        ])
    static let partPatternTable = Table("a part", PartPatternKeys())
    static let requestSchema: Schema = [
        "oneOf": [
            [
                "type": "string",
                "pattern": "^(\\*|[!#$%&'*+.^_`~0-9A-Za-z-]+(\\|[!#$%&'*+.^_`~0-9A-Za-z-]+)*) [^\\s]+$",
            ], requestTable.schema,
        ]
    ]

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
        return ReadRequest(pattern: pattern, captures: captures, loneAsterisk: target.loneAsterisk)
    }

    private func mappedRequest(_ node: Node) -> ReadRequest? {
        guard let keys = Self.requestTable.open(node, self) else { return nil }
        let method = keys[\.method].flatMap { node in
            sink.text(node, "a method").map { ScalarText(node, $0) }
        }
        let path = keys[\.path].flatMap { node in
            sink.text(node, "a path").map { ScalarText(node, $0) }
        }
        let methods = method.flatMap(self.methods)
        var captures: [String] = []
        var target: ReadTarget?
        if let path, let methods {
            target = self.target(path, methods, isShort: false, captures: &captures)
        }
        let query = keys[\.query].map { self.query($0, captures: &captures) }
        if query != nil, let path, let mark = path.bytes.firstIndex(of: UInt8(ascii: "?")) {
            sink.report(path.location(mark), "the path has a query already", hint: "write it there or under query:")
        }
        let headers = keys[\.headers].map { headerConditions($0, captures: &captures) } ?? []
        let body = bodyPattern(keys)
        guard let method, let path, let methods, let target else { return nil }
        let pattern = RequestPattern(
            text: "\(method.text) \(path.text)", methods: methods.names, target: target.pattern, query: query,
            headers: headers, body: body)
        return ReadRequest(pattern: pattern, captures: captures, loneAsterisk: target.loneAsterisk)
    }

    private typealias ReadTarget = (pattern: BytePattern, loneAsterisk: ReadRequest.LoneAsterisk?)

    /// nil names: any method.
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
                let found = quoted(String(decoding: part, as: UTF8.self))
                return sink.refuse(
                    text.location(offset), "expected a method as a token (RFC 9110 §9.1), found \(found)",
                    hint: "like GET, GET|HEAD, or * for any")
            }
            names.append(Array(part))
            offset += part.count + 1
        }
        return Methods(names: names)
    }

    private func target(
        _ text: ScalarText, _ methods: Methods, isShort: Bool, captures: inout [String]
    ) -> ReadTarget? {
        let bytes = text.bytes[text.range]
        let start = text.location(text.range.lowerBound)
        if let bad = bytes.firstIndex(where: { $0 <= 0x20 || $0 == 0x7F }) {
            return sink.refuse(text.location(bad), "this can never match: a request-target holds no white space")
        }
        // A lone asterisk is the asterisk-form (RFC 9112 §3.2.4), not a hole; but CONNECT has only authorities
        // (§3.2.3).
        if bytes.elementsEqual("*".utf8), !methods.isOnly("CONNECT") {
            let exactly = BytePattern(exactly: Array(bytes))
            if methods.isOnly("OPTIONS") { return (exactly, nil) }
            return (exactly, ReadRequest.LoneAsterisk(isShort: isShort, location: start))
        }
        let isAuthority = methods.isOnly("CONNECT") && !bytes.isEmpty
        let isAbsolute = bytes.starts(with: Array("http://".utf8)) || bytes.starts(with: Array("https://".utf8))
        guard bytes.first == UInt8(ascii: "/") || isAbsolute || isAuthority else {
            return sink.refuse(
                start, "a target begins with /, found \(quoted(text.text))",
                hint: "write /* for any target, http:// for the absolute form")
        }
        let pattern = PatternParser(sink: sink).parse(text, captures: &captures)
        if isAuthority, !isAbsolute, let literal = pattern?.exactBytes, !literal.contains(UInt8(ascii: ":")) {
            sink.report(
                start, "this can never match: the target of CONNECT has a port (RFC 9112 §3.2.3)",
                hint: "write \(quoted(String(decoding: literal, as: UTF8.self) + ":443"))")
        }
        return pattern.map { ($0, nil) }
    }

    private func query(_ node: Node, captures: inout [String]) -> [RequestPattern.QueryItem] {
        guard let entries = node.entries else {
            sink.report(node, "expected a query as a mapping from name to value, found \(node.found)")
            return []
        }
        var items: [RequestPattern.QueryItem] = []
        for entry in entries {
            guard !entry.key.contains("*") else {
                sink.report(
                    entry.keyNode, "the name of a query parameter is no pattern, found \(quoted(entry.key))",
                    hint: "leave query: out and end the path in * to take any query")
                continue
            }
            for value in entry.value.items ?? [entry.value] {
                guard let text = sink.text(value, "the value of \(quoted(entry.key))"),
                    let pattern = PatternParser(sink: sink).parse(ScalarText(value, text), captures: &captures)
                else { continue }
                items.append(RequestPattern.QueryItem(name: Array(entry.key.utf8), value: pattern))
            }
        }
        return items
    }

    private func headerConditions(
        _ node: Node, captures: inout [String]
    ) -> [RequestPattern.HeaderCondition] {
        guard let entries = node.entries else {
            sink.report(node, "expected headers as a mapping from name to value, found \(node.found)")
            return []
        }
        var conditions: [RequestPattern.HeaderCondition] = []
        for entry in entries {
            guard !entry.key.isEmpty, entry.key.utf8.allSatisfy(\.isTokenByte) else {
                sink.report(
                    entry.keyNode,
                    "this can never match: a field name is a token (RFC 9110 §5.1), found "
                        + quoted(entry.key))
                continue
            }
            var value: BytePattern?
            if !entry.value.isNull {
                guard let text = sink.text(entry.value, "the value of \(quoted(entry.key)) (null for absent)") else {
                    continue
                }
                value = PatternParser(sink: sink).parse(ScalarText(entry.value, text), captures: &captures)
                guard value != nil else { continue }
            }
            let earlier = conditions.first { $0.name.lowercased() == entry.key.lowercased() }
            if let earlier, (earlier.value == nil) != (value == nil) {
                sink.report(
                    entry.keyNode, "this can never match: \(quoted(entry.key)) is wanted both present and absent")
            }
            conditions.append(RequestPattern.HeaderCondition(name: entry.key, value: value))
        }
        return conditions
    }
    /// `body:`, `form:` or `parts:`; nil without them.
    private func bodyPattern(_ keys: Mapping<RequestKeys>) -> BodyPattern? {
        let given = keys.entries.filter { ["body", "form", "parts"].contains($0.key) }
        for entry in given.dropFirst() {
            sink.report(
                entry.keyNode,
                "\(quoted(entry.key)) does not go with \(quoted(given[0].key)): at most one of body, form and parts")
        }
        guard let entry = given.first else { return nil }
        switch entry.key {
        case "form": return .form(form(entry.value))
        case "parts": return parts(entry.value).map { .parts($0) }
        default: return with(requestScope).bytes(entry.value, "a body").map { .exact($0) }
        }
    }

    /// Without {{now}}, since no reply is being made.
    private var requestScope: TemplateScope { TemplateScope(origins: originNames, captures: nil, allowsNow: false) }

    private func form(_ node: Node) -> [RequestPattern.QueryItem] {
        guard let entries = node.entries else {
            sink.report(node, "expected a form as a mapping from name to value, found \(node.found)")
            return []
        }
        return entries.flatMap { entry in
            (entry.value.items ?? [entry.value]).compactMap { value in
                bodyText(value, "the value of \(quoted(entry.key))").map {
                    RequestPattern.QueryItem(name: Array(entry.key.utf8), value: $0)
                }
            }
        }
    }

    fileprivate func parts(_ node: Node) -> [PartPattern]? {
        guard let items = sink.list(node, "parts", limit: Bounds.parts) else { return nil }
        if items.isEmpty { sink.report(node, "a multipart body has one part at least (RFC 2046 §5.1.1)") }
        return items.compactMap { item in
            guard let keys = Self.partPatternTable.open(item, with(requestScope)) else { return nil }
            let name = keys[\.name]
            let fileName = keys[\.filename]
            let type = keys[\.type]
            let body = keys[\.body]
            return name.map { PartPattern(name: Array($0.utf8), fileName: fileName, contentType: type, body: body) }
        }
    }

    /// `*` matches anything; nothing is captured.
    fileprivate func bodyText(_ node: Node, _ what: String) -> BytePattern? {
        guard let text = sink.text(node, what) else { return nil }
        var captures: [String] = []
        let pattern = PatternParser(sink: sink).parse(ScalarText(node, text), captures: &captures)
        guard let name = captures.first else { return pattern }
        return sink.refuse(
            node, "{\(name)} captures nothing here: only the target and the fields of a request are captured from",
            hint: "write * for anything, \\{ for the character itself")
    }
}
extension UInt8 {
    /// RFC 9110 §5.6.2.
    var isTokenByte: Bool {
        if isASCIILetter || isASCIIDigit { return true }
        return "!#$%&'*+-.^_`|~".utf8.contains(self)
    }
}
