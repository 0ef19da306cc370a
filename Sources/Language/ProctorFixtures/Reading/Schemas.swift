import ProctorBase
import ProctorDocument
import ProctorOpenAPI
import ProctorScenario
import ProctorSchema

/// The keys of `expect:` at the top of a file.
struct ServiceKeys: Sendable {
    let openapi = Key(
        "openapi", Shape<Node>.node(.ref("nonEmptyText"), takes: "the name of a file"), leftOut: "required",
        says: "The description, of OpenAPI 3.0 or 3.1, in YAML or JSON, beside the fixture or below.",
        example: "orders.yaml")
    let base = Key(
        "base",
        Shape<String>(["type": "string", "pattern": "^/.*[^/]$"], takes: "a path") { node, reader in
            guard let text = reader.sink.nonEmptyText(node, "a path") else { return nil }
            guard text.hasPrefix("/"), !text.hasSuffix("/") else {
                return reader.sink.refuse(node, "a path begins with / and has no / at its end, found \(quoted(text))")
            }
            return text
        }, leftOut: "those of its `servers`",
        says: "The path in front of the paths of the description.", example: "/v1")
    let origin = Key(
        "origin", Shape<Int>(.ref("identifier"), takes: "the name of an origin") { $1.originIndex($0) },
        leftOut: "all of them", says: "The origin that it describes.", example: "api")
    let replies = UsualKey(
        "replies", Shape<Bool>.boolean("replies"), usual: true, leftOut: "`true`",
        says: "Whether the scenario's own replies are held against it too.")
    let formats = Key(
        "formats", Shape<Set<SchemaFormat>>.formats, leftOut: "none",
        says: "The formats that values must have; any other `format` says nothing.", example: "[date-time, uuid]")
}

extension Shape where Value == Set<SchemaFormat> {
    static var formats: Shape {
        let names = SchemaFormat.allCases.map(\.rawValue)
        return Shape(
            .items(.words(names), ["maxItems": .integer(names.count)]),
            takes: "a list of [formats](schemas.md#formats)"
        ) { node, reader in
            guard let items = reader.sink.list(node, "formats", limit: names.count) else { return nil }
            let formats = items.compactMap { reader.sink.choice($0, "a format", among: SchemaFormat.self) }
            return formats.count == items.count ? Set(formats) : nil
        }
    }
}

extension ScenarioReader {
    static let serviceTable = Table("expect", ServiceKeys())

    /// The bounds of a schema or a description that stands in a file of its own.
    private static var documentLimits: Document.Limits {
        var limits = Document.Limits()
        limits.depth = JSONDocument.depthBound
        return limits
    }

    /// The condition that content is JSON of a schema, which is written here or stands in a file.
    func schemaCondition(_ node: Node, formats: Set<SchemaFormat>) -> BodyPattern? {
        let isInline = node.entries != nil || node.plainText == "true" || node.plainText == "false"
        guard let root = isInline ? node : sidecarDocument(node) else { return nil }
        return SchemaReader.read(root, formats: formats, sink: sink).map { .schema($0) }
    }

    /// The description that the messages of the scenario are held against; nil after a diagnostic.
    func service(_ keys: Mapping<ServiceKeys>) -> DescribedService? {
        let base = keys[\.base]
        let formats = keys[\.formats] ?? []
        let origin = keys[\.origin]
        guard let node = keys[\.openapi], let root = sidecarDocument(node),
            !keys.has(\.base) || base != nil, !keys.has(\.origin) || origin != nil,
            let description = APIDescription.read(
                root, file: node.text ?? "", base: base, formats: formats, sink: sink)
        else { return nil }
        return DescribedService(description: description, origin: origin, judgesReplies: keys[\.replies])
    }

    /// The values of a file of YAML, or of JSON where its name ends in `.json`.
    private func sidecarDocument(_ node: Node) -> Node? {
        guard let file = sidecar(node) else { return nil }
        do throws(Diagnostic) {
            let bytes = try FileBytes.read(file.path, limit: Self.documentLimits.byteCount)
            guard literals.spend(bytes.count) else {
                return sink.refuse(
                    node, "all that is made while this file is loaded has more than \(literals.byteCount) bytes")
            }
            fingerprint.mix(bytes)
            let document =
                file.path.lowercased().hasSuffix(".json")
                ? Document.parseJSON(bytes, file: file.path, limits: Self.documentLimits)
                : Document.parse(bytes, file: file.path, limits: Self.documentLimits)
            for diagnostic in document.diagnostics { sink.add(diagnostic) }
            return document.root
        } catch {
            return sink.refuseFile(node, for: error, of: file.path)
        }
    }
}
