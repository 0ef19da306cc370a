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
    let sink: DiagnosticSink
    let schemas: SchemaReader
    let dialect: SchemaReader.Dialect
    private let kinds: ValueKindReader
    /// Parts wait until all schemas are read.
    private var pending: [PendingPath] = []

    typealias Place = APIDescription.Place

    private struct PendingPath {
        let template: PathTemplate
        let place: Place
        let operations: [(JSONSchema) -> APIDescription.Operation]
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
        self.sink = sink
        self.dialect = dialect
        schemas = SchemaReader(document: root, dialect: dialect, formats: formats, sink: sink)
        kinds = ValueKindReader(root: root)
    }

    func description(file: String, base: String?) -> APIDescription? {
        let top = Part(node: root, pointer: "")
        let security = top["security"]
        guard let paths = top["paths"] else {
            return sink.refuse(root, "the description has no paths, so that nothing can be held against it")
        }
        guard paths.node.entries != nil else {
            return sink.refuse(
                paths.node, "expected paths as a mapping from path to operations, found \(paths.node.found)")
        }
        guard paths.members.count <= APIDescription.pathBound else {
            return sink.refuse(
                paths.node, "there are \(paths.members.count) paths; at most \(APIDescription.pathBound) are permitted")
        }
        for (key, keyNode, part) in paths.members where !key.hasPrefix("x-") {
            guard key.hasPrefix("/"), let template = PathTemplate(key) else {
                sink.report(
                    keyNode, "\(quoted(key)) is no path",
                    hint: "a path begins with /, and each { has its } before the next one")
                continue
            }
            pending.append(path(template, part, security))
        }
        guard let read = schemas.finish(), sink.diagnostics.isEmpty else { return nil }
        let items = pending.map { path in
            APIDescription.PathItem(
                template: path.template, place: path.place, operations: path.operations.map { $0(read) })
        }
        return APIDescription(
            file: file, basePaths: base.map { [$0] } ?? basePaths(top["servers"]),
            // Concrete paths come before templates (OpenAPI §4.8.8.2).
            paths: items.filter { $0.template.names.isEmpty } + items.filter { !$0.template.names.isEmpty },
            place: paths.place)
    }

    // MARK: Paths

    private static let methods = ["get", "put", "post", "delete", "options", "head", "patch", "trace"]

    private func path(_ template: PathTemplate, _ part: Part, _ security: Part?) -> PendingPath {
        let item = resolved(part) ?? part
        let common = item["parameters"]?.items ?? []
        let operations = item.members.filter { Self.methods.contains($0.key) }.compactMap { key, _, part in
            operation(key.uppercased(), template, part, common: common, security)
        }
        return PendingPath(template: template, place: part.place, operations: operations)
    }

    private func operation(
        _ method: String, _ template: PathTemplate, _ part: Part, common: [Part], _ usualSecurity: Part?
    ) -> ((JSONSchema) -> APIDescription.Operation)? {
        let own = (part["parameters"]?.items ?? []).compactMap { parameter($0) }
        let shared = common.compactMap { parameter($0) }.filter { outer in
            !own.contains { $0.name == outer.name && $0.location == outer.location }
        }
        let parameters = shared + own
        for name in template.names where !parameters.contains(where: { $0.location == .path && $0.name == name }) {
            sink.report(part.node, "the parameter {\(name)} of \(quoted(template.text)) is not described")
        }
        let body = part["requestBody"].flatMap { requestBody($0) }
        guard let responsesPart = part["responses"] else {
            return sink.refuse(
                part.node, "the operation has no responses", hint: "describe its replies by status, or default")
        }
        let responses = responsesPart.members.filter { !$0.key.hasPrefix("x-") }.compactMap {
            response($0.key, $0.part)
        }
        let security = part["security"] ?? usualSecurity
        let schemes = security.map { requirements($0) } ?? []
        return { read in
            APIDescription.Operation(
                method: method, name: "\(method) \(template.text)", place: part.place,
                parameters: parameters.map { $0.finish(read) }, body: body.map { $0(read) },
                responses: responses.map { $0(read) }, responsesPlace: responsesPart.place, security: schemes,
                securityPlace: (security ?? part).place)
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

    /// The number of a schema, and the kind of its values.
    func schema(_ part: Part) -> (number: Int, kind: ValueKind) {
        (schemas.number(of: part.node, at: part.pointer), kinds.kind(of: part.node))
    }
}
