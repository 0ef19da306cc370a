import Foundation
import Testing

@testable import ProctorReference

/// Docs/reference-client.md and the code say the same.
struct LoaderDiagramTests {
    private let page: String

    init() throws {
        page = try text("../../../../Docs/reference-client.md")
    }

    @Test func `the diagram of the page is the one that the table gives`() throws {
        let fence = try #require(page.range(of: "```mermaid\n"))
        let end = try #require(page.range(of: "\n```", range: fence.upperBound..<page.endIndex))
        let diagram = String(page[fence.upperBound..<end.lowerBound])
        #expect(diagram == LoaderTransitions.diagram, "paste this: \n\(LoaderTransitions.diagram)")
    }

    @Test func `the example of a session is one that runs`() throws {
        let fence = try #require(page.range(of: "```swift\nimport ProctorHTTP\n"))
        let end = try #require(page.range(of: "\n```", range: fence.upperBound..<page.endIndex))
        let example = page[fence.upperBound..<end.lowerBound].split(separator: "\n").filter { !$0.hasPrefix("import ") }
        let lines = try text("../../Sessions/SessionExampleTests.swift").split(separator: "\n").map {
            $0.trimmingCharacters(in: .whitespaces)
        }
        let start = try #require(lines.firstIndex(of: String(example[0])))
        for (offset, line) in example.enumerated() {
            // The test has a server of its own, on a port of its own.
            let shown = line.replacing("http://127.0.0.1:8088/plain/get/hello", with: "http://127.0.0.1:\\(port)/hello")
            #expect(lines[start + offset] == shown)
        }
    }
}

/// A file, seen from this one.
private func text(_ path: String) throws -> String {
    try String(contentsOf: URL(filePath: #filePath).appending(path: path).standardized, encoding: .utf8)
}
