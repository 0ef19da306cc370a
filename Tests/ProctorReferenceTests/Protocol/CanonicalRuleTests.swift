import Foundation
import ProctorHTTP
import Testing

@testable import ProctorReference

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

/// One thing that the canonical form of a URL puts right, or leaves as it is: a row of Docs/inside/canonical.md (R52).
struct CanonicalRule: Sendable, CustomTestStringConvertible {
    let id: String
    /// As a person may spell it.
    let given: String
    /// In canonical form; the same as given where it stays.
    let becomes: String
    let reason: String

    var testDescription: String { id }

    /// Schemes by which the row's URL calls `http`.
    var ownSchemes: Set<String> { id == "own-scheme" ? ["lab"] : [] }

    private init?(_ line: Substring) {
        let cells = line.dropFirst(2).dropLast(2).components(separatedBy: " | ")
        guard cells.count == 4, let url = Self.url(cells[1]) else { return nil }
        (id, given, reason) = (cells[0], url, cells[3])
        becomes = Self.url(cells[2]) ?? url
    }

    /// nil for what is no URL between backticks.
    private static func url(_ cell: String) -> String? {
        guard cell.hasPrefix("`"), cell.hasSuffix("`") else { return nil }
        return String(cell.dropFirst().dropLast()).replacing("\\n", with: "\n").replacing("\\t", with: "\t")
    }

    static let all: [CanonicalRule] = {
        let page = URL(filePath: #filePath).appending(path: "../../../../Docs/inside/canonical.md").standardized
        let lines = ((try? String(contentsOf: page, encoding: .utf8)) ?? "").split(separator: "\n")
        guard let start = lines.firstIndex(of: "| row | given | becomes | why |") else { return [] }
        return lines[(start + 2)...].prefix { $0.hasPrefix("|") }.map { line in
            guard let rule = CanonicalRule(line) else { preconditionFailure("no row: \(line)") }
            return rule
        }
    }()
}

/// Every row of the table, its effect and that nothing is left to do after it (R52).
struct CanonicalRuleTests {
    @Test(arguments: CanonicalRule.all) func `a URL becomes what its row says, and stays so`(rule: CanonicalRule) {
        let form = CanonicalRequest.canonical(rule.given, ownSchemes: rule.ownSchemes)
        #expect(form == rule.becomes, "\(rule.id): \(rule.reason)")
        #expect(CanonicalRequest.canonical(rule.becomes, ownSchemes: rule.ownSchemes) == rule.becomes, "\(rule.id)")
    }

    @Test(arguments: CanonicalRule.all) func `a request of Foundation's becomes the same`(rule: CanonicalRule) {
        // Not all that a person types is a URL to Foundation, and it escapes some of it itself.
        guard let url = URL(string: rule.given) else { return }
        let seen = url.absoluteString
        let mended = CanonicalRequest.canonical(seen, ownSchemes: rule.ownSchemes) ?? seen
        var options = ReferenceProtocol.options
        options.ownSchemes = rule.ownSchemes
        let form = CanonicalRequest.canonicalize(URLRequest(url: url), options: options)
        #expect(form.url?.absoluteString == (seen == rule.given ? rule.becomes : mended), "\(rule.id): \(rule.reason)")
        #expect(CanonicalRequest.canonicalize(form, options: options) == form, "\(rule.id)")
    }

    @Test func `rows have names of their own, reasons and sources`() {
        let rules = CanonicalRule.all
        #expect(rules.count > 30)
        #expect(Set(rules.map(\.id)).count == rules.count)
        #expect(rules.allSatisfy { $0.reason.hasSuffix(")") })
        #expect(rules.contains { $0.given == $0.becomes } && rules.contains { $0.given != $0.becomes })
    }

    @Test(arguments: CanonicalRequest.fields.indices) func `a field is put in where it is missing and nowhere else`(
        index: Int
    ) throws {
        let row = CanonicalRequest.fields[index]
        var request = URLRequest(url: try #require(URL(string: "http://example.com/")))
        request.httpMethod = "POST"
        request.httpBody = Data("a=1".utf8)
        let form = CanonicalRequest.canonicalize(request, options: .init())
        #expect(form.value(forHTTPHeaderField: row.name) == row.value(request, .init()))
        #expect(form.value(forHTTPHeaderField: row.name) != nil)
        request.setValue("own", forHTTPHeaderField: row.name.lowercased())
        let own = CanonicalRequest.canonicalize(request, options: .init())
        #expect(own.value(forHTTPHeaderField: row.name) == "own", "\(row.reason)")
        #expect(own.httpMethod == "POST" && own.httpBody == request.httpBody)
    }

    @Test func `what is a form by default is a POST with a body`() throws {
        var request = URLRequest(url: try #require(URL(string: "http://example.com/")))
        for (method, body, type) in [
            ("POST", "a", "application/x-www-form-urlencoded"), ("POST", nil, nil), ("PUT", "a", nil),
            ("GET", nil, nil),
        ] as [(String, String?, String?)] {
            request.httpMethod = method
            request.httpBody = body.map { Data($0.utf8) }
            let form = CanonicalRequest.canonicalize(request, options: .init())
            #expect(form.value(forHTTPHeaderField: "Content-Type") == type, "\(method)")
        }
    }

    @Test func `what can't be read stays as it is`() throws {
        let request = URLRequest(url: try #require(URL(string: "mailto:a@example.com")))
        #expect(CanonicalRequest.canonicalize(request, options: .init()).url == request.url)
    }
}
