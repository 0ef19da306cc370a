import Foundation
import ProctorEvents
import ProctorProgram
import Testing

/// What the pages on adapters say of TLS and of abilities against the code.
struct AdaptersDocTests {
    /// Of the page on abilities, or of `Docs/clients/NAME.md`.
    private static func text(_ name: String = "abilities") throws -> String {
        let root = URL(fileURLWithPath: #filePath)
            .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()
            .deletingLastPathComponent()
        return try String(contentsOf: root.appendingPathComponent("Docs/clients/\(name).md"), encoding: .utf8)
    }

    @Test func `the errors of TLS have the names and codes of the table`() throws {
        let rows = try Self.text("trace").matches(of: /\n\| `([A-Za-z]+)` \| (-12[0-9]{2}) \|/)
        #expect(rows.count == 7)
        for row in rows {
            let code = try #require(Int(row.2))
            #expect(URLErrorName.name(domain: "NSURLErrorDomain", code: code) == String(row.1))
        }
    }

    @Test func `the page has every ability, and so has the client that looks at nothing`() throws {
        let text = try Self.text()
        let abilities = Ability.allCases.map(\.rawValue)
        // Some rows are of several words.
        let rows = text.split(separator: "\n").filter { $0.hasPrefix("| `") }
        let named = Set(
            rows.flatMap { row in row.split(separator: "|")[0].matches(of: /`([^`]+)`/).map { String($0.1) } })
        for word in abilities { #expect(named.contains(word), "\(word)") }
        let root = URL(fileURLWithPath: #filePath)
            .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()
            .deletingLastPathComponent()
        let script = try String(
            contentsOf: root.appendingPathComponent("Tests/Clients/null_client.py"), encoding: .utf8)
        let list = try #require(script.firstMatch(of: /\nABILITIES = frozenset\("""([^"]*)"""/)).1
        #expect(list.split(whereSeparator: \.isWhitespace).map(String.init).sorted() == abilities.sorted())
    }

    @Test func `the page knows the keys of an identity`() throws {
        let identity = Assignment.Identity(name: "a", certificate: "b", key: "c", pkcs12: "d", passphrase: "e")
        let object = try JSONSerialization.jsonObject(with: JSONEncoder().encode(identity))
        let keys = try #require(object as? [String: String]).keys
        let text = try Self.text("assignment")
        for key in keys { #expect(text.contains("\"\(key)\""), "\(key)") }
        for word in ["trust", "identity"] { #expect(text.contains("\n| `\(word)` | "), "\(word)") }
    }
}
