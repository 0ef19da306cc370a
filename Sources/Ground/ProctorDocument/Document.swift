import ProctorBase

/// A YAML file as a tree of nodes.
package struct Document: Sendable {
    /// nil for an empty file or invalid YAML; then there is at least one diagnostic.
    package let root: Node?
    /// In the order of the file.
    package let diagnostics: [Diagnostic]

    /// Bounds of a file; a file beyond one of them is refused.
    package struct Limits: Sendable {
        package var byteCount = 4 * 1024 * 1024
        /// The depth of nested mappings and lists.
        package var depth = 32
        /// The number of nodes, including those that aliases repeat.
        package var nodeCount = 200_000
        /// The number of lines that begin with `%` before the first value.
        package var directiveCount = 100

        package init() {}
    }

    /// Parses UTF-8; `file` is the name in messages, `place` the position of the text if it is part of a file.
    package static func parse(
        _ bytes: [UInt8], file: String, at place: TextPlace = .wholeFile, limits: Limits = Limits()
    ) -> Document {
        guard bytes.count <= limits.byteCount else {
            let sentence = "the file has \(bytes.count) bytes; at most \(limits.byteCount) are read"
            return Document(
                root: nil,
                diagnostics: [
                    Diagnostic(path: file, sentence: sentence, hint: "move large bodies to a file of their own")
                ])
        }
        let source = SourceFile(path: file, bytes: bytes, place: place)
        let sink = DiagnosticSink()
        // libyaml compares each directive with all earlier ones.
        guard source.directiveCount <= limits.directiveCount else {
            sink.report(
                source.location(at: 0),
                "the file begins with more than \(limits.directiveCount) lines that begin with %",
                hint: "leave directives out: tags are not supported")
            return Document(root: nil, diagnostics: sink.sorted())
        }
        let root = unsafe source.bytes.withUnsafeBufferPointer { input -> Node? in
            var composer = unsafe Composer(
                parser: YAMLParser(source: source, input: input), source: source, sink: sink, limits: limits)
            return composer.document()
        }
        return Document(root: root, diagnostics: sink.sorted())
    }

    /// Parses UTF-8 and makes a model from it; returns nil after any error.
    ///
    /// `model` reports its errors to the sink.
    package static func read<Model>(
        _ bytes: [UInt8], file: String, at place: TextPlace = .wholeFile, as model: (Node, DiagnosticSink) -> Model?
    ) -> (model: Model?, diagnostics: [Diagnostic]) {
        let document = parse(bytes, file: file, at: place)
        guard let root = document.root else { return (nil, document.diagnostics) }
        let sink = DiagnosticSink()
        for diagnostic in document.diagnostics { sink.add(diagnostic) }
        let made = model(root, sink)
        return (sink.diagnostics.isEmpty ? made : nil, sink.sorted())
    }
}

/// Builds the tree from events, and checks bounds, anchors and duplicate keys.
struct Composer: ~Copyable {
    private var parser: YAMLParser
    let source: SourceFile
    let sink: DiagnosticSink
    private let limits: Document.Limits
    private var nodeCount = 0
    /// The complete nodes by anchor, with their node counts.
    private var anchors: [String: (node: Node, nodeCount: Int)] = [:]
    private var openAnchors: Set<String> = []

    init(parser: consuming YAMLParser, source: SourceFile, sink: DiagnosticSink, limits: Document.Limits) {
        self.parser = parser
        self.source = source
        self.sink = sink
        self.limits = limits
    }

    /// The only document of the file, or nil after a diagnostic.
    mutating func document() -> Node? {
        do throws(Stop) {
            _ = try next()
            guard case .documentStart = try next() else {
                sink.add(Diagnostic(path: source.path, sentence: DocumentSentence.empty))
                return nil
            }
            let root = try node(from: next(), depth: 1)
            _ = try next()
            if case .documentStart(let offset) = try next() {
                sink.report(
                    source.location(at: offset), DocumentSentence.second, hint: DocumentSentence.secondHint)
            }
            return root
        } catch {
            return nil
        }
    }

    /// Stops the reading after a reported diagnostic.
    private struct Stop: Error {}

    private mutating func next() throws(Stop) -> YAMLEvent {
        do {
            return try parser.next()
        } catch {
            sink.add(error.diagnostic(in: source))
            throw Stop()
        }
    }

    private func stop(at offset: Int, _ sentence: String, hint: String? = nil) -> Stop {
        sink.report(source.location(at: offset), sentence, hint: hint)
        return Stop()
    }

    private mutating func count(_ added: Int, at offset: Int) throws(Stop) {
        nodeCount += added
        if nodeCount > limits.nodeCount {
            throw stop(at: offset, DocumentSentence.tooMany(limits.nodeCount))
        }
    }

    private mutating func node(from event: YAMLEvent, depth: Int) throws(Stop) -> Node {
        let before = nodeCount
        switch event {
        case .scalar(let text, let style, let anchor, let tag, let offset):
            try count(1, at: offset)
            refuse(tag, at: offset)
            return recordAnchor(
                Node(content: .scalar(text, style), source: source, offset: offset), anchor, nodeCount: 1)
        case .sequenceStart(let anchor, let tag, let offset):
            try enter(depth, anchor, tag: tag, at: offset)
            let content = Node.Content.sequence(try items(depth: depth))
            return recordAnchor(
                Node(content: content, source: source, offset: offset), anchor, nodeCount: nodeCount - before)
        case .mappingStart(let anchor, let tag, let offset):
            try enter(depth, anchor, tag: tag, at: offset)
            let content = try mapping(depth: depth, offset: offset)
            return recordAnchor(
                Node(content: content, source: source, offset: offset), anchor, nodeCount: nodeCount - before)
        case .alias(let name, let offset):
            guard let target = anchors[name] else {
                throw stop(at: offset, DocumentSentence.alias(name, isInside: openAnchors.contains(name)))
            }
            try count(target.nodeCount, at: offset)
            return Node(content: target.node.content, source: source, offset: target.node.offset)
        case .sequenceEnd, .mappingEnd, .documentStart, .documentEnd, .streamStart, .streamEnd:
            preconditionFailure("libyaml's parser gave \(event) where a node begins")
        }
    }

    private mutating func enter(_ depth: Int, _ anchor: String?, tag: String?, at offset: Int) throws(Stop) {
        guard depth <= limits.depth else {
            throw stop(at: offset, DocumentSentence.tooDeep(limits.depth))
        }
        try count(1, at: offset)
        refuse(tag, at: offset)
        if let anchor { openAnchors.insert(anchor) }
    }

    private mutating func recordAnchor(_ node: Node, _ anchor: String?, nodeCount count: Int) -> Node {
        guard let anchor else { return node }
        openAnchors.remove(anchor)
        anchors[anchor] = (node, count)
        return node
    }

    private func refuse(_ tag: String?, at offset: Int) {
        guard let tag, tag != "!" else { return }
        sink.report(source.location(at: offset), DocumentSentence.tag(tag), hint: DocumentSentence.tagHint)
    }

    private mutating func items(depth: Int) throws(Stop) -> [Node] {
        var items: [Node] = []
        while true {
            let event = try next()
            if case .sequenceEnd = event { return items }
            items.append(try node(from: event, depth: depth + 1))
            if sink.isFull { throw Stop() }
        }
    }

    private mutating func mapping(depth: Int, offset: Int) throws(Stop) -> Node.Content {
        var entries: [Node.Entry] = []
        // Without the index for a few keys, since comparing them is faster.
        var places: [String: Int] = [:]
        var isTemplate = false
        while true {
            let event = try next()
            if case .mappingEnd = event { break }
            let key = try node(from: event, depth: depth + 1)
            let value = try node(from: next(), depth: depth + 1)
            if let name = scalarKey(key, in: offset, isTemplate: &isTemplate),
                isNew(name, key, among: entries, &places)
            {
                entries.append(Node.Entry(key: name, keyNode: key, value: value))
            }
            if sink.isFull { throw Stop() }
        }
        // The cause of the error is known, so no further message follows.
        return isTemplate ? .scalar(templateText(at: offset), .doubleQuoted) : .mapping(entries)
    }

    /// The key's text; nil after a diagnostic; sets `isTemplate` if the key is an unquoted template.
    private func scalarKey(_ key: Node, in mapping: Int, isTemplate: inout Bool) -> String? {
        guard case .scalar(let name, let style) = key.content else {
            // A mapping as a key is nearly always an unquoted `{{base}}`.
            isTemplate = source.bytes[mapping...].starts(with: [0x7B, 0x7B])
            if isTemplate {
                sink.report(source.location(at: mapping), "this is read as a mapping", hint: YAMLFailure.quoteHint)
            } else {
                sink.report(key, "expected a key, found \(key.found)", hint: "a key is text")
            }
            return nil
        }
        if name == "<<", style == .plain {
            return sink.refuse(key, DocumentSentence.merge, hint: DocumentSentence.mergeHint)
        }
        return name
    }

    /// Returns false after a diagnostic; `places` maps keys to entries once there are many.
    private func isNew(
        _ name: String, _ key: Node, among entries: [Node.Entry], _ places: inout [String: Int]
    ) -> Bool {
        for index in places.count..<entries.count where entries.count >= Self.fewEntries {
            places[entries[index].key] = index
        }
        let former = entries.count < Self.fewEntries ? entries.firstIndex { $0.key == name } : places[name]
        guard let former else { return true }
        let place = entries[former].keyNode.location
        sink.report(key, "the key \(quoted(name)) stands here twice, first at \(place.line):\(place.column)")
        return false
    }

    private static var fewEntries: Int { 16 }

    /// The text from `{{` to the next `}}`.
    private func templateText(at offset: Int) -> String {
        let rest = source.bytes[offset...]
        let end = rest.firstRange(ofBytes: [0x7D, 0x7D])?.upperBound ?? rest.endIndex
        return String(decoding: rest[..<end], as: UTF8.self)
    }
}
