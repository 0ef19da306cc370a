internal import ProctorBase
package import ProctorDocument

/// Reads the schemas of one document and resolves their references; used by one thread.
///
/// What is wrong is reported to the sink with its place. It has no recursion but that of values, whose depth the document
/// bounds.
package final class SchemaReader {
    package enum Dialect: Sendable {
        /// JSON Schema 2020-12, which OpenAPI 3.1 has too.
        case draft2020
        /// The schema object of OpenAPI 3.0: `nullable`, boolean `exclusiveMinimum`, and nothing beside `$ref`.
        case openAPI30
    }

    let root: Node
    let dialect: Dialect
    let formats: Set<SchemaFormat>
    /// What is told while a keyword is read; see ``telling(_:_:)``.
    private(set) var sink: DiagnosticSink
    /// Whether a keyword that can't be read is left open, and the schema used without it.
    private let leavesOpen: Bool
    /// What was left open, up to a bound.
    package private(set) var openings: [Diagnostic] = []
    var index: SchemaIndex
    private(set) var subschemas: [Subschema] = []
    private var numbers: [String: Int] = [:]
    private var queue: [(number: Int, node: Node)] = []
    /// The schema in the place of those beyond the bound.
    private var overflow: Int?
    var tracksEvaluation = false
    /// The anchors that some `$dynamicRef` names.
    var dynamicNames: Set<String> = []

    /// `formats` are those that values must have; all others say nothing (validation §7.2.1).
    ///
    /// Where `leavesOpen`, a keyword that can't be read costs the answers that hang on it, and not the document: such
    /// keywords are ``openings``, and keywords of other drafts are annotations (core §6.5).
    package init(
        document root: Node, dialect: Dialect, formats: Set<SchemaFormat>, sink: DiagnosticSink,
        leavesOpen: Bool = false
    ) {
        (self.root, self.dialect, self.formats, self.sink, self.leavesOpen) = (root, dialect, formats, sink, leavesOpen)
        index = SchemaIndex(root: root, dialect: dialect)
    }

    /// Does what may report mistakes.
    ///
    /// Those are errors of the document, or openings; then the first one is given.
    func telling<Value>(_ work: () -> Value) -> (value: Value, opening: Diagnostic?) {
        guard leavesOpen else { return (work(), nil) }
        let (outer, own) = (sink, DiagnosticSink())
        sink = own
        defer { sink = outer }
        let value = work()
        openings += own.diagnostics.prefix(DiagnosticSink.limit - openings.count)
        return (value, own.diagnostics.first)
    }

    private static let cycleBound = 100

    /// Finds the anchors of a schema and of those inside it before any is read, so that every reference can name them.
    package func indexSchema(_ node: Node, at pointer: String) {
        _ = telling { index.addSubschemas(of: node, at: pointer, sink) }
    }

    /// The number of the schema at a pointer of the document; its keywords are read by ``finish()``.
    package func number(of node: Node, at pointer: String) -> Int {
        if let number = numbers[pointer] { return number }
        guard subschemas.count < JSONSchema.Bounds.subschemas else {
            if let overflow { return overflow }
            let sentence = "there are more than \(JSONSchema.Bounds.subschemas) schemas in this document"
            _ = telling { sink.report(node, sentence) }
            let open = Keyword(name: "", location: node.location, rule: .open(sentence))
            overflow = subschemas.count
            subschemas.append(Subschema(pointer: pointer, location: node.location, resource: 0, keywords: [open]))
            return subschemas.count - 1
        }
        let number = subschemas.count
        numbers[pointer] = number
        indexSchema(node, at: pointer)
        subschemas.append(
            Subschema(pointer: pointer, location: node.location, resource: index.resource(of: pointer)))
        queue.append((number, node))
        return number
    }

    /// All schemas that were asked for and those that they lead to; nil after a diagnostic.
    package func finish() -> JSONSchema? {
        var next = 0
        while next < queue.count, !sink.isFull {
            let (number, node) = queue[next]
            next += 1
            var reading = SubschemaReading(reader: self, pointer: subschemas[number].pointer)
            subschemas[number].keywords = reading.keywords(of: node)
            subschemas[number].permitsNull = reading.permitsNull
            guard next == queue.count else { continue }
            // A dynamic reference may lead to every schema that has its anchor.
            for (pointer, node) in index.places(ofDynamicAnchors: dynamicNames) {
                _ = self.number(of: node, at: pointer)
            }
        }
        guard sink.diagnostics.isEmpty else { return nil }
        for _ in 0..<Self.cycleBound {
            guard let number = SchemaCycle.find(in: subschemas) else { break }
            let cycle = subschemas[number].location
            let opening = telling {
                sink.report(
                    cycle, "this schema leads back to itself at the same value, so that no validation would end",
                    hint: "refer to it from a member or an element, as in properties or items")
            }.opening
            guard let opening else { return nil }
            subschemas[number].keywords = [Keyword(name: "", location: cycle, rule: .open(opening.sentence))]
        }
        guard SchemaCycle.find(in: subschemas) == nil else {
            return sink.refuse(root, "more than \(Self.cycleBound) schemas lead back to themselves")
        }
        var anchors: [String: [Int: Int]] = [:]
        for name in dynamicNames {
            for (resource, pointer) in index.dynamicAnchors(named: name) {
                anchors[name, default: [:]][resource] = numbers[pointer]
            }
        }
        return JSONSchema(subschemas: subschemas, dynamicAnchors: anchors, tracksEvaluation: tracksEvaluation)
    }

    /// Reads the schema that is the whole of a document, or of a value in one.
    package static func read(
        _ root: Node, formats: Set<SchemaFormat>, sink: DiagnosticSink
    ) -> JSONSchema.Entry? {
        let reader = SchemaReader(document: root, dialect: .draft2020, formats: formats, sink: sink)
        let number = reader.number(of: root, at: "")
        return reader.finish().map { JSONSchema.Entry(schemas: $0, number: number) }
    }

    /// The schema that a reference names, with its dynamic anchor where the fragment is one; nil after a diagnostic.
    func target(of node: Node, from pointer: String) -> (number: Int, anchor: String?)? {
        guard let text = sink.text(node, "a reference") else { return nil }
        let place: SchemaIndex.Place
        switch index.find(text, from: pointer) {
        case .success(let named): place = named
        case .failure(let failure): return sink.refuse(node, failure.sentence, hint: failure.hint)
        }
        return (number(of: place.node, at: place.pointer), place.dynamicAnchor)
    }
}

/// Finds a schema that applies to one value without end.
enum SchemaCycle {
    /// The number of a schema that leads back to itself without going into the value.
    static func find(in subschemas: [Subschema]) -> Int? {
        enum Mark { case new, open, done }
        var marks = [Mark](repeating: .new, count: subschemas.count)
        for start in subschemas.indices where marks[start] == .new {
            var path: [(number: Int, rest: [Int])] = [(start, subschemas[start].inPlace)]
            marks[start] = .open
            while let last = path.indices.last {
                guard let next = path[last].rest.popLast() else {
                    marks[path[last].number] = .done
                    path.removeLast()
                    continue
                }
                switch marks[next] {
                case .done: continue
                case .open: return next
                case .new:
                    marks[next] = .open
                    path.append((next, subschemas[next].inPlace))
                }
            }
        }
        return nil
    }
}

extension Subschema {
    /// The subschemas that apply to the same value; where a dynamic reference leads is known only when it is followed.
    fileprivate var inPlace: [Int] {
        keywords.flatMap { keyword -> [Int] in
            switch keyword.rule {
            case .allOf(let all), .anyOf(let all), .oneOf(let all): all
            case .not(let one), .reference(let one): [one]
            case .condition(let test, let then, let otherwise): [test] + [then, otherwise].compactMap(\.self)
            case .dependentSchemas(let all): all.map(\.schema)
            default: []
            }
        }
    }
}
