import ProctorBase

/// The request of a mapping as one of a fixture.
struct WireMockRequest {
    private(set) var remarks = ImportRemarks()

    /// nil where it would take other requests than WireMock does; the remark says why.
    mutating func draft(_ request: SourceValue) -> DraftRequest? {
        let method = request["method"]?.text ?? "ANY"
        guard let path = path(of: request) else { return nil }
        var drafted = DraftRequest(method == "ANY" ? "*" : method, path.tree)
        var query: [YAMLTree.Member] = []
        for (name, matcher) in request["queryParameters"]?.members ?? [] {
            if let condition = condition(matcher) { query.append(.init(name, condition)) }
        }
        if !query.isEmpty {
            drafted.query = query
            remarks.append(
                ImportRemark(
                    at: request.place,
                    "a request with more parameters than these matched in WireMock, and does not here"))
        } else if path.isPathAlone, case .text(let text) = drafted.path {
            // A path alone says nothing about a query.
            drafted.path = .map([.init("matches", .text(RegexText.escape(text) + "(\\?.*)?"))])
        }
        for (name, matcher) in request["headers"]?.members ?? [] {
            if let condition = condition(matcher) { drafted.headers.append(.init(name, condition)) }
        }
        for (name, matcher) in request["cookies"]?.members ?? [] {
            if let condition = condition(matcher) { drafted.cookies.append(.init(name, condition)) }
        }
        if let basic = request["basicAuthCredentials"] ?? request["basicAuth"] {
            let user = "\(basic["username"]?.text ?? ""):\(basic["password"]?.text ?? "")"
            drafted.headers.append(
                .init("Authorization", .text("Basic " + LiteralText.pattern(Base64Text.encode(user.utf8)))))
        }
        if let patterns = request["bodyPatterns"]?.items { addBodies(patterns, to: &drafted) }
        for key in ["multipartPatterns", "formParameters", "customMatcher", "host", "port", "scheme", "clientIp"]
        where request[key] != nil {
            remarks.append(ImportRemark(at: request[key]?.place ?? request.place, "\(key) is not asked for"))
        }
        return drafted
    }

    // MARK: Targets

    private mutating func path(of request: SourceValue) -> (tree: YAMLTree, isPathAlone: Bool)? {
        if let url = request["url"]?.text { return (.text(LiteralText.pattern(url)), false) }
        if let path = request["urlPath"]?.text { return (.text(LiteralText.pattern(path)), true) }
        if let template = request["urlPathTemplate"]?.text {
            // The holes of a template are written alike; a query may follow.
            let expression = Self.template(template)
            return (.map([.init("matches", .text(expression + "(\\?.*)?"))]), false)
        }
        if let pattern = request["urlPattern"]?.text { return (.map([.init("matches", .text(pattern))]), false) }
        if let pattern = request["urlPathPattern"]?.text {
            let hasQuery = request["queryParameters"] != nil
            return (.map([.init("matches", .text(hasQuery ? pattern : "(?:\(pattern))(\\?.*)?"))]), false)
        }
        return (.text("/*"), false)
    }

    private static func template(_ template: String) -> String {
        template.split(separator: "/", omittingEmptySubsequences: false).map { segment in
            guard segment.hasPrefix("{"), segment.hasSuffix("}"), segment.count > 2 else {
                return RegexText.escape(String(segment))
            }
            let name = segment.dropFirst().dropLast().utf8.filter { $0.isASCIILetter || $0.isASCIIDigit || $0 == 0x5F }
            return name.first?.isASCIILetter == true
                ? "(?<\(String(decoding: name.prefix(30), as: UTF8.self))>[^/?]+)" : "[^/?]+"
        }.joined(separator: "/")
    }

    // MARK: Values

    private mutating func condition(_ matcher: SourceValue) -> YAMLTree? {
        guard let members = matcher.members, let first = members.first(where: { $0.name != "caseInsensitive" }) else {
            return matcher.text.map { .text(LiteralText.pattern($0)) }
        }
        let value = first.value.text ?? ""
        let ignoresCase = matcher["caseInsensitive"]?.boolean == true
        switch first.name {
        case "equalTo":
            return ignoresCase ? expression("(?i)" + RegexText.escape(value)) : .text(LiteralText.pattern(value))
        case "contains": return .text("*" + LiteralText.pattern(value) + "*")
        case "doesNotContain": return .map([.init("not", .text("*" + LiteralText.pattern(value) + "*"))])
        case "matches": return expression(value)
        case "doesNotMatch": return .map([.init("not", expression(value))])
        case "absent": return .null
        case "or":
            let inner = (first.value.items ?? []).compactMap { condition($0) }
            return inner.isEmpty ? nil : .map([.init("any of", .list(inner))])
        case "not": return condition(first.value).map { .map([.init("not", $0)]) }
        default:
            remarks.append(
                ImportRemark(
                    at: first.value.place, "the matcher \(first.name) is not known here, so that any value is taken"))
            return nil
        }
    }

    private func expression(_ text: String) -> YAMLTree { .map([.init("matches", .text(text))]) }

    // MARK: Bodies

    /// A fixture asks one thing about a body; the first that it can say is taken.
    private mutating func addBodies(_ patterns: [SourceValue], to request: inout DraftRequest) {
        for pattern in patterns {
            guard let first = pattern.members?.first(where: { Self.bodyMatchers.contains($0.name) }) else {
                remarks.append(
                    ImportRemark(at: pattern.place, "this body pattern is not known here, and is not asked for"))
                continue
            }
            guard request.content.isEmpty else {
                remarks.append(ImportRemark(at: pattern.place, "a second body pattern is not asked for"))
                continue
            }
            if let member = body(first.name, first.value, of: pattern) { request.content.append(member) }
        }
    }

    private static let bodyMatchers = [
        "equalTo", "equalToJson", "contains", "matches", "binaryEqualTo", "matchesJsonPath",
    ]

    private mutating func body(_ name: String, _ value: SourceValue, of pattern: SourceValue) -> YAMLTree.Member? {
        switch name {
        case "equalTo": return .init("body", Self.literal(value.text ?? ""))
        case "contains": return .init("body", .map([.init("contains", Self.literal(value.text ?? ""))]))
        case "matches": return .init("body", expression("(?s)" + (value.text ?? "")))
        case "binaryEqualTo": return .init("body", .map([.init("base64", .text(value.text ?? ""))]))
        case "equalToJson":
            if pattern["ignoreArrayOrder"]?.boolean == true {
                remarks.append(ImportRemark(at: pattern.place, "ignoreArrayOrder: the order of lists is compared here"))
            }
            let inner =
                value.isText ? try? SourceValue(parsing: Array((value.text ?? "").utf8), file: value.place) : value
            guard let inner, let tree = JSONTree.tree(inner) else {
                remarks.append(ImportRemark(at: value.place, "this is no JSON that a fixture can ask for"))
                return nil
            }
            let ignores = pattern["ignoreExtraElements"]?.boolean == true
            return .init("json", ignores ? .map([.init("contains", tree)]) : tree)
        case "matchesJsonPath":
            // `$.a.b` alone asks that something stands there.
            let path = value.text ?? value["expression"]?.text ?? ""
            guard path.hasPrefix("$."),
                path.dropFirst(2).utf8.allSatisfy({ $0.isASCIILetter || $0.isASCIIDigit || "._-".utf8.contains($0) })
            else {
                remarks.append(
                    ImportRemark(
                        at: value.place,
                        "the JSONPath \(ByteShow.quote(path.utf8)) is more than names with points, and is not asked for"
                    ))
                return nil
            }
            let pointer = JSONPointer(tokens: path.dropFirst(2).split(separator: ".").map(String.init)).text
            let wanted: YAMLTree = value["equalTo"]?.text.map { .text($0) } ?? .plain("any value")
            return .init("json", .map([.init("at", .map([.init(pointer, wanted)]))]))
        default: return nil
        }
    }

    private static func literal(_ text: String) -> YAMLTree {
        text.contains(text: "{{") ? .map([.init("text", .text(text))]) : .text(text)
    }
}
