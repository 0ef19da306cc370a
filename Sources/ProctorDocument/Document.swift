/// A YAML file as a tree of nodes.
public struct Document: Sendable {
    /// nil when the file could not be read as YAML or is empty; then there is at least one diagnostic.
    public let root: Node?
    /// In the order of the file.
    public let diagnostics: [Diagnostic]

    /// Bounds of what is read; a file beyond one of them is refused as a whole.
    public struct Limits: Sendable {
        /// Of the file.
        public var byteCount = 4 * 1024 * 1024
        /// Of mappings and lists in one another.
        public var depth = 32
        /// Nodes, with those that aliases repeat.
        public var nodeCount = 200_000

        /// What is enough for every sensible fixture.
        public init() {}
    }

    /// Parses UTF-8 bytes; `file` is the name that messages use.
    public static func parse(_ bytes: [UInt8], file: String, limits: Limits = Limits()) -> Document {
        guard bytes.count <= limits.byteCount else {
            let sentence = "the file has \(bytes.count) bytes; at most \(limits.byteCount) are read"
            return Document(
                root: nil,
                diagnostics: [
                    Diagnostic(path: file, sentence: sentence, hint: "move large bodies to a file of their own")
                ])
        }
        let source = SourceFile(path: file, bytes: bytes)
        let sink = DiagnosticSink()
        let root = unsafe source.bytes.withUnsafeBufferPointer { input -> Node? in
            var composer = unsafe Composer(
                parser: YAMLParser(source: source, input: input), source: source, sink: sink, limits: limits)
            return composer.document()
        }
        return Document(root: root, diagnostics: sink.sorted())
    }

    /// Parses UTF-8 bytes and makes a model of their tree; a file with anything wrong gives no model.
    ///
    /// `model` reports to the sink what it does not accept.
    public static func read<Model>(
        _ bytes: [UInt8], file: String, as model: (Node, DiagnosticSink) -> Model?
    ) -> (model: Model?, diagnostics: [Diagnostic]) {
        let document = parse(bytes, file: file)
        guard let root = document.root else { return (nil, document.diagnostics) }
        let sink = DiagnosticSink()
        for diagnostic in document.diagnostics { sink.report(diagnostic) }
        let made = model(root, sink)
        return (sink.diagnostics.isEmpty ? made : nil, sink.sorted())
    }
}
