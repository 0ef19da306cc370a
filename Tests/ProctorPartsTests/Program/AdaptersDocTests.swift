import Foundation
import ProctorEvents
import ProctorProgram
import Testing

/// What the pages on adapters say of TLS and of abilities against the code.
struct AdaptersDocTests {
    /// Of the page on abilities, or of `Docs/clients/NAME.md`.
    private static func path(_ name: String = "abilities") -> URL {
        URL(filePath: #filePath).appending(path: "../../../../Docs/clients/\(name).md").standardized
    }

    private static func text(_ name: String = "abilities") throws -> String {
        try String(contentsOf: path(name), encoding: .utf8)
    }

    @Test func `the errors of TLS have the names and codes of the table`() throws {
        let rows = try Self.text("trace").matches(of: /\n\| `([A-Za-z]+)` \| (-12[0-9]{2}) \|/)
        #expect(rows.count == 7)
        for row in rows {
            let code = try #require(Int(row.2))
            #expect(URLErrorName.name(domain: "NSURLErrorDomain", code: code) == String(row.1))
        }
    }

    /// `PROCTOR_RECORD=abilities make test ARGS="--filter AdaptersDocTests"` writes the page anew.
    @Test func `the page on abilities is written from the table`() throws {
        let text = try Self.text()
        let start = try #require(text.range(of: "\n| `"), "the page has no table")
        let except = /counts as having all abilities except [^.]*?, which must be declared/
        let alone = Ability.allCases.filter(\.row.isDeclaredAlone).map { "`\($0.rawValue)`" }
        let list = "\(alone.dropLast().joined(separator: ", ")) and \(alone[alone.count - 1])"
        let rows = Ability.allCases.map { ability in
            let control = ability.row.control.map { "`\($0)`" } ?? "–"
            return "| `\(ability.rawValue)` | \(ability.row.client) | \(ability.row.neededBy) | \(control) |\n"
        }
        let wanted =
            text[..<start.lowerBound].replacing(except) { _ in
                "counts as having all abilities except \(list), which must be declared"
            } + "\n" + rows.joined()
        if ProcessInfo.processInfo.environment["PROCTOR_RECORD"] == "abilities" {
            try String(wanted).write(to: Self.path(), atomically: true, encoding: .utf8)
        }
        #expect(try Self.text() == wanted, "record the page again")
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
