import ProctorBase
import ProctorDocument
import Testing

@testable import ProctorSchema

/// A schema of YAML or JSON, and what is wrong with it.
enum SchemaText {
    static func read(
        _ text: String, formats: Set<SchemaFormat> = [], dialect: SchemaReader.Dialect = .draft2020
    ) -> (entry: JSONSchema.Entry?, messages: [String]) {
        var limits = Document.Limits()
        limits.depth = 100
        let document = Document.parse(Array(text.utf8), file: "s.yaml", limits: limits)
        let sink = DiagnosticSink()
        for diagnostic in document.diagnostics { sink.add(diagnostic) }
        let entry = document.root.flatMap { root -> JSONSchema.Entry? in
            let reader = SchemaReader(document: root, dialect: dialect, formats: formats, sink: sink)
            let number = reader.number(of: root, at: "")
            return reader.finish()?.entry(number)
        }
        return (entry, sink.sorted().map(\.description))
    }

    static func verdict(
        _ schema: String, _ value: String, formats: Set<SchemaFormat> = [], dialect: SchemaReader.Dialect = .draft2020,
        side: SchemaSide? = nil
    ) throws -> SchemaVerdict {
        let (entry, messages) = read(schema, formats: formats, dialect: dialect)
        let schema = try #require(entry, "\(messages)")
        return schema.validate(try JSONDocument(parsing: Array(value.utf8)), side: side)
    }
}
