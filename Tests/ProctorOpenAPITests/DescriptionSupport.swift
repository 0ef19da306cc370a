import ProctorBase
import ProctorDocument
import ProctorSchema
import Testing

@testable import ProctorOpenAPI

/// A description, and what it says of messages.
enum DescriptionText {
    static func read(_ text: String, base: String? = nil) -> (description: APIDescription?, messages: [String]) {
        let document = Document.parse(Array(text.utf8), file: "api.yaml")
        let sink = DiagnosticSink()
        for diagnostic in document.diagnostics { sink.add(diagnostic) }
        let description = document.root.flatMap {
            APIDescription.read($0, file: "api.yaml", base: base, formats: [.uuid], sink: sink)
        }
        return (description, sink.sorted().map(\.description))
    }

    static func message(_ fields: [(String, String)], _ content: String?) -> DescribedMessage {
        DescribedMessage(
            fields: fields.map { ($0.0.lowercased(), Array($0.1.utf8)) },
            content: content.map { .whole(Array($0.utf8)) } ?? .none)
    }

    static let orders = """
        openapi: 3.1.0
        info: { title: Orders, version: "1" }
        servers: [{ url: "https://example.test/{stage}/", variables: { stage: { default: v1 } } }]
        security: [{ token: [] }]
        paths:
          /orders:
            get:
              security: []
              parameters:
                - { name: page, in: query, schema: { type: integer, minimum: 1 } }
                - { name: tag, in: query, schema: { type: array, items: { type: string, maxLength: 3 } } }
                - { name: ids, in: query, explode: false, schema: { type: array, items: { type: integer } } }
                - { name: pipes, in: query, style: pipeDelimited, explode: false, schema: { type: array, items: { type: integer } } }
                - { name: filter, in: query, style: deepObject, explode: true, schema: { $ref: "#/components/schemas/Filter" } }
                - { name: where, in: query, content: { application/json: { schema: { type: object, required: [a] } } } }
                - { name: X-Trace, in: header, required: true, schema: { type: string, format: uuid } }
                - { name: X-List, in: header, schema: { type: array, items: { type: integer } } }
                - { name: session, in: cookie, schema: { type: string, minLength: 2 } }
              responses:
                "200":
                  headers: { X-Total: { required: true, schema: { type: integer } } }
                  content: { application/json: { schema: { type: array, items: { $ref: "#/components/schemas/Order" } } } }
                4XX: { $ref: "#/components/responses/Problem" }
            post:
              requestBody:
                required: true
                content:
                  application/json: { schema: { $ref: "#/components/schemas/Order" } }
                  application/x-www-form-urlencoded: { schema: { $ref: "#/components/schemas/Order" } }
                  multipart/form-data: { schema: { $ref: "#/components/schemas/Order" } }
                  text/*: { schema: { type: string, maxLength: 3 } }
              responses: { "201": { description: made }, default: { $ref: "#/components/responses/Problem" } }
          /orders/mine: { get: { responses: { "204": { description: none } } } }
          /orders/{id}:
            parameters: [{ name: id, in: path, required: true, schema: { type: integer } }]
            get:
              security: [{ key: [] }, { token: [], basic: [] }]
              responses: { "200": { description: ok } }
          /points/{p}:
            get:
              security: []
              parameters: [{ name: p, in: path, required: true, schema: { type: object, properties: { x: { type: integer } }, required: [x] } }]
              responses: { "200": { description: ok } }
        components:
          schemas:
            Filter: { type: object, properties: { min: { type: integer } }, additionalProperties: false }
            Order:
              type: object
              required: [count]
              properties:
                count: { type: integer }
                tags: { type: array, items: { type: string } }
          responses:
            Problem: { description: wrong, content: { application/problem+json: { schema: { type: object } } } }
          securitySchemes:
            token: { type: http, scheme: bearer }
            basic: { type: http, scheme: basic }
            key: { type: apiKey, in: query, name: api_key }
        """
}
