import Foundation
import ProctorHTTP
import Testing

/// Holds `ClientURL` against the fixtures themselves, so that a new one is asked too.
struct CanonicalFixtureTests {
    struct Expectation: Sendable, CustomTestStringConvertible {
        let fixture: String
        let url: String
        let target: String

        var testDescription: String { "\(fixture): \(url)" }
    }

    /// These two watch, and name what the URL Standard sends; what RFC 3986 forbids is escaped here instead.
    private static let watched = ["percent-that-escapes-nothing", "query-with-brackets-and-bars"]

    private static let folder = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
        .deletingLastPathComponent().deletingLastPathComponent().appending(path: "fixtures/canonical")

    /// The first target of every case, whose URL stands on the `client:` line before.
    static let expectations: [Expectation] = {
        let files = (try? FileManager.default.contentsOfDirectory(at: folder, includingPropertiesForKeys: nil)) ?? []
        return files.filter { $0.pathExtension == "yaml" }.flatMap { file -> [Expectation] in
            let name = file.deletingPathExtension().lastPathComponent
            var url: String?
            var found: [Expectation] = []
            for line in ((try? String(contentsOf: file, encoding: .utf8)) ?? "").split(separator: "\n") {
                if let range = line.range(of: "client: { url: "), line.hasSuffix(" }") {
                    url = unquoted(line[range.upperBound...].dropLast(2))
                } else if let range = line.range(of: "wire[0].target: "), let url, !watched.contains(name) {
                    let target = unquoted(line[range.upperBound...])
                    found.append(Expectation(fixture: name, url: absolute(url), target: target))
                }
            }
            return found
        }
    }()

    private static func unquoted(_ text: Substring) -> String {
        guard let quote = text.first, quote == "\"" || quote == "'", text.last == quote else { return String(text) }
        return String(text.dropFirst().dropLast())
    }

    private static func absolute(_ url: String) -> String {
        let filled = url.replacingOccurrences(of: "{{base}}", with: "http://h:1")
            .replacingOccurrences(of: "{{authority}}", with: "h:1")
        return filled.isEmpty || filled.hasPrefix("/") ? "http://h:1" + filled : filled
    }

    @Test func `the fixtures are found`() {
        #expect(Self.expectations.count >= 40)
        #expect(Self.watched.allSatisfy { FileManager.default.fileExists(atPath: Self.folder.path + "/\($0).yaml") })
    }

    @Test(arguments: expectations)
    func `what a fixture wants on the wire is what a URL gives`(_ expected: Expectation) throws {
        let url = try ClientURL(expected.url)
        #expect(text(url.target) == expected.target)
        let isNamed = expected.url.lowercased().contains("home.example.org")
        #expect(isNamed ? url.hostField.value.hasPrefix("home.example.org") : url.hostField.value == "h:1")
    }
}
