import ProctorBase

/// A mapping of WireMock.Net in the words of WireMock, so that one reader takes both.
struct WireMockNetMapping {
    private(set) var remarks = ImportRemarks()

    static func isOne(_ stub: SourceValue) -> Bool { stub["Request"] != nil && stub["Response"] != nil }

    /// Places in it begin with that of the mapping.
    mutating func translated(_ stub: SourceValue) throws(ImportFailure) -> SourceValue {
        SourceForm.wiremockNet.check(stub, "the mapping", &remarks)
        SourceForm.wiremockNet.check(stub["Request"], "the request", &remarks)
        SourceForm.wiremockNet.check(stub["Response"], "the response", &remarks)
        var members: [YAMLTree.Member] = []
        if let request = stub["Request"] { members.append(.init("request", self.request(request))) }
        if let response = stub["Response"] { members.append(.init("response", self.response(response))) }
        copy(
            stub,
            [
                "Priority": "priority", "Scenario": "scenarioName", "WhenStateIs": "requiredScenarioState",
                "SetStateTo": "newScenarioState",
            ], to: &members)
        // A scenario whose first state is not named begins there.
        if stub["Scenario"] != nil, stub["WhenStateIs"]?.isEmpty != false {
            members.append(.init("requiredScenarioState", .text("Started")))
        }
        let text = JSONTree.json(.map(members))
        return try SourceValue(parsing: Array(text.utf8), file: "\(stub.place), in WireMock's words")
    }

    private func copy(
        _ object: SourceValue, _ names: KeyValuePairs<String, String>, to members: inout [YAMLTree.Member]
    ) {
        for (theirs, ours) in names {
            guard let value = object[theirs], !value.isEmpty, let tree = JSONTree.plain(value) else { continue }
            members.append(.init(ours, tree))
        }
    }

    // MARK: Requests

    private mutating func request(_ request: SourceValue) -> YAMLTree {
        var members: [YAMLTree.Member] = []
        let methods = (request["Methods"]?.items ?? []).compactMap { $0.text?.uppercased() }
        members.append(.init("method", .text(methods.isEmpty ? "ANY" : methods.joined(separator: "|"))))
        if let path = request["Path"], !path.isEmpty {
            if let text = path.text {
                members.append(Self.target("urlPath", text))
            } else if let matchers = path["Matchers"]?.items, matchers.count == 1, let only = matchers.first,
                let name = only["Name"]?.text, let pattern = only["Pattern"]?.text
            {
                members.append(
                    name == "RegexMatcher"
                        ? .init("urlPathPattern", .text(Self.unanchored(pattern))) : Self.target("urlPath", pattern))
            } else {
                members.append(.init("customMatcher", .text("Path")))
            }
        }
        if let url = request["Url"], !url.isEmpty { members.append(.init("customMatcher", .text("Url"))) }
        for (theirs, ours) in [("Headers", "headers"), ("Params", "queryParameters"), ("Cookies", "cookies")] {
            let conditions = conditions(request[theirs])
            if !conditions.isEmpty { members.append(.init(ours, .map(conditions))) }
        }
        if let body = request["Body"], !body.isEmpty {
            let matchers = body["Matchers"]?.items ?? body["Matcher"].map { [$0] } ?? []
            members.append(.init("bodyPatterns", .list(matchers.map { Self.matcher($0) })))
        }
        return .map(members)
    }

    private static func isWildcard(_ pattern: String) -> Bool { pattern.utf8.contains { "*?".utf8.contains($0) } }

    /// Letters with `*` for any and `?` for one.
    private static func wildcard(_ pattern: String) -> String {
        pattern.reduce(into: "") { expression, letter in
            expression += letter == "*" ? ".*" : letter == "?" ? "." : RegexText.escape(String(letter))
        }
    }

    private static func target(_ key: String, _ pattern: String) -> YAMLTree.Member {
        isWildcard(pattern) ? .init("\(key)Pattern", .text(wildcard(pattern))) : .init(key, .text(pattern))
    }

    /// .NET looks for an expression anywhere in a text.
    private static func unanchored(_ expression: String) -> String {
        let start = expression.hasPrefix("^") ? "" : ".*"
        let end = expression.hasSuffix("$") ? "" : ".*"
        return "\(start)(?:\(expression))\(end)"
    }

    private mutating func conditions(_ list: SourceValue?) -> [YAMLTree.Member] {
        var members: [YAMLTree.Member] = []
        for item in list?.items ?? [] {
            guard let name = item["Name"]?.text, let matchers = item["Matchers"]?.items, !matchers.isEmpty else {
                continue
            }
            guard !name.hasPrefix(":"), name.lowercased() != "host" else {
                remarks.add(at: item.place, "\(name) is not asked for, since the scenario has another address")
                continue
            }
            let all = matchers.map { Self.matcher($0) }
            let joined = all.count == 1 ? all[0] : ["or": .list(all)]
            members.append(.init(name, item["RejectOnMatch"]?.boolean == true ? ["not": joined] : joined))
        }
        return members
    }

    /// What can't be said keeps its name, which the reader refuses.
    private static func matcher(_ matcher: SourceValue) -> YAMLTree {
        let name = matcher["Name"]?.text ?? "a matcher without a name"
        let pattern = matcher["Pattern"]
        let text = pattern?.text ?? ""
        let ignoresCase = matcher["IgnoreCase"]?.boolean == true
        var members: [YAMLTree.Member]
        switch name {
        case "WildcardMatcher" where isWildcard(text):
            members = [.init("matches", .text((ignoresCase ? "(?i)" : "") + wildcard(text)))]
        case "WildcardMatcher", "ExactMatcher":
            members = [.init("equalTo", .text(text))]
            if ignoresCase { members.append(.init("caseInsensitive", .plain("true"))) }
        case "RegexMatcher": members = [.init("matches", .text((ignoresCase ? "(?i)" : "") + unanchored(text)))]
        case "NotNullOrEmptyMatcher": members = [.init("matches", .text(".+"))]
        case "JsonMatcher", "JsonPartialMatcher":
            members = [.init("equalToJson", pattern.flatMap { JSONTree.plain($0) } ?? .null)]
            if name == "JsonPartialMatcher" { members.append(.init("ignoreExtraElements", .plain("true"))) }
        case "JsonPathMatcher": members = [.init("matchesJsonPath", .text(text))]
        default: members = [.init(name, .text(text))]
        }
        return matcher["RejectOnMatch"]?.boolean == true ? ["not": .map(members)] : .map(members)
    }

    // MARK: Responses

    private func response(_ response: SourceValue) -> YAMLTree {
        var members: [YAMLTree.Member] = []
        let isTemplate = response["UseTransformer"]?.boolean == true
        copy(
            response,
            [
                "StatusCode": "status", "BodyAsFile": "bodyFileName", "Delay": "fixedDelayMilliseconds",
                "BodyAsJson": "jsonBody",
            ], to: &members)
        // The bytes are those of the text.
        if let bytes = response["BodyAsBytes"]?.text, !isTemplate {
            members.append(.init("base64Body", .text(bytes)))
        } else if let body = response["Body"]?.text {
            members.append(.init("body", .text(body)))
        }
        if let headers = response["Headers"]?.members {
            members.append(
                .init(
                    "headers",
                    .map(
                        headers.filter { !["connection", "keep-alive"].contains($0.name.lowercased()) }
                            .compactMap { name, value in JSONTree.plain(value).map { .init(name, $0) } })))
        }
        if isTemplate { members.append(.init("transformers", .list([.text("response-template")]))) }
        return .map(members)
    }
}
