internal import ProctorBase
internal import ProctorDocument
internal import ProctorFixtures
internal import ProctorJournal
internal import ProctorOpenAPI
internal import ProctorScenario
internal import ProctorSchema

/// JSON Schema and OpenAPI as a part of the language of fixtures: the keys `schema` and `formats` of conditions on content, and
/// `expect` with its checks and the judge of a run's messages.
package enum Descriptions {
    /// Hands the keys over to the language, for every scenario that this process reads from then on.
    ///
    /// Safe from any thread, and again. Without it a fixture with such a key is refused.
    package static func register() {
        ScenarioReader.service.register(table) { OpenAPIService($0) }
        ScenarioReader.schema.register(
            Shape { node, reader in
                { names in reader.schema(node, formats: Set(names.compactMap { SchemaFormat(rawValue: $0) })) }
            })
        let formats = Shape<Set<SchemaFormat>>.formats
        ScenarioReader.schemaFormats.register(
            Shape { formats.read($0, $1)?.map(\.rawValue).sorted() })
    }

    private static let table = Table("expect", ServiceKeys())
}

/// A schema with which requests are matched.
private struct RequestSchema: ContentCondition {
    let entry: JSONSchema.Entry

    var noun: String { "a JSON Schema" }
    var example: String? { nil }

    func verdict(on content: (any JudgedContent)?, within budget: WorkBudget?) -> Verdict {
        guard let content else { return .fails }
        guard let json = try? content.json(within: budget) else { return .undecided }
        guard case .value(let document) = json else { return .fails }
        return switch entry.validate(document, side: .request, within: budget) {
        case .valid: .holds
        case .invalid: .fails
        case .undecided: .undecided
        }
    }

    func differences(in content: (any JudgedContent)?, within budget: WorkBudget?) -> [String] {
        switch DecodedContent.reading(content, { content throws(SpentBudget) in try content.json(within: budget) }) {
        case .other(let got): ["body: wanted JSON of the schema at \(entry.location), got \(got)"]
        case .value(let document):
            entry.validate(document, side: .request, within: budget).sentences.map { "body: \($0)" }
        }
    }
}

extension ScenarioReader {
    /// The schema, which is written here or stands in a file; nil after a diagnostic.
    fileprivate func schema(_ node: Node, formats: Set<SchemaFormat>) -> (any ContentCondition)? {
        let isInline = node.entries != nil || node.plainText == "true" || node.plainText == "false"
        guard let root = isInline ? node : sidecarDocument(node) else { return nil }
        return SchemaReader.read(root, formats: formats, sink: sink).map { RequestSchema(entry: $0) }
    }
}

extension Shape where Value == Set<SchemaFormat> {
    static var formats: Shape {
        Shape { node, reader in
            reader.sink.list(node, "formats", limit: SchemaFormat.allCases.count)?
                .mapAll { reader.sink.choice($0, "a format", among: SchemaFormat.self) }.map { Set($0) }
        }
    }
}

/// An OpenAPI description and what of a scenario is held against it.
struct OpenAPIService: DescribedService {
    let description: APIDescription
    /// The index of the origin that it describes; nil: all of them.
    let origin: Int?
    /// Whether the scenario's own replies are held against it too.
    let judgesReplies: Bool

    init(description: APIDescription, origin: Int?, judgesReplies: Bool) {
        (self.description, self.origin, self.judgesReplies) = (description, origin, judgesReplies)
    }

    var warnings: [Diagnostic] { description.openings }

    func check(_ exchanges: [Exchange], _ sink: DiagnosticSink) { DescribedReplies(self, sink).check(exchanges) }

    func judge(of scenario: Scenario) -> any MessageJudge { DescriptionJudge(self, of: scenario) }
}

/// The keys of `expect:` at the top of a file.
struct ServiceKeys: Sendable {
    let openapi = Key<Node>("openapi", isRequired: true)
    let base = Key<String>("base") { node, reader in
        guard let text = reader.sink.nonEmptyText(node, "a path") else { return nil }
        guard text.hasPrefix("/"), !text.hasSuffix("/") else {
            return reader.sink.refuse(node, "a path begins with / and has no / at its end, found \(quoted(text))")
        }
        return text
    }
    let origin = Key<Int>("origin") { $1.originIndex($0) }
    let replies = UsualKey("replies", Shape<Bool>.boolean("replies"), usual: true)
    let formats = Key("formats", Shape<Set<SchemaFormat>>.formats)
}

extension OpenAPIService {
    /// nil after a diagnostic.
    fileprivate init?(_ keys: Mapping<ServiceKeys>) {
        let reader = keys.reader
        let base = keys[\.base]
        let formats = keys[\.formats] ?? []
        let origin = keys[\.origin]
        guard let node = keys[\.openapi], let root = reader.sidecarDocument(node),
            !keys.has(\.base) || base != nil, !keys.has(\.origin) || origin != nil,
            let description = APIDescription.read(
                root, file: node.text ?? "", base: base, formats: formats, sink: reader.sink)
        else { return nil }
        self.init(description: description, origin: origin, judgesReplies: keys[\.replies])
    }
}
