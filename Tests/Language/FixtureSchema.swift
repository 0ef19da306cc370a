internal import ProctorDocument

/// The JSON Schema of fixtures, made of the data of the language and of the forms of its readers.
package enum FixtureSchema {
    /// The content of fixtures/scenario.schema.json.
    package static var text: String {
        let head: Schema = [
            "$schema": "http://json-schema.org/draft-07/schema#",
            "$id": "https://proctor.invalid/scenario.schema.json",
            "title": "Proctor scenario",
            "description": """
            One fixture file: what a server sends, what a client is told to do, and what must be seen. \
            The pages in Docs/format explain it by example.
            """,
        ]
        let definitions = (LanguageData.sections["definitions"] ?? []).map {
            (key: $0.key, value: SchemaMaker.schema($0.value))
        }
        return head.adding(SchemaMaker.mapping("Keys")).adding(["definitions": .object(definitions)]).text() + "\n"
    }
}
