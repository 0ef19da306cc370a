import Testing

@testable import ProctorOpenAPI

@Suite struct PathTemplateTests {
    struct Row: Sendable, CustomTestStringConvertible {
        let template: String
        let path: String
        let values: [String: String]?

        init(_ template: String, _ path: String, _ values: [String: String]?) {
            (self.template, self.path, self.values) = (template, path, values)
        }

        var testDescription: String { "\(template) \(path)" }
    }

    static let rows = [
        Row("/orders", "/orders", [:]), Row("/orders", "/orders/", nil), Row("/orders", "/order", nil),
        Row("/", "/", [:]), Row("/", "/a", nil),
        Row("/orders/{id}", "/orders/7", ["id": "7"]), Row("/orders/{id}", "/orders/", nil),
        Row("/orders/{id}", "/orders/7/lines", nil), Row("/orders/{id}/lines", "/orders/a%2Fb/lines", ["id": "a%2Fb"]),
        Row("/files/{name}.{kind}", "/files/a.b.txt", ["name": "a", "kind": "b.txt"]),
        Row("/files/{name}.json", "/files/a.json.json", ["name": "a.json"]),
        Row("/files/{name}.json", "/files/.json", nil),
        Row("/{a}-{b}", "/x-y-z", ["a": "x", "b": "y-z"]),
    ]

    @Test(arguments: rows) func `a path is taken apart by its template`(_ row: Row) throws {
        let template = try #require(PathTemplate(row.template))
        let values = template.match(Array(row.path.utf8)[...])
        #expect(values?.mapValues { String(decoding: $0, as: UTF8.self) } == row.values)
    }

    @Test(arguments: ["/{a", "/a}", "/{a}{b}", "/}{"]) func `braces without a partner are no template`(_ text: String) {
        #expect(PathTemplate(text) == nil)
    }
}
