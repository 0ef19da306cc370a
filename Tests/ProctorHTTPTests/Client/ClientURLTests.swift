import Foundation
import ProctorHTTP
import ProctorTestSupport
import Testing

struct OriginTests {
    @Test func `brackets and capitals are no part of a host`() {
        let origin = Origin(scheme: .http, host: "[FE80::1]", port: 8080)
        #expect(origin.host == "fe80::1")
        #expect(origin.authority == "[fe80::1]:8080")
        #expect(origin.description == "http://[fe80::1]:8080")
        #expect(Origin(scheme: .https, host: "H", port: 443).description == "https://h")
        #expect(Origin(scheme: .https, host: "h", port: 80).authority == "h:80")
    }
}

struct ClientURLFuzzTests {
    @Test(arguments: 0..<8)
    func `whatever is typed or sent, a URL is legal and canonical or refused`(_ seed: UInt64) throws {
        var random = SeededGenerator(seed: seed)
        let specialBytes = bytes("http://u@h:8/.%2e\\?#[] \"\r\n\t\u{0}\u{FF}\u{C3}%zA")
        let base = try ClientURL("http://h/a/b?c#d")
        var taken = 0
        for _ in 0..<2000 {
            var input = random.next() % 2 == 0 ? bytes("http://h") : []
            for _ in 0...(random.next() % 12) {
                input.append(specialBytes[Int(random.next() % UInt64(specialBytes.count))])
            }
            for url in [try? ClientURL(input), try? base.resolving(location: input)].compactMap(\.self) {
                taken += 1
                let parsed = try URIReference(parsing: url.reference.bytes)
                #expect(parsed == url.reference)
                #expect(url.target.first == UInt8(ascii: "/"))
                #expect(url.target.allSatisfy { $0 > 0x20 && $0 < 0x7F && $0 != UInt8(ascii: "#") })
                #expect(url.hostField.isSendable)
                #expect(try ClientURL(url.text) == url)
            }
        }
        #expect(taken > 500)
    }
}

/// Compares `ClientURL` with the fixtures themselves, so that a new one is checked too.
struct CanonicalFixtureTests {
    struct Expectation: Sendable, CustomTestStringConvertible {
        let fixture: String
        let url: String
        let target: String

        var testDescription: String { "\(fixture): \(url)" }
    }

    /// These two only observe, and name what the URL Standard sends; bytes that RFC 3986 forbids are escaped here.
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
