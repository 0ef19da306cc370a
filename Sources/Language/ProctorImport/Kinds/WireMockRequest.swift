import ProctorBase

/// The request of a mapping as one of a fixture.
///
/// A condition that a fixture can't say refuses the mapping, since without it other requests would get its reply.
struct WireMockRequest {
    private(set) var remarks = ImportRemarks()
    private var isRefused = false

    init() {}

    /// nil where it would take other requests than WireMock does; the remark says why.
    mutating func draft(_ request: SourceValue) -> DraftRequest? {
        SourceForm.wiremock.check(request, "the request", &remarks)
        guard let path = path(of: request), let method = method(of: request) else { return nil }
        var drafted = DraftRequest(method, path.tree)
        var query: [YAMLTree.Member] = []
        for (name, matcher) in request["queryParameters"]?.members ?? [] {
            if let condition = condition(matcher) { query.append(.init(name, condition)) }
        }
        if !query.isEmpty {
            drafted.query = query
            remarks.add(
                at: request.place, "a request with more parameters than these matched in WireMock, and does not here")
        } else if path.isPathAlone, case .text(let text) = drafted.path {
            // A path alone says nothing about a query.
            drafted.path = ["matches": .text(RegexText.escape(text) + "(\\?.*)?")]
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
        addForm(request, to: &drafted)
        for key in ["multipartPatterns", "customMatcher"] {
            if let value = request[key], !value.isEmpty { refuse(value.place, "\(key) can't be asked for here") }
        }
        for key in ["host", "port", "scheme", "clientIp"] where request[key] != nil {
            remarks.add(at: request[key]?.place ?? request.place, "\(key) is not asked for")
        }
        return isRefused ? nil : drafted
    }

    mutating func refuse(_ place: String, _ sentence: String) {
        isRefused = true
        remarks.add(at: place, "\(sentence), and the mapping is left out")
    }

    /// A form with these fields and no others; nil content where there are none.
    private mutating func addForm(_ request: SourceValue, to drafted: inout DraftRequest) {
        guard let form = request["formParameters"], let fields = form.members, !fields.isEmpty else { return }
        var members: [YAMLTree.Member] = []
        for (name, matcher) in fields {
            guard !name.utf8.contains(UInt8(ascii: "*")) else {
                return refuse(form.place, "a field of a form with a star in its name can't be asked for here")
            }
            if let condition = condition(matcher) { members.append(.init(name, condition)) }
        }
        remarks.add(at: form.place, "a form with more fields than these matched in WireMock, and does not here")
        let member = YAMLTree.Member("form", .map(members))
        drafted.content =
            drafted.content.isEmpty
            ? [member] : drafted.content + [.init("any of", .list([.map([member])]))]
    }

    // MARK: Methods

    /// As a fixture has it; nil where it is refused.
    private mutating func method(of request: SourceValue) -> String? {
        guard let given = request["method"], !given.isNull else { return "*" }
        if let several = given["oneOf"]?.items {
            let names = several.compactMap(\.text)
            if names.contains("ANY") { return "*" }
            if !names.isEmpty, names.allSatisfy(Self.isMethod) { return names.joined(separator: "|") }
        }
        switch given.text {
        case "ANY": return "*"
        case "GET_OR_HEAD": return "GET|HEAD"
        case let name? where name.split(separator: "|").allSatisfy({ Self.isMethod(String($0)) }) && !name.isEmpty:
            return name
        default:
            refuse(given.place, "the method \(ByteShow.quote((given.text ?? given.json).utf8)) is not known here")
            return nil
        }
    }

    /// A token (RFC 9110 §9.1); words of WireMock have a low line.
    private static func isMethod(_ name: String) -> Bool {
        !name.isEmpty && name.utf8.allSatisfy { $0.isASCIILetter || $0.isASCIIDigit || $0 == UInt8(ascii: "-") }
    }

    // MARK: Targets

    private mutating func path(of request: SourceValue) -> (tree: YAMLTree, isPathAlone: Bool)? {
        if let url = request["url"]?.text { return (.text(LiteralText.pattern(url)), false) }
        if let path = request["urlPath"]?.text { return (.text(LiteralText.pattern(path)), true) }
        if let template = request["urlPathTemplate"]?.text {
            // The holes of a template are written alike; a query may follow.
            let expression = self.template(template, request["pathParameters"])
            return (["matches": .text(expression + "(\\?.*)?")], false)
        }
        if let pattern = request["urlPattern"]?.text { return (["matches": .text(pattern)], false) }
        if let pattern = request["urlPathPattern"]?.text {
            let hasQuery = request["queryParameters"] != nil
            return (["matches": .text(hasQuery ? pattern : "(?:\(pattern))(\\?.*)?")], false)
        }
        return (.text("/*"), false)
    }

    private mutating func template(_ template: String, _ parameters: SourceValue?) -> String {
        template.split(separator: "/", omittingEmptySubsequences: false).map { segment in
            guard segment.hasPrefix("{"), segment.hasSuffix("}"), segment.count > 2 else {
                return RegexText.escape(String(segment))
            }
            let named = String(segment.dropFirst().dropLast())
            let name = named.utf8.filter { $0.isASCIILetter || $0.isASCIIDigit || $0 == 0x5F }
            let value = parameters?[named].flatMap { expression(of: $0) } ?? "[^/?]+"
            return name.first?.isASCIILetter == true
                ? "(?<\(String(decoding: name.prefix(30), as: UTF8.self))>\(value))" : "(?:\(value))"
        }.joined(separator: "/")
    }

    /// A condition on a segment as an expression; nil where it is refused.
    private mutating func expression(of matcher: SourceValue) -> String? {
        let matchers = matcher.members ?? []
        guard matchers.count == 1, let (name, value) = matchers.first, let text = value.text else {
            refuse(matcher.place, "this condition on a part of the path can't be said in an expression")
            return nil
        }
        switch name {
        case "equalTo": return RegexText.escape(text)
        case "contains": return "[^/?]*\(RegexText.escape(text))[^/?]*"
        // An expression is held against the whole of the segment.
        case "matches": return "(?=[^/?]+)(?:\(text))(?=[/?]|$)"
        default:
            refuse(value.place, "the matcher \(name) of a part of the path can't be said in an expression")
            return nil
        }
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
        case "doesNotContain": return ["not": .text("*" + LiteralText.pattern(value) + "*")]
        case "matches": return expression(value)
        case "doesNotMatch": return ["not": expression(value)]
        case "absent": return .null
        case "or":
            let inner = (first.value.items ?? []).compactMap { condition($0) }
            return inner.isEmpty ? nil : ["any of": .list(inner)]
        case "and":
            // All of them hold where none of their opposites does.
            let inner = (first.value.items ?? []).compactMap { condition($0) }
            guard let only = inner.first, inner.count > 1 else { return inner.first }
            return inner.count == 1 ? only : ["not": ["any of": .list(inner.map { ["not": $0] })]]
        case "hasExactly":
            let inner = (first.value.items ?? []).compactMap { condition($0) }
            guard !inner.isEmpty else {
                refuse(first.value.place, "hasExactly without values can't be asked for here")
                return nil
            }
            return inner.count == 1 ? inner[0] : .list(inner)
        case "not": return condition(first.value).map { ["not": $0] }
        default:
            refuse(first.value.place, "the matcher \(first.name) is not known here")
            return nil
        }
    }

    private func expression(_ text: String) -> YAMLTree { ["matches": .text(text)] }

    // MARK: Bodies

    /// All patterns must hold: a fixture asks one thing about a body at a place, and more of them inside `any of`.
    private mutating func addBodies(_ patterns: SourceList, to request: inout DraftRequest) {
        var pointers: [YAMLTree.Member] = []
        var queries: [YAMLTree.Member] = []
        var members: [YAMLTree.Member] = []
        for pattern in patterns {
            guard let first = pattern.members?.first(where: { Self.bodyMatchers.contains($0.name) }) else {
                let name = pattern.members?.first?.name ?? "without a name"
                refuse(pattern.place, "the body pattern \(name) is not known here")
                continue
            }
            switch first.name {
            case "matchesJsonPath":
                let path = first.value.text ?? first.value["expression"]?.text ?? ""
                if let tokens = JSONPathNames.tokens(of: path) {
                    jsonValue(first.value, at: tokens).map { pointers.append($0) }
                } else {
                    jsonQuery(first.value, path).map { queries.append($0) }
                }
            case "matchesXPath": xpath(pattern, first.value).map { members.append($0) }
            default: body(first.name, first.value, of: pattern).map { members.append($0) }
            }
        }
        // A pointer or a query that is asked twice can't stand twice in a mapping.
        members += Self.mappings(of: pointers).map { .init("json", ["at": .map($0)]) }
        members += Self.mappings(of: queries).map { .init("body", ["jsonpath": .map($0)]) }
        request.content += Self.joined(members)
    }

    /// The members in as few mappings as have no name twice.
    private static func mappings(of members: [YAMLTree.Member]) -> [[YAMLTree.Member]] {
        var mappings: [[YAMLTree.Member]] = []
        for member in members {
            if let index = mappings.firstIndex(where: { !$0.contains { $0.key == member.key } }) {
                mappings[index].append(member)
            } else {
                mappings.append([member])
            }
        }
        return mappings
    }

    /// The first condition with the others inside `any of`, of which each has one alternative alone.
    private static func joined(_ members: [YAMLTree.Member]) -> [YAMLTree.Member] {
        guard let first = members.first else { return [] }
        guard members.count > 1 else { return [first] }
        return [first, .init("any of", .list([.map(joined(Array(members.dropFirst())))]))]
    }

    private static let bodyMatchers = [
        "equalTo", "equalToJson", "equalToXml", "contains", "matches", "binaryEqualTo", "matchesJsonPath",
        "matchesXPath", "matchesJsonSchema",
    ]

    private mutating func body(_ name: String, _ value: SourceValue, of pattern: SourceValue) -> YAMLTree.Member? {
        switch name {
        case "equalTo": return .init("body", Self.literal(value.text ?? ""))
        case "contains": return .init("body", ["contains": Self.literal(value.text ?? "")])
        case "matches": return .init("body", expression("(?s)" + (value.text ?? "")))
        case "binaryEqualTo": return .init("body", ["base64": .text(value.text ?? "")])
        case "matchesJsonSchema":
            if let version = pattern["schemaVersion"]?.text, version != "V202012" {
                refuse(pattern.place, "a schema of \(version) is not read here, and 2020-12 is")
                return nil
            }
            let schema =
                value.isText ? try? SourceValue(parsing: Array((value.text ?? "").utf8), file: value.place) : value
            guard let schema, let tree = FixtureJSON.plain(schema) else {
                refuse(value.place, "this schema is no JSON")
                return nil
            }
            return .init("body", ["schema": tree])
        case "equalToXml":
            for key in ["enablePlaceholders", "exemptedComparisons", "namespaceAwareness"] {
                guard let option = pattern[key], !option.isEmpty, option.boolean != false else { continue }
                refuse(option.place, "\(key) of XML can't be said here")
                return nil
            }
            remarks.add(at: pattern.place, "equalToXml: the order of elements is compared here")
            return .init("body", ["xml": Self.literal(value.text ?? "")])
        case "equalToJson":
            if pattern["ignoreArrayOrder"]?.boolean == true {
                remarks.add(at: pattern.place, "ignoreArrayOrder: the order of lists is compared here")
            }
            let ignores = pattern["ignoreExtraElements"]?.boolean == true
            guard let tree = jsonTree(value).flatMap({ withPlaceholders($0, isPart: ignores, at: value.place) }) else {
                return nil
            }
            return .init("json", ignores ? ["contains": tree] : tree)
        default: return nil
        }
    }

    /// What an expression of XPath 1.0 finds; alone, that it finds a node.
    private mutating func xpath(_ pattern: SourceValue, _ value: SourceValue) -> YAMLTree.Member? {
        let path = value.text ?? value["expression"]?.text ?? ""
        guard let condition = foundCondition(value, of: "an XPath") else { return nil }
        var members = [YAMLTree.Member("xpath", [path: condition])]
        let names = (pattern["xPathNamespaces"] ?? value["xPathNamespaces"])?.members ?? []
        if !names.isEmpty {
            members.append(.init("namespaces", .map(names.map { .init($0.name, .text($0.value.text ?? "")) })))
        }
        return .init("body", .map(members))
    }

    /// The condition on what an expression finds; nil where it is refused.
    private mutating func foundCondition(_ value: SourceValue, of kind: String) -> YAMLTree? {
        let matchers = (value.members ?? []).filter { $0.name != "expression" && $0.name != "xPathNamespaces" }
        guard let matcher = matchers.first else { return .text("*") }
        guard matchers.allSatisfy({ Self.foundMatchers.contains($0.name) || $0.name == "caseInsensitive" }) else {
            refuse(matcher.value.place, "the matcher \(matcher.name) of \(kind) is not known here")
            return nil
        }
        var members = matchers.map { YAMLTree.Member($0.name, FixtureJSON.plain($0.value) ?? .null) }
        members.sort { ($0.key == "caseInsensitive" ? 1 : 0) < ($1.key == "caseInsensitive" ? 1 : 0) }
        let text = FixtureJSON.json(.map(members))
        guard let given = try? SourceValue(parsing: Array(text.utf8), file: value.place) else { return nil }
        return condition(given)
    }

    private static let foundMatchers: Set<String> = [
        "equalTo", "contains", "doesNotContain", "matches", "doesNotMatch", "absent", "or", "not",
    ]

    // MARK: JSONPath

    /// A query that RFC 9535 reads as Jayway's JSONPath does, which WireMock uses.
    private mutating func jsonQuery(_ value: SourceValue, _ path: String) -> YAMLTree.Member? {
        if let word = JaywayPath.ownWord(in: path) {
            refuse(
                value.place,
                "the JSONPath \(ByteShow.quote(path.utf8)) has \(word), which Jayway's JSONPath has and RFC 9535 has not"
            )
            return nil
        }
        guard let condition = foundCondition(value, of: "a JSONPath") else { return nil }
        remarks.add(
            at: value.place,
            "the JSONPath is read by RFC 9535: values of different types are never equal here, and a null that is found "
                + "counts as found")
        return .init(path, condition)
    }

    /// JSON, or JSON in a text.
    private mutating func jsonTree(_ value: SourceValue) -> YAMLTree? {
        let inner = value.isText ? try? SourceValue(parsing: Array((value.text ?? "").utf8), file: value.place) : value
        if let inner, let tree = FixtureJSON.tree(inner) { return tree }
        refuse(value.place, "this is no JSON that a fixture can ask for")
        return nil
    }

    /// What stands at a JSONPath that leads to one value; `$.a.b` alone asks that something does.
    private mutating func jsonValue(_ value: SourceValue, at tokens: [String]) -> YAMLTree.Member? {
        let pointer = JSONPointer(tokens: tokens).text
        guard let matcher = value.members?.first(where: { $0.name != "expression" }) else {
            remarks.add(
                at: value.place,
                "an empty list or object or a null is found here, and is as good as missing in WireMock")
            return .init(pointer, .plain("any value"))
        }
        let text = matcher.value.text ?? ""
        switch matcher.name {
        case "equalTo":
            // WireMock compares the text of the value.
            let isTyped = ["true", "false"].contains(text) || JSONDecimal(text.utf8) != nil
            let both: YAMLTree = ["any of": .list([.text(text), .plain(text)])]
            return .init(pointer, isTyped ? both : .text(text))
        case "contains": return .init(pointer, expression("(?s).*\(RegexText.escape(text)).*"))
        case "matches": return .init(pointer, expression(text))
        case "absent": return .init(pointer, ["not": .plain("any value")])
        case "equalToJson":
            return jsonTree(matcher.value)
                .flatMap { withPlaceholders($0, isPart: false, at: matcher.value.place) }.map { .init(pointer, $0) }
        default:
            refuse(matcher.value.place, "the matcher \(matcher.name) of a JSONPath is not known here")
            return nil
        }
    }

    private static func literal(_ text: String) -> YAMLTree {
        text.contains(text: "{{") ? ["text": .text(text)] : .text(text)
    }
}
