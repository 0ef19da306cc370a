import ProctorBase
import ProctorHTTP

/// Descriptions in OpenAPI 3.0 and 3.1: an exchange for each operation, with a reply by its examples or its schema.
package enum OpenAPIReader {
    package static func read(_ bytes: [UInt8], file: String) throws(ImportFailure) -> Draft {
        let root = try SourceValue(parsing: bytes, file: file)
        guard let version = root["openapi"]?.text else {
            let old =
                root["swagger"]?.text.map { "; this is Swagger \($0), which converters turn into OpenAPI 3" } ?? ""
            throw ImportFailure(at: root.place, "this is no description in OpenAPI 3: expected the key openapi\(old)")
        }
        guard version.hasPrefix("3.") else {
            throw ImportFailure(
                at: root["openapi"]?.place ?? file, "OpenAPI \(version) is not known here; expected 3.0 or 3.1")
        }
        guard let paths = root["paths"]?.members, !paths.isEmpty else {
            throw ImportFailure(at: root.place, "the description has no paths, so there is nothing to answer")
        }
        var collector = Collector(root: root)
        for (path, item) in paths where !path.hasPrefix("x-") { collector.add(path, item) }
        var draft = try collector.draft(file: file)
        draft.description = SourceDescription(bytes: bytes, file: file)
        return draft
    }

    private static let methods = ["get", "put", "post", "delete", "options", "head", "patch", "trace"]

    private struct Collector {
        let root: SourceValue
        let prefix: String
        private var exchanges: [(holes: Int, exchange: DraftExchange)] = []
        private var claims: [SourceClaim] = []
        private var sampler: SchemaSampler
        private var remarks = ImportRemarks()

        init(root: SourceValue) {
            self.root = root
            sampler = SchemaSampler(root: root)
            OpenAPIKeys.root.check(root, "the description", &remarks)
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
                remarks.append(
                    ImportRemark(
                        at: server?["url"]?.place ?? root.place,
                        "the server's URL \(ByteShow.quote(url.utf8)) is not absolute: the paths stand below \(prefix)/"
                    ))
            }
        }

        mutating func add(_ path: String, _ given: SourceValue) {
            guard let item = sampler.resolve(given) else { return }
            guard path.hasPrefix("/"), !path.utf8.contains(where: { $0 <= 0x20 || $0 == 0x7F }) else {
                remarks.append(
                    ImportRemark(at: given.place, "the path \(ByteShow.quote(path.utf8)) is no path, and is left out"))
                return
            }
            OpenAPIKeys.path.check(item, "the path", &remarks)
            let shared = item["parameters"]?.items ?? []
            for method in OpenAPIReader.methods {
                guard let operation = item[method] else { continue }
                add(operation, method: method.uppercased(), path: path, parameters: shared)
            }
        }

        private mutating func add(
            _ operation: SourceValue, method: String, path: String, parameters shared: SourceList
        ) {
            var query: [YAMLTree.Member] = []
            var parameters: [String: (place: String, value: SourceValue)] = [:]
            var names: [String] = []
            OpenAPIKeys.operation.check(operation, "the operation", &remarks)
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
                    remarks.append(ImportRemark(at: place, "a parameter with a star in its name is not asked for"))
                    continue
                }
                let isNeeded = parameter["required"]?.boolean == true
                if isNeeded { asked.append(.init(name: name.utf8, value: sample(of: parameter).utf8)) }
                query.append(.init(name, isNeeded ? .text("*") : .map([.init("any of", .list([.text("*"), .null]))])))
            }
            let (pattern, holes) = Self.pattern(prefix + path)
            var request = DraftRequest(method, .text(pattern))
            if !query.isEmpty { request.query = query }
            guard let reply = reply(to: operation, method: method) else { return }
            var exchange = DraftExchange(request, [reply])
            exchange.place = operation.place
            exchanges.append((holes, exchange))
            let pairs = asked.map { Self.inQuery($0.name) + "=" + Self.inQuery($0.value) }
            let form = pairs.isEmpty ? "" : "?" + pairs.joined(separator: "&")
            var claim = SourceClaim(
                at: operation.place,
                RecordedRequest(method: method, origin: "", target: Self.filled(prefix + path, segments) + form))
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
            text.reduce(into: "") { query, byte in
                if byte.isASCIILetter || byte.isASCIIDigit || "-._~!$'()*,;:@/?[]".utf8.contains(byte) {
                    query.unicodeScalars.append(Unicode.Scalar(byte))
                } else {
                    let digits = String(byte, radix: 16, uppercase: true)
                    query += "%" + (digits.utf8.count == 1 ? "0" : "") + digits
                }
            }
        }

        /// A path with values in its holes.
        private static func filled(_ path: String, _ values: [String: String]) -> String {
            var filled = ""
            var rest = path[...]
            while let open = rest.firstIndex(of: "{"), let close = rest[open...].firstIndex(of: "}") {
                let value = values[String(rest[rest.index(after: open)..<close])] ?? "1"
                filled += rest[..<open]
                filled +=
                    value.utf8.allSatisfy { $0.isASCIILetter || $0.isASCIIDigit || "-._~:".utf8.contains($0) }
                        && !value.isEmpty ? value : "1"
                rest = rest[rest.index(after: close)...]
            }
            return filled + rest
        }

        /// A template of OpenAPI as a pattern of a fixture, whose names are letters, digits and `_`.
        private static func pattern(_ path: String) -> (text: String, holes: Int) {
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

        /// The first response that tells of success, or the default.
        private mutating func reply(to operation: SourceValue, method: String) -> DraftReply? {
            guard let responses = operation["responses"]?.members, !responses.isEmpty else {
                remarks.append(ImportRemark(at: operation.place, "the operation has no responses, and is left out"))
                return nil
            }
            let keys = responses.map(\.name).filter { !$0.hasPrefix("x-") }
            let key =
                keys.filter { $0.hasPrefix("2") && Int($0) != nil }.sorted().first
                ?? keys.first { $0.uppercased() == "2XX" } ?? keys.first { $0 == "default" } ?? keys.sorted().first
            guard let key, let given = responses.first(where: { $0.name == key })?.value,
                let response = sampler.resolve(given)
            else {
                remarks.append(
                    ImportRemark(at: operation.place, "no response of the operation can be read, so it is left out"))
                return nil
            }
            let others = keys.filter { $0 != key }
            if !others.isEmpty {
                remarks.append(
                    ImportRemark(
                        at: operation.place, "of its responses \(key) is served; not \(others.joined(separator: ", "))")
                )
            }
            let first = Int(key.prefix(1)) ?? 2
            let status =
                Int(key).flatMap { (100...999).contains($0) ? $0 : nil }
                ?? (key == "default" ? 200 : max(1, first) * 100)
            var reply = DraftReply(status)
            for (name, given) in response["headers"]?.members ?? [] where name.lowercased() != "content-type" {
                guard let header = sampler.resolve(given) else { continue }
                let value = header["example"].flatMap { $0.text } ?? sampler.sample(header["schema"])?.scalarText
                reply.headers.append(.init(name, .text(LiteralText.late(value ?? "1"))))
            }
            guard !ReplyHead.hasNoContent(status) else { return reply }
            addContent(of: response, to: &reply, method: method)
            return reply
        }

        private mutating func addContent(of response: SourceValue, to reply: inout DraftReply, method: String) {
            OpenAPIKeys.response.check(response, "the response", &remarks)
            let media = response["content"]?.members ?? []
            let chosen = media.first { MediaType(Array($0.name.utf8))?.isJSON == true } ?? media.first
            guard let (name, value) = chosen else { return }
            OpenAPIKeys.media.check(value, "the media type", &remarks)
            let type = name == "*/*" ? "application/json" : name.replacing(text: "*", with: "plain")
            reply.headers.append(.init("Content-Type", .text(type)))
            if media.count > 1 {
                remarks.append(ImportRemark(at: value.place, "of the types of this response \(name) is served"))
            }
            let isJSON = MediaType(Array(type.utf8))?.isJSON ?? false
            guard method != "HEAD", let sample = sampler.content(of: value, isJSON: isJSON) else { return }
            if isJSON {
                let json = JSONTree.json(sample)
                reply.body = json.utf8.count <= 600 ? .made(JSONTree.madeBody(sample)) : .text(json)
            } else if case .text(let text) = sample {
                reply.body = .text(text)
            } else {
                reply.body = .text(JSONTree.json(sample))
                remarks.append(
                    ImportRemark(at: value.place, "content of \(name) can't be made of a schema; its JSON is served"))
            }
        }

        // MARK: The whole

        func draft(file: String) throws(ImportFailure) -> Draft {
            let title = root["info"]?["title"]?.text ?? "a description in OpenAPI"
            var draft = Draft(
                summary:
                    "The operations of \(PrintableText.sanitize(title, limit: 80)), with replies by their examples and schemas"
            )
            // Fixed paths stand before those with holes, which take them too.
            draft.exchanges = exchanges.enumerated().sorted {
                ($0.element.holes, $0.offset) < ($1.element.holes, $1.offset)
            }
            .map(\.element.exchange)
            draft.claims = claims
            draft.remarks = remarks + sampler.remarks
            guard !draft.exchanges.isEmpty else {
                throw ImportFailure(
                    "no operation of \(file) could be taken over" + draft.remarks.prefix(10).map { "\n\($0)" }.joined())
            }
            guard draft.exchanges.count <= 1_000 else {
                throw ImportFailure(
                    at: file, "it has \(draft.exchanges.count) operations; a scenario has at most 1000 exchanges")
            }
            if root["security"] != nil || root["components"]?["securitySchemes"] != nil {
                draft.remarks.append(ImportRemark(at: file, "security is not asked for; guards do that"))
            }
            return draft
        }
    }
}

extension YAMLTree {
    /// The text of a scalar.
    var scalarText: String? {
        switch self {
        case .text(let text), .plain(let text): text
        case .list, .map: nil
        }
    }
}
