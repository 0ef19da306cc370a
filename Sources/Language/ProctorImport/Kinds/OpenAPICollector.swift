import ProctorBase
import ProctorHTTP

/// The exchanges of a description, operation by operation.
struct OpenAPICollector {
    let root: SourceValue
    let prefix: String
    var exchanges: [(holes: Int, exchange: DraftExchange)] = []
    private var claims: [SourceClaim] = []
    var sampler: SchemaSampler
    private var remarks = ImportRemarks()
    /// Bytes of the exchanges that are chosen by the request, and how many are left out by the bounds.
    var choiceByteCount = 0
    var leftChoices = 0
    /// Which exchanges are chosen by the request.
    var choices: Set<Int> = []

    init(root: SourceValue) {
        self.root = root
        sampler = SchemaSampler(root: root)
        SourceForm.openapi.check(root, "the description", &remarks)
        let server = root["servers"]?.items?.first
        var url = server?["url"]?.text ?? ""
        for (name, variable) in server?["variables"]?.members ?? [] {
            url = url.replacing(text: "{\(name)}", with: variable["default"]?.text ?? "")
        }
        let path = String(decoding: URIReference(splitting: Array(url.utf8)).path, as: UTF8.self)
        // `localhost:3000/v1` has no scheme, and a variable may have no value.
        let rooted =
            path.utf8.first == UInt8(ascii: "/") ? path[...] : path.firstIndex(of: "/").map { path[$0...] } ?? ""
        prefix = String(rooted.hasSuffix("/") ? rooted.dropLast() : rooted)
        if rooted.utf8.count != path.utf8.count {
            remarks.add(
                at: server?["url"]?.place ?? root.place,
                "the server's URL \(ByteShow.quote(url.utf8)) is not absolute: the paths stand below \(prefix)/")
        }
    }

    mutating func addPath(_ path: String, _ given: SourceValue) {
        guard let item = sampler.resolve(given) else { return }
        guard path.hasPrefix("/"), !path.utf8.contains(where: { $0 <= 0x20 || $0 == 0x7F }) else {
            remarks.add(at: given.place, "the path \(ByteShow.quote(path.utf8)) is no path, and is left out")
            return
        }
        SourceForm.openapi.check(item, "the path", &remarks)
        let shared = item["parameters"]?.items ?? []
        for method in OpenAPIReader.methods {
            guard let operation = item[method] else { continue }
            addOperation(operation, method: method.uppercased(), path: path, parameters: shared)
        }
    }

    /// Tells the requests that a server of the description would send by itself.
    mutating func tellWebhooks() {
        for (name, hook) in root["webhooks"]?.members ?? [] where !name.hasPrefix("x-") {
            remarks.add(
                at: hook.place,
                "webhooks are not sent, since no request leads to them; the key webhooks of an exchange sends them")
        }
    }

    private mutating func addOperation(
        _ operation: SourceValue, method: String, path: String, parameters shared: SourceList
    ) {
        var query: [YAMLTree.Member] = []
        var parameters: [String: (place: String, value: SourceValue)] = [:]
        var names: [String] = []
        SourceForm.openapi.check(operation, "the operation", &remarks)
        var segments: [String: String] = [:]
        var asked: [URLEncodedForm.Pair] = []
        for given in [shared, operation["parameters"]?.items ?? []].joined() {
            guard let parameter = sampler.resolve(given), let name = parameter["name"]?.text else { continue }
            if parameter["in"]?.text == "path" { segments[name] = sample(of: parameter) }
            guard parameter["in"]?.text == "query" else { continue }
            if parameters[name] == nil { names.append(name) }
            parameters[name] = (given.place, parameter)
        }
        for name in names {
            guard let (place, parameter) = parameters[name] else { continue }
            guard !name.utf8.contains(UInt8(ascii: "*")) else {
                remarks.add(at: place, "a parameter with a star in its name is not asked for")
                continue
            }
            let isNeeded = parameter["required"]?.boolean == true
            if isNeeded { asked.append(.init(name: name.utf8, value: sample(of: parameter).utf8)) }
            query.append(.init(name, isNeeded ? .text("*") : ["any of": .list([.text("*"), .null])]))
        }
        let (pattern, holes) = Self.pattern(prefix + path)
        var request = DraftRequest(method, .text(pattern))
        if !query.isEmpty { request.query = query }
        guard let chosen = chosenResponse(of: operation) else { return }
        let sent = OperationRequest(
            request: request, path: prefix + path, holes: holes, segments: segments, pairs: asked)
        addChoices(of: operation, method: method, chosen, sent, parameters: (shared, names))
        addExchange(reply(chosen, method: method), asking: sent, at: operation.place)
    }

    /// A request of an operation, and the values of the parameters that it needs.
    struct OperationRequest {
        var request: DraftRequest
        /// With holes, as the description has it.
        var path: String
        var holes: Int
        var segments: [String: String]
        var pairs: [URLEncodedForm.Pair]
    }

    mutating func addExchange(
        _ reply: DraftReply, asking asked: OperationRequest, prefer: String? = nil, at place: String
    ) {
        var exchange = DraftExchange(asked.request, [reply])
        // A description says what may be asked, not what is.
        exchange.more.append(.init("optional", .plain("true")))
        exchange.place = place
        exchanges.append((asked.holes, exchange))
        let pairs = asked.pairs.map { Self.inQuery($0.name) + "=" + Self.inQuery($0.value) }
        let form = pairs.isEmpty ? "" : "?" + pairs.joined(separator: "&")
        var claim = SourceClaim(
            at: place,
            RecordedRequest(
                method: asked.request.method, origin: "",
                target: Self.filled(asked.path, asked.segments) + form))
        if let prefer { claim.request.fields.append(HTTPField("Prefer", prefer)) }
        if prefer != nil { claim.answeredBy = place }
        claim.status = reply.status
        claim.hasAllFields = false
        claims.append(claim)
    }

    /// A value of a parameter as it stands in a URL.
    private mutating func sample(of parameter: SourceValue) -> String {
        let example = parameter["example"]?.text ?? parameter["examples"]?.members?.first?.value["value"]?.text
        return example ?? sampler.sample(parameter["schema"])?.scalarText ?? "1"
    }

    /// What may stand in a query as it is, stays (RFC 3986 §3.4).
    private static func inQuery(_ text: [UInt8]) -> String {
        PercentEncoding.encode(String(decoding: text, as: UTF8.self), keeping: "!$'()*,;:@/?[]")
    }

    /// A path with values in its holes.
    private static func filled(_ path: String, _ values: [String: String]) -> String {
        path.replacingParts(between: "{", and: "}") { name in
            let value = values[name] ?? "1"
            let isPlain = value.utf8.allSatisfy { $0.isASCIILetter || $0.isASCIIDigit || "-._~:".utf8.contains($0) }
            return isPlain && !value.isEmpty ? value : "1"
        }
    }

    /// A template of OpenAPI as a pattern of a fixture, whose names are letters, digits and `_`.
    static func pattern(_ path: String) -> (text: String, holes: Int) {
        var pattern = ""
        var holes = 0
        var rest = path[...]
        while let open = rest.firstIndex(of: "{"), let close = rest[open...].firstIndex(of: "}") {
            pattern += LiteralText.pattern(String(rest[..<open]))
            let letters = rest[rest.index(after: open)..<close].utf8.filter {
                $0.isASCIILetter || $0.isASCIIDigit || $0 == 0x5F
            }
            let name =
                letters.first?.isASCIILetter == true ? String(decoding: letters, as: UTF8.self) : "part\(holes + 1)"
            pattern += pattern.contains(text: "{\(name)}") ? "{\(name)\(holes + 1)}" : "{\(name)}"
            holes += 1
            rest = rest[rest.index(after: close)...]
        }
        return (pattern + LiteralText.pattern(String(rest)), holes)
    }

    // MARK: Replies

    struct Response {
        let key: String
        let status: Int
        let value: SourceValue
    }

    /// The first response that tells of success, or the default; nil after a remark.
    private mutating func chosenResponse(of operation: SourceValue) -> Response? {
        guard let responses = operation["responses"]?.members, !responses.isEmpty else {
            remarks.add(at: operation.place, "the operation has no responses, and is left out")
            return nil
        }
        let keys = responses.map(\.name).filter { !$0.hasPrefix("x-") }
        let key =
            keys.filter { $0.hasPrefix("2") && Int($0) != nil }.sorted().first
            ?? keys.first { $0.uppercased() == "2XX" } ?? keys.first { $0 == "default" } ?? keys.sorted().first
        guard let key, let given = responses.first(where: { $0.name == key })?.value,
            let response = sampler.resolve(given)
        else {
            remarks.add(at: operation.place, "no response of the operation can be read, so it is left out")
            return nil
        }
        // The others have a status, which Prefer can ask for.
        let others = keys.filter { $0 != key && Self.status(of: $0) == nil }
        if !others.isEmpty {
            remarks.add(
                at: operation.place, "of its responses \(key) is served; not \(others.joined(separator: ", "))")
        }
        let first = Int(key.prefix(1)) ?? 2
        let status = Self.status(of: key) ?? (key == "default" ? 200 : max(1, first) * 100)
        return Response(key: key, status: status, value: response)
    }

    static func status(of key: String) -> Int? { Int(key).flatMap { (100...999).contains($0) ? $0 : nil } }

    /// `example` is the name of the example that it has; nil: the first.
    mutating func reply(_ response: Response, method: String, example: String? = nil) -> DraftReply {
        var reply = DraftReply(response.status)
        for (name, given) in response.value["headers"]?.members ?? [] where name.lowercased() != "content-type" {
            guard !ReplyDrafter.ofConnection.contains(name.lowercased()) else {
                if example == nil {
                    remarks.add(at: given.place, "the field \(name) is the server's own, and is left out")
                }
                continue
            }
            guard let header = sampler.resolve(given) else { continue }
            let value = header["example"].flatMap { $0.text } ?? sampler.sample(header["schema"])?.scalarText
            reply.headers.append(.init(name, .text(LiteralText.late(value ?? "1"))))
        }
        guard !ReplyHead.hasNoContent(response.status) else { return reply }
        addContent(of: response.value, to: &reply, method: method, example: example)
        return reply
    }

    /// The type of a response that is served: the first of JSON, or the first.
    static func media(of response: SourceValue) -> (name: String, value: SourceValue)? {
        let media = response["content"]?.members ?? []
        return media.first { MediaType(Array($0.name.utf8))?.isJSON == true } ?? media.first
    }

    private mutating func addContent(
        of response: SourceValue, to reply: inout DraftReply, method: String, example: String?
    ) {
        guard let (name, value) = Self.media(of: response) else { return }
        if example == nil {
            SourceForm.openapi.check(response, "the response", &remarks)
            SourceForm.openapi.check(value, "the media type", &remarks)
        }
        let type = name == "*/*" ? "application/json" : name.replacing(text: "*", with: "plain")
        reply.headers.append(.init("Content-Type", .text(type)))
        if example == nil, response["content"]?.members?.count ?? 0 > 1 {
            remarks.add(at: value.place, "of the types of this response \(name) is served")
        }
        let isJSON = MediaType(Array(type.utf8))?.isJSON ?? false
        guard method != "HEAD", let sample = sampler.content(of: value, isJSON: isJSON, named: example) else {
            return
        }
        if isJSON {
            let json = FixtureJSON.json(sample)
            reply.body = json.utf8.count <= 600 ? .made(FixtureJSON.madeBody(sample)) : .text(json)
        } else if case .text(let text) = sample {
            reply.body = .text(text)
        } else {
            reply.body = .text(FixtureJSON.json(sample))
            remarks.add(at: value.place, "content of \(name) can't be made of a schema; its JSON is served")
        }
    }

    // MARK: The whole

    mutating func draft(file: String) throws(ImportFailure) -> Draft {
        let title = root["info"]?["title"]?.text ?? "a description in OpenAPI"
        var draft = Draft(
            summary:
                "The operations of \(PrintableText.sanitize(title, limit: 80)), with replies by their examples and schemas"
        )
        if exchanges.count > 1_000 {
            // Operations stand before choices among their replies.
            exchanges = exchanges.enumerated().filter { !choices.contains($0.offset) }.map(\.element)
            let places = Set(exchanges.map(\.exchange.place))
            claims.removeAll { !places.contains($0.place) }
            leftChoices += choices.count
        }
        // Fixed paths stand before those with holes, which take them too.
        draft.exchanges = exchanges.enumerated().sorted {
            ($0.element.holes, $0.offset) < ($1.element.holes, $1.offset)
        }
        .map(\.element.exchange)
        draft.claims = claims
        draft.remarks = remarks + sampler.remarks
        if leftChoices > 0 {
            draft.remarks.add(
                at: file,
                "\(Plural.count(leftChoices, "reply", plural: "replies")) that Prefer or an example would choose are left out: a "
                    + "scenario has at most 1000 exchanges")
        }
        guard !draft.exchanges.isEmpty else {
            throw ImportFailure(
                "no operation of \(file) could be taken over" + draft.remarks.prefix(10).map { "\n\($0)" }.joined())
        }
        guard draft.exchanges.count <= 1_000 else {
            throw ImportFailure(
                at: file, "it has \(draft.exchanges.count) operations; a scenario has at most 1000 exchanges")
        }
        if root["security"] != nil || root["components"]?["securitySchemes"] != nil {
            draft.remarks.add(at: file, "credentials are not verified; guards do that")
        }
        return draft
    }
}
