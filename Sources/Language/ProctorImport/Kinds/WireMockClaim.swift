import ProctorBase
import ProctorHTTP

/// A request that a mapping takes, where its conditions say one by themselves, and what comes of it.
enum WireMockClaim {
    /// nil where the request would have to be guessed, or the reply depends on a state or a template.
    static func make(of stub: SourceValue, files: [String: [UInt8]]) -> SourceClaim? {
        guard let request = stub["request"], let response = stub["response"], stub["scenarioName"] == nil,
            let asked = self.request(request)
        else { return nil }
        var claim = SourceClaim(at: stub.place, asked)
        claim.answeredBy = stub.place
        claim.hasAllFields = false
        guard response["fault"] == nil else { return claim }
        claim.status = response["status"]?.integer ?? 200
        guard response["transformers"]?.items?.isEmpty ?? true else { return claim }
        if let reason = response["statusMessage"]?.text, !reason.isEmpty { claim.reason = reason }
        claim.fields = (response["headers"]?.members ?? [])
            .filter { !["content-length", "transfer-encoding", "date"].contains($0.name.lowercased()) }
            .flatMap { name, value in
                (value.items ?? [value]).map { (name, .equal(Array(($0.text ?? "").utf8))) }
            }
        if !ReplyHead.hasNoContent(claim.status ?? 200), asked.method != "HEAD" {
            claim.content = content(of: response, files)
        }
        return claim
    }

    private static func request(_ request: SourceValue) -> RecordedRequest? {
        let names = request["method"]?["oneOf"]?.items?.compactMap(\.text)
        let given = names?.first ?? request["method"]?.text ?? "ANY"
        let method = given == "GET_OR_HEAD" ? "GET" : given
        guard let path = path(of: request) else { return nil }
        var pairs: [URLEncodedForm.Pair] = []
        for (name, matcher) in request["queryParameters"]?.members ?? [] where !isAbsent(matcher) {
            guard let value = value(for: matcher) else { return nil }
            pairs.append(.init(name: name.utf8, value: value.utf8))
        }
        let query = pairs.isEmpty ? "" : "?" + String(decoding: URLEncodedForm(pairs).bytes, as: UTF8.self)
        let first = method.split(separator: "|").first.map { String($0) } ?? "GET"
        var asked = RecordedRequest(method: first == "ANY" ? "GET" : first, origin: "", target: path + query)
        for (name, matcher) in request["headers"]?.members ?? [] where !isAbsent(matcher) {
            guard let value = value(for: matcher) else { return nil }
            asked.fields.append(HTTPField(name, value))
        }
        let cookies = (request["cookies"]?.members ?? []).filter { !isAbsent($0.value) }
        let values = cookies.map { name, matcher in value(for: matcher).map { "\(name)=\($0)" } }
        guard !values.contains(nil) else { return nil }
        if !values.isEmpty {
            asked.fields.append(HTTPField("Cookie", values.compactMap(\.self).joined(separator: "; ")))
        }
        if let basic = request["basicAuthCredentials"] ?? request["basicAuth"] {
            let user = "\(basic["username"]?.text ?? ""):\(basic["password"]?.text ?? "")"
            asked.fields.append(HTTPField("Authorization", "Basic " + Base64Text.encode(user.utf8)))
        }
        if let form = request["formParameters"]?.members, !form.isEmpty {
            guard request["bodyPatterns"] == nil else { return nil }
            var pairs: [URLEncodedForm.Pair] = []
            for (name, matcher) in form where !isAbsent(matcher) {
                guard let value = value(for: matcher) else { return nil }
                pairs.append(.init(name: name.utf8, value: value.utf8))
            }
            asked.content = URLEncodedForm(pairs).bytes
            asked.fields.append(HTTPField("Content-Type", "application/x-www-form-urlencoded"))
            return asked
        }
        guard let patterns = request["bodyPatterns"]?.items, let first = patterns.first else { return asked }
        guard patterns.count == 1, let content = content(for: first) else { return nil }
        asked.content = content
        return asked
    }

    private static func path(of request: SourceValue) -> String? {
        if let path = request["url"]?.text ?? request["urlPath"]?.text { return path }
        guard let template = request["urlPathTemplate"]?.text else { return nil }
        var segments: [String] = []
        for segment in template.split(separator: "/", omittingEmptySubsequences: false) {
            guard segment.hasPrefix("{"), segment.hasSuffix("}") else {
                segments.append(String(segment))
                continue
            }
            let matcher = request["pathParameters"]?[String(segment.dropFirst().dropLast())]
            guard let value = matcher.map({ value(for: $0) }) ?? "1" else { return nil }
            segments.append(value)
        }
        return segments.joined(separator: "/")
    }

    private static func isAbsent(_ matcher: SourceValue) -> Bool { matcher["absent"]?.boolean == true }

    /// A text that holds to a matcher.
    private static func value(for matcher: SourceValue) -> String? {
        (matcher["equalTo"] ?? matcher["contains"])?.text
    }

    private static func content(for pattern: SourceValue) -> [UInt8]? {
        if let text = (pattern["equalTo"] ?? pattern["contains"])?.text { return Array(text.utf8) }
        if let json = pattern["equalToJson"], !json.json.contains(text: "{json-unit.") {
            return Array((json.isText ? json.text ?? "" : json.json).utf8)
        }
        return pattern["binaryEqualTo"]?.text.flatMap { try? Base64Text.decode(Array($0.utf8)) }
    }

    private static func content(of response: SourceValue, _ files: [String: [UInt8]]) -> [UInt8]? {
        if let json = response["jsonBody"] {
            return Array((FixtureJSON.plain(json).map(FixtureJSON.json) ?? json.json).utf8)
        }
        if let text = response["body"]?.text { return Array(text.utf8) }
        if let base64 = response["base64Body"]?.text { return try? Base64Text.decode(Array(base64.utf8)) }
        guard let name = response["bodyFileName"]?.text else { return [] }
        return files["__files/\(name.hasPrefix("/") ? String(name.dropFirst()) : name)"]
    }
}
