import ProctorBase
import ProctorDocument
import ProctorRegex
import ProctorScenario

/// The conditions of a request besides method and path.
struct ReadConditions {
    var query: [RequestPattern.QueryItem]?
    var headers: [RequestPattern.HeaderCondition] = []
    var body: BodyPattern?
    var more: MoreConditions?
}

extension ScenarioReader {
    /// Reads the conditions of a request; `captures` has the names that were used so far.
    func requestConditions(_ entries: [Node.Entry], captures: inout [String]) -> ReadConditions {
        func value(_ key: String) -> Node? { entries.first { $0.key == key }?.value }
        let keys = Self.requestConditionTable.keys
        var conditions = ReadConditions()
        conditions.query =
            value("query").map { query($0, isRaw: false, captures: &captures) }
            ?? value("raw query").map { query($0, isRaw: true, captures: &captures) }
        if value("query") != nil, let entry = entries.first(where: { $0.key == "raw query" }) {
            sink.report(
                entry.keyNode, "a query is compared decoded or as it came", hint: "write one of query and raw query")
        }
        conditions.headers = value("headers").map { headerConditions($0, captures: &captures) } ?? []
        conditions.body = bodyPattern(entries)
        conditions.more = MoreConditions(
            captures: value("where").map { capturedConditions($0, captures) } ?? [],
            cookies: value("cookies").map { cookieConditions($0) } ?? [],
            security: value("tls").flatMap { keys.tls.read($0, self) },
            not: value("not").flatMap { keys.not.read($0, self) }.map { [$0] } ?? [],
            anyOf: value("any of").flatMap { keys.anyOf.read($0, self) } ?? [])
        return conditions
    }

    /// Reads an item of `not` or `any of`, in which nothing is captured.
    func requestConditions(_ node: Node) -> RequestConditions? {
        guard let keys = Self.requestConditionTable.open(node, self) else { return nil }
        guard !keys.entries.isEmpty else {
            if !keys.hasUnknownKeys { sink.report(node, "conditions on a request need one at least") }
            return nil
        }
        if let entry = keys.entry(\.captured) {
            sink.report(entry.keyNode, "\"where\" stands beside path:, where it is captured what it asks about")
        }
        var captures: [String] = []
        let read = requestConditions(keys.entries.filter { $0.key != "where" }, captures: &captures)
        if let name = captures.first {
            sink.report(
                node, "{\(name)} captures nothing here: what stands in not and any of may be left out",
                hint: "write * for anything, \\{ for the character itself")
        }
        return RequestConditions(
            query: read.query, headers: read.headers, body: read.body, more: read.more, text: JSONHint.json(node))
    }

    private func capturedConditions(_ node: Node, _ captures: [String]) -> [MoreConditions.NamedCondition] {
        guard let entries = entries(node, "where", from: "captured name to condition", limit: 100) else { return [] }
        return entries.compactMap { entry in
            guard captures.contains(entry.key) else {
                return captures.isEmpty
                    ? sink.refuse(
                        entry.keyNode, "this exchange's request captures nothing",
                        hint: "write {\(entry.key)} in its path")
                    : sink.refuse(
                        entry.keyNode, "this exchange's request does not capture \(quoted(entry.key))",
                        hint: DiagnosticSink.hint(for: entry.key, among: captures))
            }
            guard let value = condition(entry.value, "the value of {\(entry.key)}") else { return nil }
            if value == .absent {
                sink.report(entry.value, "this can never match: {\(entry.key)} has a value, be it empty")
            }
            return MoreConditions.NamedCondition(name: entry.key, value: value)
        }
    }

    private func cookieConditions(_ node: Node) -> [MoreConditions.NamedCondition] {
        guard let entries = entries(node, "cookies", from: "name to condition", limit: 100) else { return [] }
        return entries.compactMap { entry in
            guard !entry.key.utf8.contains(where: { $0 == UInt8(ascii: ";") || $0 == UInt8(ascii: "=") }) else {
                return sink.refuse(
                    entry.keyNode, "this can never match: the name of a cookie holds no \";\" and no \"=\"")
            }
            return condition(entry.value, "the value of the cookie \(quoted(entry.key))").map {
                MoreConditions.NamedCondition(name: entry.key, value: $0)
            }
        }
    }

    private func query(_ node: Node, isRaw: Bool, captures: inout [String]) -> [RequestPattern.QueryItem] {
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
            if isRaw, let byte = entry.key.utf8.first(where: { "&= \t".utf8.contains($0) }) {
                sink.report(entry.keyNode, Self.neverInRawQuery(byte, "name"), hint: Self.rawQueryHint)
                continue
            }
            for value in entry.value.items ?? [entry.value] {
                guard let condition = condition(value, "the value of \(quoted(entry.key))", captures: &captures) else {
                    continue
                }
                if isRaw, let byte = condition.exactBytes?.first(where: { "& \t".utf8.contains($0) }) {
                    sink.report(value, Self.neverInRawQuery(byte, "value"), hint: Self.rawQueryHint)
                    continue
                }
                items.append(
                    RequestPattern.QueryItem(name: Array(entry.key.utf8), value: condition, isRaw: isRaw))
            }
        }
        return items
    }

    private static let rawQueryHint = "write it under query:, which is compared decoded"

    private static func neverInRawQuery(_ byte: UInt8, _ what: String) -> String {
        "this can never match: a \(what) of a query holds no \(quoted(String(Unicode.Scalar(byte)))) that is not encoded"
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
            guard
                let value = condition(
                    entry.value, "the value of \(quoted(entry.key)) (null for absent)", captures: &captures)
            else { continue }
            // Blanks around a value are no part of it (RFC 9110 §5.5).
            let isBlank = { (byte: UInt8) in byte == 0x20 || byte == 0x09 }
            if let bytes = value.exactBytes, bytes.first.map(isBlank) == true || bytes.last.map(isBlank) == true {
                sink.report(
                    entry.value, "this can never match: blanks around a field value are no part of it (RFC 9110 §5.5)")
                continue
            }
            let earlier = conditions.first { $0.name.lowercased() == entry.key.lowercased() }
            if let earlier, earlier.value.contradicts(value) {
                sink.report(
                    entry.keyNode, "this can never match: \(quoted(entry.key)) is wanted both present and absent")
            }
            conditions.append(RequestPattern.HeaderCondition(name: entry.key, value: value))
        }
        return conditions
    }
    /// The condition on content, of which there is at most one; nil without it.
    private func bodyPattern(_ entries: [Node.Entry]) -> BodyPattern? {
        let given = entries.filter { ["body", "body.coded", "json", "form", "parts"].contains($0.key) }
        for entry in given.dropFirst() {
            sink.report(
                entry.keyNode,
                "\(quoted(entry.key)) does not go with \(quoted(given[0].key)): at most one of body, body.coded, json, form and parts"
            )
        }
        guard let entry = given.first else { return nil }
        switch entry.key {
        case "form": return .form(form(entry.value))
        case "parts": return parts(entry.value).map { .parts($0) }
        case "json": return jsonPattern(entry.value).map { .json($0) }
        case "body.coded": return codedContent(entry.value)
        default: return content(entry.value)
        }
    }

    /// Reads bytes, `{ matches }` or `{ contains }` of the content as it came.
    func codedContent(_ node: Node) -> BodyPattern? {
        guard let pattern = content(node) else { return nil }
        switch pattern {
        case .exact, .matches, .contains: return .coded(pattern)
        default: return sink.refuse(node, "content as it came is compared as bytes: by bytes, matches or contains")
        }
    }

    /// Reads exact bytes, or one of `{ matches }`, `{ contains }`, `{ schema }`, `{ xml }`, `{ xpath }` and `{ jsonpath }`.
    func content(_ node: Node) -> BodyPattern? {
        let reader = with(requestScope)
        guard node.entries?.contains(where: { Self.contentKinds.contains($0.key) }) == true else {
            return reader.bytes(node, "a body").map { .exact($0) }
        }
        guard let keys = Self.contentTable.open(node, reader) else { return nil }
        guard keys.entries.count(where: { Self.contentKinds.contains($0.key) }) == 1 else {
            if !keys.hasUnknownKeys {
                sink.report(node, "a body has exactly one of matches, contains, schema, xml, xpath, jsonpath and grpc")
            }
            return nil
        }
        if let entry = keys.entry(\.namespaces), !keys.has(\.xpath) {
            return sink.refuse(entry.keyNode, "\"namespaces\" goes with \"xpath\" alone")
        }
        if let schema = keys[\.schema] {
            let formats = keys[\.formats]
            guard !keys.has(\.formats) || formats != nil else { return nil }
            return schema(formats ?? []).map { .condition($0) }
        }
        if let entry = keys.entry(\.formats) {
            return sink.refuse(entry.keyNode, "\"formats\" goes with \"schema\" alone")
        }
        if keys.has(\.xml) { return keys[\.xml].map { .condition($0) } }
        if keys.has(\.xpath) { return keys[\.xpath].flatMap { $0(keys[\.namespaces]) }.map { .condition($0) } }
        if keys.has(\.grpc) { return keys[\.grpc].map { .condition($0) } }
        if keys.has(\.jsonPath) { return keys[\.jsonPath].map { .condition($0) } }
        if keys.has(\.matches) { return keys[\.matches].map { .matches($0) } }
        guard let bytes = keys[\.contains] else { return nil }
        guard !bytes.isEmpty else {
            return sink.refuse(node, "every content contains nothing", hint: "leave body: out")
        }
        return .contains(bytes)
    }

    private static let contentKinds: Set<String> = [
        "matches", "contains", "schema", "xml", "xpath", "jsonpath", "grpc",
    ]

    /// `{{now}}` is not permitted, since no reply is being made.
    private var requestScope: TemplateScope { TemplateScope(origins: originNames, captures: nil, allowsNow: false) }

    private func form(_ node: Node) -> [RequestPattern.QueryItem] {
        guard let entries = node.entries else {
            sink.report(node, "expected a form as a mapping from name to value, found \(node.found)")
            return []
        }
        return entries.flatMap { entry in
            (entry.value.items ?? [entry.value]).compactMap { value in
                condition(value, "the value of \(quoted(entry.key))").map {
                    RequestPattern.QueryItem(name: Array(entry.key.utf8), value: $0)
                }
            }
        }
    }

    func parts(_ node: Node) -> [PartPattern]? {
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
}
