/// The keys of descriptions in OpenAPI 3.0 and 3.1; those that begin with `x-` are extensions (§4.9).
enum OpenAPIKeys {
    static let root = SourceKeys(
        "openapi info servers paths components security",
        ignored: [
            "tags externalDocs": "they are for people", "jsonSchemaDialect": "schemas are read as the version says",
            "webhooks": "a server sends those requests",
        ], extensions: "x-")
    static let path = SourceKeys(
        "get put post delete options head patch trace parameters $ref",
        ignored: ["summary description": "they are for people"], extensions: "x-")
    static let operation = SourceKeys(
        "parameters responses",
        ignored: [
            "tags summary description externalDocs operationId deprecated": "they are for people",
            "requestBody": "any content is taken", "callbacks": "a server sends those requests",
            "security": "guards ask for credentials",
        ], extensions: "x-")
    static let response = SourceKeys(
        "headers content $ref",
        ignored: ["description summary": "they are for people", "links": "a client follows them"],
        extensions: "x-")
    static let media = SourceKeys(
        "schema example examples", ignored: ["encoding": "it is about parts of a form"], extensions: "x-")
}
