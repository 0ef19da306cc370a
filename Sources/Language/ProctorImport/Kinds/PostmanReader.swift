import ProctorBase
import ProctorHTTP

/// A collection of Postman, version 2.0 and 2.1: each saved example becomes an exchange.
package enum PostmanReader {
    package static func read(_ bytes: [UInt8], file: String, drafter: RecordingDrafter) throws(ImportFailure) -> Draft {
        let root = try SourceValue(parsing: bytes, file: file)
        guard let items = root["item"]?.items, root["info"] != nil else {
            throw ImportFailure(
                at: root.place, "this is no collection of Postman: expected an object with info and item")
        }
        var collector = Collector(variables: root["variable"])
        SourceForm.postman.check(root, "the collection", &collector.remarks)
        collector.add(items, depth: 0)
        var recording = Recording(by: "Postman")
        recording.exchanges = collector.exchanges
        recording.remarks = collector.remarks
        for key in ["event", "auth"] where root[key] != nil {
            recording.remarks.add(at: root[key]?.place ?? file, "the collection's \(key) is left out")
        }
        var draft = try drafter.draft(recording)
        if let name = root["info"]?["name"]?.text, !name.isEmpty {
            draft.summary = "The examples of \(PrintableText.sanitize(name, limit: 80)), a collection of Postman"
        }
        return draft
    }

    private struct Collector {
        private let variables: [String: String]
        private(set) var exchanges: [RecordedExchange] = []
        var remarks = ImportRemarks()
        private static let deepestFolder = 30

        init(variables: SourceValue?) {
            var values: [String: String] = [:]
            for variable in variables?.items ?? [] {
                if let key = (variable["key"] ?? variable["id"])?.text { values[key] = variable["value"]?.text ?? "" }
            }
            self.variables = values.mapValues { Self.expanded($0, values) }
        }

        /// A value with those of the variables that it names, and so on.
        private static func expanded(_ value: String, _ values: [String: String]) -> String {
            var value = value
            for _ in 0..<deepestVariable where value.contains(text: "{{") {
                let inner = value.replacingParts(between: "{{", and: "}}") { values[$0] ?? "{{\($0)}}" }
                guard inner != value, inner.utf8.count <= longestValue else { break }
                value = inner
            }
            return value
        }

        private static let deepestVariable = 10
        private static let longestValue = 64 << 10

        mutating func add(_ items: SourceList, depth: Int) {
            for item in items {
                if let children = item["item"]?.items {
                    guard depth < Self.deepestFolder else {
                        remarks.add(at: item.place, "folders more than \(Self.deepestFolder) deep are left out")
                        continue
                    }
                    add(children, depth: depth + 1)
                } else {
                    addRequest(item)
                }
                if let events = item["event"], events.items?.isEmpty == false {
                    remarks.add(at: events.place, "scripts of Postman are left out")
                }
            }
        }

        private mutating func addRequest(_ item: SourceValue) {
            guard let request = item["request"] else {
                remarks.add(at: item.place, "the item has no request, and is left out")
                return
            }
            SourceForm.postman.check(item, "the item", &remarks)
            let examples = item["response"]?.items ?? []
            if examples.isEmpty {
                guard let recorded = recorded(request) else { return }
                remarks.add(at: item.place, "the request has no saved example, and gets an empty 200")
                exchanges.append(RecordedExchange(at: item.place, recorded, RecordedReply(status: 200)))
            }
            for example in examples {
                let original = example["originalRequest"].flatMap { $0.isNull ? nil : $0 }
                SourceForm.postman.check(example, "the example", &remarks)
                guard let recorded = recorded(original ?? request) else { continue }
                guard let code = example["code"]?.integer, (100...999).contains(code) else {
                    remarks.add(at: example.place, "the example has no code, and is left out")
                    continue
                }
                var reply = RecordedReply(
                    status: code, reason: example["status"]?.text, fields: fields(example["header"]),
                    content: Array(filled(example["body"]?.text ?? "", at: example.place).utf8), codings: .undone)
                if reply.fields.isEmpty, example["_postman_previewlanguage"]?.text == "json" {
                    reply.fields = [HTTPField("Content-Type", "application/json")]
                }
                exchanges.append(RecordedExchange(at: example.place, recorded, reply))
            }
        }

        private mutating func recorded(_ request: SourceValue) -> RecordedRequest? {
            let method = request["method"]?.text ?? "GET"
            let isText = request.text
            guard let url = isText ?? self.url(request["url"]), !url.isEmpty else {
                remarks.add(at: request.place, "the request has no URL, and is left out")
                return nil
            }
            SourceForm.postman.check(request, "the request", &remarks)
            SourceForm.postman.check(request["url"], "the URL", &remarks)
            let (filled, open) = withVariables(filled(url, at: request.place), request["url"]?["variable"]?.items ?? [])
            let address = Self.absolute(filled)
            // What a variable without a value leaves in braces is no part of a URL.
            guard var recorded = RecordedRequest(method: method, url: address.replacing(text: " ", with: "%20")) else {
                remarks.add(at: request.place, "\(ByteShow.quote(address.utf8)) is no URL of http, and is left out")
                return nil
            }
            recorded.openSegments = open
            recorded.fields = fields(request["header"])
            addBody(request["body"], to: &recorded)
            return recorded
        }

        /// A URL with a scheme and a host; a variable for the server may be a path, empty, or a URL behind a scheme.
        private static func absolute(_ url: String) -> String {
            guard let mark = url.firstRange(ofText: "://") else {
                let path = url.utf8.drop { $0 == UInt8(ascii: "/") }
                return "http://" + (url.hasPrefix("/") ? "localhost/" : "") + String(decoding: path, as: UTF8.self)
            }
            let rest = url[mark.upperBound...]
            if rest.hasPrefix("http://") || rest.hasPrefix("https://") { return String(rest) }
            guard rest.hasPrefix("/") else { return url }
            return url[..<mark.upperBound] + "localhost/"
                + String(decoding: rest.utf8.drop { $0 == UInt8(ascii: "/") }, as: UTF8.self)
        }

        /// The URL with the values of its path variables, and the segments `:name` that have none.
        private mutating func withVariables(
            _ url: String, _ variables: SourceList
        ) -> (url: String, open: Set<String>) {
            var values: [String: String] = [:]
            for variable in variables {
                guard let key = variable["key"]?.text, let value = variable["value"]?.text, !value.isEmpty else {
                    continue
                }
                values[":\(key)"] = filled(value, at: variable.place)
            }
            let query = url.firstRange(ofText: "?")?.lowerBound ?? url.endIndex
            var open: Set<String> = []
            let segments = url[..<query].split(separator: "/", omittingEmptySubsequences: false).map { segment in
                guard segment.hasPrefix(":"), segment.count > 1 else { return String(segment) }
                if let value = values[String(segment)] { return value }
                open.insert(String(segment))
                return String(segment)
            }
            return (segments.joined(separator: "/") + url[query...], open)
        }

        private func url(_ url: SourceValue?) -> String? {
            guard let url else { return nil }
            if let text = url.text ?? url["raw"]?.text { return text }
            let host = url["host"]?.text ?? (url["host"]?.items ?? []).compactMap(\.text).joined(separator: ".")
            let path = url["path"]?.text ?? (url["path"]?.items ?? []).compactMap(\.text).joined(separator: "/")
            guard !host.isEmpty else { return nil }
            let pairs = (url["query"]?.items ?? []).filter { $0["disabled"]?.boolean != true }.compactMap { pair in
                pair["key"]?.text.map { key in key + (pair["value"]?.text.map { "=\($0)" } ?? "") }
            }
            let port = url["port"]?.text.map { $0.isEmpty ? "" : ":\($0)" } ?? ""
            let scheme = url["protocol"]?.text.map { "\($0)://" } ?? (host.hasPrefix("{{") ? "" : "http://")
            return "\(scheme)\(host)\(port)/\(path.drop { $0 == "/" })"
                + (pairs.isEmpty ? "" : "?" + pairs.joined(separator: "&"))
        }

        /// The text with the collection's variables filled in.
        private mutating func filled(_ text: String, at place: String) -> String {
            guard text.contains(text: "{{") else { return text }
            return text.replacingParts(between: "{{", and: "}}") { name in
                // A value that still has a variable names itself, or one without a value.
                if let value = variables[name], !value.contains(text: "{{\(name)}}") {
                    return value.replacingParts(between: "{{", and: "}}") { inner in
                        remarks.add(
                            at: place, "the variable \(inner) has no value in the collection; its name stands there")
                        return inner
                    }
                }
                remarks.add(at: place, "the variable \(name) has no value in the collection; its name stands there")
                return name
            }
        }

        private mutating func fields(_ header: SourceValue?) -> [HTTPField] {
            var fields: [HTTPField] = []
            for item in header?.items ?? [] where item["disabled"]?.boolean != true {
                guard let name = item["key"]?.text, !name.isEmpty, let value = item["value"]?.text else { continue }
                fields.append(HTTPField(name, filled(value, at: item.place)))
            }
            return fields
        }

        private mutating func addBody(_ body: SourceValue?, to request: inout RecordedRequest) {
            SourceForm.postman.check(body, "the body", &remarks)
            guard let body, let mode = body["mode"]?.text, body["disabled"]?.boolean != true else { return }
            switch mode {
            case "raw":
                guard let text = body["raw"]?.text, !text.isEmpty else { return }
                request.content = Array(filled(text, at: body.place).utf8)
                if !request.fields.contains(named: "Content-Type"), body["options"]?["raw"]?["language"]?.text == "json"
                {
                    request.fields.append(HTTPField("Content-Type", "application/json"))
                }
            case "urlencoded":
                let pairs = (body["urlencoded"]?.items ?? []).filter { $0["disabled"]?.boolean != true }
                request.content =
                    URLEncodedForm(
                        pairs.map { pair in
                            .init(
                                name: (pair["key"]?.text ?? "").utf8,
                                value: filled(pair["value"]?.text ?? "", at: pair.place).utf8)
                        }
                    ).bytes
                if !request.fields.contains(named: "Content-Type") {
                    request.fields.append(HTTPField("Content-Type", "application/x-www-form-urlencoded"))
                }
            default:
                remarks.add(at: body.place, "a body of mode \(mode) is not compared")
            }
        }
    }
}
