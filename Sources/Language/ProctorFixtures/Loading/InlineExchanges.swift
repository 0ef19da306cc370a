import ProctorBase
package import ProctorDocument
package import ProctorScenario

/// A scenario whose exchanges are written in one line each, as on a command line: `GET /a -> 200 "hi"`.
package struct InlineExchanges {
    /// The id of such a scenario.
    package static let id = "inline"

    private var exchanges: [Node] = []
    private let sink = DiagnosticSink()

    package init() {}

    /// Adds a line: a request, `->`, and a status with a text, or with a reply as YAML in one line.
    ///
    /// `name` is the name of the line in messages.
    package mutating func add(_ line: String, named name: String) {
        let bytes = Array(line.utf8)
        // A target may contain an arrow, but no spaces.
        guard let arrow = line.firstRange(ofText: " -> ") ?? line.firstRange(ofText: "->") else {
            return sink.report(
                SourceLocation(file: name, line: 1, column: bytes.count + 1),
                "expected -> between the request and the reply", hint: #"like GET /a -> 200 "hi""#)
        }
        let request = Part(bytes[..<line.utf8.distance(from: line.startIndex, to: arrow.lowerBound)], of: name)
        let reply = Part(bytes[line.utf8.distance(from: line.startIndex, to: arrow.upperBound)...], of: name)
        guard !request.isEmpty else {
            return sink.report(request.location, "expected a request before ->", hint: "like GET /a")
        }
        guard let answer = self.reply(reply) else { return }
        exchanges.append(
            Node(.mapping([Node.Entry("request", request.text), Node.Entry("reply", answer)]), madeAt: request.source))
    }

    /// The scenario; nil with at least one diagnostic.
    package func scenario() -> (scenario: Scenario?, diagnostics: [Diagnostic]) {
        // When a line is wrong, a missing exchange is not reported in addition.
        guard !exchanges.isEmpty || sink.diagnostics.isEmpty else { return (nil, sink.sorted()) }
        let place = exchanges.first?.source ?? Part([], of: "--inline").source
        let root = Node(
            .mapping([
                Node.Entry("summary", Node(.scalar("Exchanges of the command line", .doubleQuoted), madeAt: place)),
                Node.Entry("exchanges", Node(.sequence(exchanges), madeAt: place)),
            ]), madeAt: place)
        return ScenarioLoader.make(root, id: Self.id, folder: nil, besides: sink.diagnostics)
    }

    /// The node of a reply; nil after a diagnostic.
    private func reply(_ part: Part) -> Node? {
        guard let first = part.bytes.first else {
            sink.report(part.location, "expected a reply behind ->", hint: #"like 200, 200 "hi" or { status: 200 }"#)
            return nil
        }
        if first == UInt8(ascii: "{") || first == UInt8(ascii: "[") { return yaml(part) }
        let digits = part.bytes.prefix { $0 != UInt8(ascii: " ") }
        var entries = [Node.Entry("status", Part(digits, of: part.name).plain)]
        let body = Part(part.bytes[digits.endIndex...], of: part.name)
        if let first = body.bytes.first {
            let isQuoted = first == UInt8(ascii: "\"") || first == UInt8(ascii: "'")
            guard let text = isQuoted ? yaml(body) : body.text else { return nil }
            entries.append(Node.Entry("body", text))
        }
        return Node(.mapping(entries), madeAt: part.source)
    }

    private func yaml(_ part: Part) -> Node? {
        let document = Document.parse(
            Array(part.bytes), file: part.name, at: TextPlace(line: 1, column: part.bytes.startIndex + 1))
        for diagnostic in document.diagnostics { sink.add(diagnostic) }
        return document.diagnostics.isEmpty ? document.root : nil
    }

    /// A piece of a line without the spaces around it.
    private struct Part {
        let bytes: ArraySlice<UInt8>
        let name: String

        init(_ bytes: ArraySlice<UInt8>, of name: String) {
            let start = bytes.firstIndex { $0 != UInt8(ascii: " ") } ?? bytes.endIndex
            let end = bytes.lastIndex { $0 != UInt8(ascii: " ") }.map { $0 + 1 } ?? start
            self.bytes = bytes[start..<max(start, end)]
            self.name = name
        }

        var isEmpty: Bool { bytes.isEmpty }
        var location: SourceLocation { SourceLocation(file: name, line: 1, column: bytes.startIndex + 1) }
        var source: SourceFile { SourceFile(madeAt: location) }
        var text: Node { node(.doubleQuoted) }
        var plain: Node { node(.plain) }

        private func node(_ style: Node.Style) -> Node {
            Node(.scalar(String(decoding: bytes, as: UTF8.self), style), madeAt: source)
        }
    }
}
