internal import ProctorBase
package import ProctorDocument
package import ProctorSchema

extension APIDescription {
    /// Reads a description; nil after a diagnostic with its place in the description.
    ///
    /// `base` is the path before those of the description; nil: that of each of its servers.
    package static func read(
        _ root: Node, file: String, base: String?, formats: Set<SchemaFormat>, sink: DiagnosticSink
    ) -> APIDescription? {
        guard let version = version(of: root, sink) else { return nil }
        let reader = DescriptionReader(root: root, dialect: version, formats: formats, sink: sink)
        return reader.description(file: file, base: base)
    }

    private static func version(of root: Node, _ sink: DiagnosticSink) -> SchemaReader.Dialect? {
        guard let node = root.child("openapi") else {
            return sink.refuse(
                root, "this is no description of OpenAPI 3: it has no key \"openapi\"",
                hint: root.child("swagger") == nil ? nil : "bring it from Swagger 2 to OpenAPI 3")
        }
        guard let text = sink.text(node, "the version of OpenAPI") else { return nil }
        if text.hasPrefix("3.0.") { return .openAPI30 }
        if text.hasPrefix("3.1.") { return .draft2020 }
        return sink.refuse(node, "OpenAPI \(quoted(text)) is not read; 3.0 and 3.1 are")
    }
}

/// Reads the parts of a description in two passes: their structure, then the schemas that they name; used by one thread.
final class DescriptionReader {
    let root: Node
    /// What can't be read, but for what makes the whole useless: it becomes a warning, and open to messages.
    let sink = DiagnosticSink()
    private let outer: DiagnosticSink
    let schemas: SchemaReader
    let dialect: SchemaReader.Dialect
    /// Parts wait until all schemas are read.
    private var pending: [PendingPath] = []

    typealias Place = APIDescription.Place

    private struct PendingPath {
        let template: PathTemplate
        let place: Place
        let operations: [(JSONSchema) -> APIDescription.Operation]
        let open: String?
    }

    /// A part of the description, behind its references.
    struct Part {
        let node: Node
        let pointer: String

        var place: Place { Place(pointer: pointer, location: node.location) }

        subscript(key: String) -> Part? {
            node.child(key).map { Part(node: $0, pointer: pointer + "/" + key.pointerToken) }
        }

        /// The entries of a mapping.
        var members: [(key: String, keyNode: Node, part: Part)] {
            (node.entries ?? []).map {
                ($0.key, $0.keyNode, Part(node: $0.value, pointer: pointer + "/" + $0.key.pointerToken))
            }
        }

        var items: [Part] {
            (node.items ?? []).enumerated().map { Part(node: $0.element, pointer: pointer + "/\($0.offset)") }
        }
    }

    init(root: Node, dialect: SchemaReader.Dialect, formats: Set<SchemaFormat>, sink: DiagnosticSink) {
        self.root = root
        outer = sink
        self.dialect = dialect
        schemas = SchemaReader(document: root, dialect: dialect, formats: formats, sink: sink, leavesOpen: true)
    }

    func description(file: String, base: String?) -> APIDescription? {
        let top = Part(node: root, pointer: "")
        let security = top["security"]
        guard let paths = top["paths"] else {
            return outer.refuse(root, "the description has no paths, so that nothing can be held against it")
        }
        guard paths.node.entries != nil else {
            return outer.refuse(
                paths.node, "expected paths as a mapping from path to operations, found \(paths.node.found)")
        }
        guard paths.members.count <= APIDescription.pathBound else {
            return outer.refuse(
                paths.node, "there are \(paths.members.count) paths; at most \(APIDescription.pathBound) are permitted")
        }
        for (_, _, part) in top["components"]?["schemas"]?.members ?? [] {
            schemas.indexSchema(part.node, at: part.pointer)
        }
        var unreadPathCount = 0
        for (key, keyNode, part) in paths.members where !key.hasPrefix("x-") {
            let path = key.prefix { $0 != "?" && $0 != "#" }
            guard key.hasPrefix("/"), let template = PathTemplate(String(path)) else {
                sink.report(
                    keyNode, "\(quoted(key)) is no path",
                    hint: "a path begins with /, and each { has its } before the next one")
                unreadPathCount += 1
                continue
            }
            guard path.count == key.count else {
                sink.report(
                    keyNode, "the path \(quoted(key)) has a query or a fragment, so that its operations are not judged",
                    hint: "describe the query by parameters of \(quoted(String(path)))")
                pending.append(PendingPath(template: template, place: part.place, operations: [], open: key))
                continue
            }
            pending.append(self.path(template, part, security))
        }
        guard let read = schemas.finish(), outer.diagnostics.isEmpty else { return nil }
        let items = pending.map { path in
            APIDescription.PathItem(
                template: path.template, place: path.place, operations: path.operations.map { $0(read) },
                open: path.open)
        }
        return APIDescription(
            file: file, basePaths: base.map { [$0] } ?? basePaths(top["servers"]),
            // Concrete paths come before templates (OpenAPI §4.8.8.2).
            paths: items.filter { $0.template.names.isEmpty } + items.filter { !$0.template.names.isEmpty },
            unreadPathCount: unreadPathCount, place: paths.place, openings: openings)
    }

    /// What was left open, as warnings in the order of the file.
    private var openings: [Diagnostic] {
        let all = (sink.sorted() + schemas.openings).sorted().prefix(DiagnosticSink.limit)
        return all.map {
            Diagnostic(
                location: $0.location, sentence: "left open: \($0.sentence)", hint: $0.hint, level: .warning)
        }
    }

    /// Reads a part; where it can't be, what it is with the reason is added to `openings`.
    func reading<Value>(
        _ name: @autoclosure () -> String, _ openings: inout [String], _ read: () -> Value?
    ) -> Value? {
        let count = sink.diagnostics.count
        let value = read()
        guard sink.diagnostics.count > count || sink.isFull && value == nil else { return value }
        let reason = sink.diagnostics.count > count ? sink.diagnostics[count].sentence : "it can't be read"
        openings.append("\(name()): \(reason)")
        return value
    }

    // MARK: Paths

    private static let methods = ["get", "put", "post", "delete", "options", "head", "patch", "trace"]

    private func path(_ template: PathTemplate, _ part: Part, _ security: Part?) -> PendingPath {
        let item = resolved(part) ?? part
        let common = item["parameters"]?.items ?? []
        let operations = item.members.filter { Self.methods.contains($0.key) }.compactMap { key, _, part in
            operation(key.uppercased(), template, part, common: common, security)
        }
        return PendingPath(template: template, place: part.place, operations: operations, open: nil)
    }

    private func operation(
        _ method: String, _ template: PathTemplate, _ part: Part, common: [Part], _ usualSecurity: Part?
    ) -> ((JSONSchema) -> APIDescription.Operation)? {
        var openings: [String] = []
        func parameters(_ parts: [Part]) -> [PendingParameter] {
            parts.compactMap { part in
                let name = part["name"]?.node.text ?? part["$ref"]?.node.text ?? "without a name"
                return reading("parameter \(name)", &openings) { parameter(part) }
            }
        }
        let own = parameters(part["parameters"]?.items ?? [])
        let shared = parameters(common).filter { outer in
            !own.contains { $0.name == outer.name && $0.location == outer.location }
        }
        let parameters = shared + own
        for name in template.names where !parameters.contains(where: { $0.location == .path && $0.name == name }) {
            _ = reading("path parameter \(name)", &openings) { () -> Void? in
                sink.refuse(part.node, "the parameter {\(name)} of \(quoted(template.text)) is not described")
            }
        }
        let body = part["requestBody"].flatMap { body in reading("body", &openings) { requestBody(body) } }
        let security = part["security"] ?? usualSecurity
        let schemes = security.map { security in reading("security", &openings) { requirements(security) } ?? [] } ?? []
        // Since 3.1 an operation may have none (OpenAPI §4.8.10.1).
        let responsesPart = part["responses"]
        var unread: [String] = []
        if responsesPart == nil, dialect == .openAPI30 {
            _ = reading("status", &unread) { () -> Void? in
                sink.refuse(
                    part.node, "the operation has no responses", hint: "describe its replies by status, or default")
            }
        }
        let described = (responsesPart?.members ?? []).filter { !$0.key.hasPrefix("x-") }
        let responses = described.compactMap { response($0.key, $0.part, unread: &unread) }
        return { read in
            APIDescription.Operation(
                method: method, name: "\(method) \(template.text)", place: part.place,
                parameters: parameters.map { $0.finish(read) }, body: body.map { $0(read) },
                responses: responses.map { $0(read) }, responsesPlace: (responsesPart ?? part).place,
                security: schemes, securityPlace: (security ?? part).place, openings: openings,
                unreadResponses: unread)
        }
    }

    /// The paths of the servers' URLs, with the default values of their variables.
    private func basePaths(_ servers: Part?) -> [String] {
        let paths = (servers?.items ?? []).compactMap { server -> String? in
            guard var url = server["url"]?.node.text else { return nil }
            for (name, _, part) in server["variables"]?.members ?? [] {
                url = url.replacing(text: "{\(name)}", with: part["default"]?.node.text ?? "")
            }
            if let scheme = url.firstRange(ofText: "://") {
                let rest = url[scheme.upperBound...]
                url = rest.firstIndex(of: "/").map { String(rest[$0...]) } ?? ""
            }
            while url.hasSuffix("/") { url.removeLast() }
            return url.isEmpty || url.hasPrefix("/") ? url : "/" + url
        }
        return paths.isEmpty ? [""] : paths
    }

    // MARK: References

    /// The part behind its references; nil after a diagnostic.
    func resolved(_ part: Part) -> Part? {
        var part = part
        for _ in 0..<10 {
            guard let reference = part.node.child("$ref") else { return part }
            guard let text = sink.text(reference, "a reference") else { return nil }
            guard text.hasPrefix("#/"), let pointer = try? JSONPointer(String(text.dropFirst())) else {
                return sink.refuse(
                    reference, "the reference \(quoted(text)) leads out of this document, which alone is read",
                    hint: "bring the part into components")
            }
            guard let node = pointer.tokens.reduce(Optional(root), { $0?.child($1) }) else {
                return sink.refuse(reference, "\(quoted(text)) names nothing in this document")
            }
            part = Part(node: node, pointer: pointer.text)
        }
        return sink.refuse(part.node, "more than ten references lead from one to the next")
    }

    /// The number of a schema.
    func schema(_ part: Part) -> Int { schemas.number(of: part.node, at: part.pointer) }
}
