import Foundation
import ProctorHTTP
import Testing

@testable import ProctorReference

struct ReferencePageTests {
    private let page: String

    init() throws {
        page = try text("../../../../Docs/clients/reference.md")
    }

    @Test func `the example of a session is one that runs`() throws {
        let fence = try #require(page.range(of: "```swift\nimport ProctorHTTP\n"))
        let end = try #require(page.range(of: "\n```", range: fence.upperBound..<page.endIndex))
        let example = page[fence.upperBound..<end.lowerBound].split(separator: "\n").filter { !$0.hasPrefix("import ") }
        let lines = try text("../../Sessions/SessionShapeTests.swift").split(separator: "\n").map {
            $0.trimmingCharacters(in: .whitespaces)
        }
        // The test has a server of its own, on a port of its own.
        let shown = example.map {
            String($0).replacing("http://127.0.0.1:8088/plain/get/hello", with: "http://127.0.0.1:\\(port)/hello")
        }
        let starts = lines.indices.filter { lines[$0...].starts(with: shown) }
        #expect(starts.count == 1, "these lines stand nowhere in SessionShapeTests: \(shown)")
    }
}

private func text(_ path: String) throws -> String {
    try String(contentsOf: URL(filePath: #filePath).appending(path: path).standardized, encoding: .utf8)
}
