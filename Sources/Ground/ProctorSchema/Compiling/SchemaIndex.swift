internal import ProctorBase
package import ProctorDocument

/// The identifiers of a document's schemas: what `$id`, `$anchor` and `$dynamicAnchor` name (core §8.2).
struct SchemaIndex {
    private let root: Node
    private let dialect: SchemaReader.Dialect
    private var resources: [Resource] = []
    private var resourceOfURI: [String: Int] = [:]
    private var resourceOfPointer: [String: Int] = [:]
    /// The pointers of anchors by resource and name.
    private var anchors: [Int: [String: String]] = [:]
    private var dynamicAnchors: [Int: [String: String]] = [:]
    private var walked: Set<String> = []

    private struct Resource {
        let uri: SchemaReference
        let pointer: String
    }

    /// A schema that a reference names.
    struct Place {
        let node: Node
        let pointer: String
        /// The fragment, where it names a dynamic anchor.
        let dynamicAnchor: String?
    }

    struct Failure: Error {
        let sentence: String
        let hint: String?
    }

    init(root: Node, dialect: SchemaReader.Dialect) {
        (self.root, self.dialect) = (root, dialect)
        addResource(SchemaReference(""), at: "")
    }

    private mutating func addResource(_ uri: SchemaReference, at pointer: String) {
        resourceOfPointer[pointer] = resources.count
        resourceOfURI[uri.absoluteText] = resources.count
        resources.append(Resource(uri: uri, pointer: pointer))
    }

    /// The resource in which a place of the document stands.
    func resource(of pointer: String) -> Int {
        var pointer = pointer[...]
        while true {
            if let resource = resourceOfPointer[String(pointer)] { return resource }
            guard let slash = pointer.lastIndex(of: "/") else { return 0 }
            pointer = pointer[..<slash]
        }
    }

    func dynamicAnchors(named name: String) -> [(resource: Int, pointer: String)] {
        dynamicAnchors.compactMap { resource, names in names[name].map { (resource, $0) } }
    }

    func places(ofDynamicAnchors names: Set<String>) -> [(pointer: String, node: Node)] {
        let pointers = names.flatMap { name in dynamicAnchors(named: name).map(\.pointer) }.sorted()
        return pointers.compactMap { pointer in
            (try? JSONPointer(pointer)).flatMap { value(at: $0.tokens, from: root) }.map { (pointer, $0) }
        }
    }

    // MARK: Identifiers

    private static let withSchema: Set<String> = [
        "additionalProperties", "contains", "contentSchema", "else", "if", "items", "not", "propertyNames", "then",
        "unevaluatedItems", "unevaluatedProperties",
    ]
    private static let withSchemas: Set<String> = [
        "allOf", "anyOf", "oneOf", "prefixItems", "$defs", "dependentSchemas", "patternProperties", "properties",
    ]

    /// Finds the identifiers of a schema and of the schemas inside it.
    mutating func addSubschemas(of node: Node, at pointer: String, _ sink: DiagnosticSink) {
        guard dialect == .draft2020 else { return }
        var open = [(node: node, pointer: pointer)]
        while let (node, pointer) = open.popLast() {
            guard let entries = node.entries, walked.insert(pointer).inserted else { continue }
            addIdentifiers(entries, of: node, at: pointer, sink)
            for entry in entries {
                let inner = pointer + "/" + entry.key.pointerToken
                if Self.withSchema.contains(entry.key) {
                    open.append((entry.value, inner))
                } else if Self.withSchemas.contains(entry.key) {
                    for (token, child) in entry.value.children {
                        open.append((child, inner + "/" + token.pointerToken))
                    }
                }
            }
        }
    }

    private mutating func addIdentifiers(
        _ entries: [Node.Entry], of node: Node, at pointer: String, _ sink: DiagnosticSink
    ) {
        func text(_ key: String) -> (text: String, node: Node)? {
            entries.first { $0.key == key }.flatMap { entry in
                sink.text(entry.value, "the value of \(key)").map { ($0, entry.value) }
            }
        }
        if let (id, place) = text("$id") {
            let uri = SchemaReference(id).resolved(against: resources[resource(of: pointer)].uri)
            if let fragment = uri.fragment, !fragment.isEmpty {
                sink.report(place, "$id has no fragment, found #\(fragment)", hint: "name a part of it with $anchor")
            } else if let other = resourceOfURI[uri.absoluteText], resources[other].pointer != pointer {
                sink.report(place, "two schemas have the $id \(quoted(uri.absoluteText))")
            } else {
                addResource(uri, at: pointer)
            }
        }
        let resource = resource(of: pointer)
        if let (name, place) = text("$anchor") {
            if anchors[resource]?[name] != nil { sink.report(place, "two schemas have the anchor \(quoted(name))") }
            anchors[resource, default: [:]][name] = pointer
        }
        if let (name, place) = text("$dynamicAnchor") {
            if anchors[resource]?[name] != nil { sink.report(place, "two schemas have the anchor \(quoted(name))") }
            anchors[resource, default: [:]][name] = pointer
            dynamicAnchors[resource, default: [:]][name] = pointer
        }
    }

    // MARK: References

    /// The schema that a reference at a place of the document names.
    func find(_ reference: String, from pointer: String) -> Result<Place, Failure> {
        let uri = SchemaReference(reference).resolved(against: resources[resource(of: pointer)].uri)
        guard let resource = resourceOfURI[uri.absoluteText] else {
            return .failure(
                Failure(
                    sentence: "the reference \(quoted(reference)) leads out of this document, which alone is read",
                    hint: "bring the schema into $defs, and refer to it as #/$defs/NAME"))
        }
        guard let fragment = uri.decodedFragment else {
            return .failure(Failure(sentence: "the fragment of \(quoted(reference)) is no UTF-8", hint: nil))
        }
        let base = resources[resource].pointer
        guard let start = (try? JSONPointer(base)).flatMap({ value(at: $0.tokens, from: root) }) else {
            return .failure(Failure(sentence: "\(quoted(reference)) names nothing", hint: nil))
        }
        if fragment.isEmpty { return .success(Place(node: start, pointer: base, dynamicAnchor: nil)) }
        guard fragment.hasPrefix("/") else {
            let isDynamic = dynamicAnchors[resource]?[fragment] != nil
            guard let pointer = anchors[resource]?[fragment],
                let node = (try? JSONPointer(pointer)).flatMap({ value(at: $0.tokens, from: root) })
            else {
                let names = (anchors[resource] ?? [:]).keys.sorted()
                return .failure(
                    Failure(
                        sentence: "no schema here has the anchor \(quoted(fragment))",
                        hint: names.isEmpty
                            ? "a pointer begins with #/" : DiagnosticSink.hint(for: fragment, among: names)))
            }
            return .success(Place(node: node, pointer: pointer, dynamicAnchor: isDynamic ? fragment : nil))
        }
        do throws(JSONPointer.Fault) {
            let tokens = try JSONPointer(fragment).tokens
            guard let node = value(at: tokens, from: start) else {
                return .failure(Failure(sentence: "\(quoted(reference)) names nothing in this document", hint: nil))
            }
            return .success(Place(node: node, pointer: base + JSONPointer(tokens: tokens).text, dynamicAnchor: nil))
        } catch {
            return .failure(Failure(sentence: "in \(quoted(reference)): \(error.sentence)", hint: nil))
        }
    }

    private func value(at tokens: [String], from start: Node) -> Node? {
        tokens.reduce(start) { $0?.child($1) }
    }
}

extension Node {
    /// The value that a token of a JSON pointer names.
    package func child(_ token: String) -> Node? {
        switch content {
        case .mapping(let entries): return entries.first { $0.key == token }?.value
        case .sequence(let items):
            guard let index = JSONPointer.index(token), items.indices.contains(index) else { return nil }
            return items[index]
        case .scalar: return nil
        }
    }

    /// The values directly inside, with their tokens.
    var children: [(token: String, node: Node)] {
        switch content {
        case .mapping(let entries): entries.map { ($0.key, $0.value) }
        case .sequence(let items): items.enumerated().map { (String($0.offset), $0.element) }
        case .scalar: []
        }
    }
}

extension String {
    /// The text as a token of a JSON pointer, without its slash.
    package var pointerToken: String {
        utf8.contains { $0 == UInt8(ascii: "~") || $0 == UInt8(ascii: "/") }
            ? String(JSONPointer(tokens: [self]).text.dropFirst()) : self
    }
}
