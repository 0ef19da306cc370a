import ProctorBase
import ProctorDocument

/// A request pattern and the names that its holes capture.
struct ReadRequest {
    let pattern: RequestPattern
    let captures: [String]
}

extension ScenarioReader {
    /// `request:` as `METHOD target` or as a mapping.
    func request(_ node: Node) -> ReadRequest? {
        if let text = node.text { return shortRequest(node, text) }
        guard node.entries != nil else {
            sink.report(node, "expected a request as \"METHOD target\" or as a mapping, found \(node.found)")
            return nil
        }
        return mappedRequest(node)
    }

    private func shortRequest(_ node: Node, _ text: String) -> ReadRequest? {
        let scalar = ScalarText(node, text)
        guard let space = scalar.bytes.firstIndex(of: 0x20) else {
            sink.report(node, "expected a request as \"METHOD target\", found \(quoted(text))", hint: "like GET /path")
            return nil
        }
        var method = scalar
        method.range = 0..<space
        guard let methods = methods(method) else { return nil }
        var captures: [String] = []
        guard let target = target(scalar.dropping(space + 1), methods, isShort: true, captures: &captures) else {
            return nil
        }
        let pattern = RequestPattern(
            text: text, methods: methods.names, target: target, query: nil, headers: [], body: nil)
        return ReadRequest(pattern: pattern, captures: captures)
    }

    private func mappedRequest(_ node: Node) -> ReadRequest? {
        let keys = ["method", "path", "query", "headers", "body", "form", "parts"]
        guard let reader = MappingReader(node, "a request", keys: keys, sink: sink) else { return nil }
        let method = reader.required("method").flatMap { node in
            sink.text(node, "a method").map { ScalarText(node, $0) }
        }
        let path = reader.required("path").flatMap { node in
            sink.text(node, "a path").map { ScalarText(node, $0) }
        }
        let methods = method.flatMap(self.methods)
        var captures: [String] = []
        var target: BytePattern?
        if let path, let methods {
            target = self.target(path, methods, isShort: false, captures: &captures)
        }
        let query = reader["query"].map { self.query($0, captures: &captures) }
        if query != nil, let path, let mark = path.bytes.firstIndex(of: UInt8(ascii: "?")) {
            sink.report(path.location(mark), "the path has a query already", hint: "write it there or under query:")
        }
        let headers = reader["headers"].map { headerConditions($0, captures: &captures) } ?? []
        let body = bodyPattern(reader)
        guard let method, let path, let methods, let target else { return nil }
        let pattern = RequestPattern(
            text: "\(method.text) \(path.text)", methods: methods.names, target: target, query: query,
            headers: headers, body: body)
        return ReadRequest(pattern: pattern, captures: captures)
    }

    /// Methods of a request; nil names mean any.
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
                sink.report(
                    text.location(offset), "expected a method as a token (RFC 9110 §9.1), found \(found)",
                    hint: "like GET, GET|HEAD, or * for any")
                return nil
            }
            names.append(Array(part))
            offset += part.count + 1
        }
        return Methods(names: names)
    }

    private func target(
        _ text: ScalarText, _ methods: Methods, isShort: Bool, captures: inout [String]
    ) -> BytePattern? {
        let bytes = text.bytes[text.range]
        let start = text.location(text.range.lowerBound)
        if let bad = bytes.firstIndex(where: { $0 <= 0x20 || $0 == 0x7F }) {
            sink.report(text.location(bad), "this can never match: a request-target holds no white space")
            return nil
        }
        // A lone asterisk is the asterisk-form (RFC 9112 §3.2.4), never a hole; but CONNECT has only authorities (§3.2.3).
        if bytes.elementsEqual("*".utf8), !methods.isOnly("CONNECT") {
            if methods.isOnly("OPTIONS") { return BytePattern(exactly: Array(bytes)) }
            if takesAnyTarget { return BytePattern(parts: [.wildcard]) }
            if !isShort { return BytePattern(exactly: Array(bytes)) }
            sink.report(start, "a lone * is the asterisk-form of OPTIONS", hint: "write /* for any target")
            return nil
        }
        let isAuthority = methods.isOnly("CONNECT") && !bytes.isEmpty
        let isAbsolute = bytes.starts(with: Array("http://".utf8)) || bytes.starts(with: Array("https://".utf8))
        guard bytes.first == UInt8(ascii: "/") || isAbsolute || isAuthority else {
            sink.report(
                start, "a target begins with /, found \(quoted(text.text))",
                hint: "write /* for any target, http:// for the absolute form")
            return nil
        }
        let pattern = PatternParser(sink: sink).parse(text, captures: &captures)
        if isAuthority, !isAbsolute, let literal = pattern?.exactBytes, !literal.contains(UInt8(ascii: ":")) {
            sink.report(
                start, "this can never match: the target of CONNECT has a port (RFC 9112 §3.2.3)",
                hint: "write \(quoted(String(decoding: literal, as: UTF8.self) + ":443"))")
        }
        return pattern
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
}

extension UInt8 {
    /// RFC 9110 §5.6.2.
    var isTokenByte: Bool {
        if isASCIILetter || isASCIIDigit { return true }
        return "!#$%&'*+-.^_`|~".utf8.contains(self)
    }
}
