import Foundation
import ProctorBase
import ProctorDocument
import ProctorHTTP

@testable import ProctorOpenAPI
@testable import ProctorSchema

extension ReaderRunner {
    static let schemas: [String: DataReader] = [
        // `SCHEMA`, or `SCHEMA <- VALUE | VALUE`. Words: `formats` (all are asserted), `openapi-3.0`, `of request` or `of reply`,
        // `steps N`, `told` (the faults).
        "schema": .text { text, block in try SchemaLines(text, block).lines() },
        // `REFERENCE` against `from BASE`.
        "schema-reference": .whole { input, block in
            let base = SchemaReference(block.value(of: "from") ?? "")
            return [SchemaReference(Parts.text(input)).resolved(against: base).absoluteText]
        },
        "schema-fragment": .line { SchemaReference($0).decodedFragment.map { "'\($0)'" } ?? "none" },
        // `TEMPLATE PATH`, or a template.
        "path-template": .line { text in
            let words = text.split(separator: " ").map(String.init)
            guard let template = PathTemplate(words[0]) else { return "no template" }
            guard words.count > 1 else { return "a template" }
            guard let values = template.match(Array(words[1].utf8)[...]) else { return "no" }
            return (["yes"] + values.sorted { $0.key < $1.key }.map { "\($0.key)=\(Parts.text($0.value))" })
                .joined(separator: " ")
        },
        // A description of OpenAPI; behind `---` a request, or the line of one and a reply: see `DescribedLines`. `base PATH` is
        // that of the scenario.
        "described": .whole { input, block in try DescribedLines.lines(Parts.text(input), block) },
    ]
}

/// What a schema says of values.
private struct SchemaLines {
    private let schema: String
    private let values: [String]
    private let block: Block

    init(_ text: String, _ block: Block) throws {
        let parts = text.components(separatedBy: "<- ")
        guard parts.count <= 2 else { throw TextError("expected SCHEMA <- VALUE | VALUE") }
        schema = parts[0]
        var values = parts.count > 1 ? parts[1] : ""
        if values.hasSuffix("\n") { values.removeLast() }
        self.values = values.isEmpty ? [] : values.components(separatedBy: " | ")
        self.block = block
    }

    private func read() -> (entry: JSONSchema.Entry?, messages: [String]) {
        var limits = Document.Limits()
        limits.depth = 100
        let document = Document.parse(Array(schema.utf8), file: "s.yaml", limits: limits)
        let sink = DiagnosticSink()
        for diagnostic in document.diagnostics { sink.add(diagnostic) }
        let entry = document.root.flatMap { root -> JSONSchema.Entry? in
            let reader = SchemaReader(
                document: root, dialect: block.has("openapi-3.0") ? .openAPI30 : .draft2020,
                formats: block.has("formats") ? Set(SchemaFormat.allCases) : [], sink: sink)
            let number = reader.number(of: root, at: "")
            return reader.finish()?.entry(number)
        }
        return (entry, sink.sorted().map(\.description))
    }

    func lines() throws -> [String] {
        let (entry, messages) = read()
        guard let entry, messages.isEmpty else { return messages.isEmpty ? ["no schema"] : messages }
        let side: SchemaSide? = block.has("request") ? .request : block.has("reply") ? .reply : nil
        var words: [String: [String]] = [:]
        var told: [String] = []
        for value in values {
            let document = try JSONDocument(parsing: Array(value.utf8))
            let verdict =
                if let count = try block.number(of: "steps") {
                    entry.validate(document, side: side, within: WorkBudget(stepLimit: count))
                } else {
                    entry.validate(document, side: side)
                }
            told += verdict.sentences.counted
            let word =
                switch verdict {
                case .valid: "accepts"
                case .invalid: "refuses"
                case .undecided: "gives up"
                }
            words[word, default: []].append(ByteText.shortened(value))
            if case .invalid(let faults, _) = verdict,
                faults.isEmpty || faults.contains(where: { $0.location.line == 0 || $0.sentence.isEmpty })
            {
                told.append("\(value) is refused without a reason")
            }
        }
        if block.has("told") {
            if told.count > 20 { return ["\(told.count) sentences"] + told.prefix(1) + told.suffix(1) }
            return told.isEmpty ? ["fits"] : told
        }
        if values.isEmpty { return ["fine"] }
        return ["accepts", "refuses", "gives up"].compactMap { word in
            words[word].map { "\(word) \($0.joined(separator: " | "))" }
        }
    }
}

/// What a description says of a message: `POST /a | Name: value | body TEXT`, or `GET /a -> 200 | Name: value | body TEXT`.
private enum DescribedLines {
    /// A message `SCHEMA <- MESSAGE` says what stands in the place of `$(schema)`.
    ///
    /// Without a message what is open is told.
    static func lines(_ text: String, _ block: Block) throws -> [String] {
        let parts = text.components(separatedBy: "\r\n---\r\n")
        var message = parts.count > 1 ? parts[1] : ""
        let words = message.components(separatedBy: " <- ")
        if words.count == 2 { message = words[1] }
        let (read, messages) = read(parts[0], schema: words.count == 2 ? words[0] : nil, base: block.value(of: "base"))
        guard let read, messages.isEmpty, !message.isEmpty else {
            let told = messages + (read?.openings.map(\.description) ?? [])
            return told.isEmpty ? ["fine"] : told
        }
        return judge(message, by: read)
    }

    /// Those of a page are the same for all of its rows.
    private static let known = Locked<[[String?]: (APIDescription?, [String])]>([:])

    private static func read(_ text: String, schema: String?, base: String?) -> (APIDescription?, [String]) {
        let key = [text, schema, base]
        if let read = known.withLock({ $0[key] }) { return read }
        var source = text.replacingOccurrences(of: "\r\n", with: "\n")
        if let schema { source = source.replacingOccurrences(of: "$(schema)", with: schema) }
        let document = Document.parse(Array(source.utf8), file: "api.yaml")
        let sink = DiagnosticSink()
        for diagnostic in document.diagnostics { sink.add(diagnostic) }
        let description = document.root.flatMap {
            APIDescription.read($0, file: "api.yaml", base: base, formats: [.uuid], sink: sink)
        }
        let read = (description, sink.sorted().map(\.description))
        known.withLock { $0[key] = read }
        return read
    }

    private static func judge(_ text: String, by description: APIDescription) -> [String] {
        var parts = text.components(separatedBy: " | ")
        let words = parts.removeFirst().split(separator: " ").map(String.init)
        var fields: [(name: String, value: [UInt8])] = []
        var content = DescribedMessage.Content.none
        for part in parts {
            if part.hasPrefix("body ") {
                content = .whole(Array(part.dropFirst(5).utf8))
            } else {
                let field = Parts.field(Array(part.utf8))
                fields.append((field.name.lowercased(), field.bytes))
            }
        }
        let message = DescribedMessage(fields: fields, content: content)
        let line = APIDescription.RequestLine(method: words[0], target: Array(words[1].utf8))
        let verdict =
            if words.count > 3, let status = Int(words[3]) {
                description.judge(replyTo: line, status: status, message)
            } else {
                description.judge(line, message)
            }
        let lines = verdict.faults.map(\.description) + verdict.open.map { "open: \($0)" }
        guard verdict.faults.allSatisfy({ $0.location.file == "api.yaml" && $0.location.line > 0 }) else {
            return lines + ["a fault without a place"]
        }
        return lines.isEmpty ? ["fits"] : lines
    }
}
