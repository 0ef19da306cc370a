import Foundation
import ProctorHTTP
import Testing

@testable import ProctorReference

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

/// Every row of the table, its effect and that nothing is left to do after it (R52).
struct CanonicalRuleTests {
    @Test(arguments: CanonicalRule.urls.indices) func `a URL becomes what its row says, and stays so`(index: Int) throws
    {
        let rule = CanonicalRule.urls[index]
        let form = CanonicalRequest.canonical(rule.given, ownSchemes: rule.ownSchemes)
        #expect(form == rule.becomes, "\(rule.id): \(rule.reason)")
        #expect(CanonicalRequest.canonical(rule.becomes, ownSchemes: rule.ownSchemes) == rule.becomes, "\(rule.id)")
    }

    @Test(arguments: CanonicalRule.urls.indices) func `a request of Foundation's becomes the same`(index: Int) throws {
        let rule = CanonicalRule.urls[index]
        // Not all that a person types is a URL to Foundation, and it escapes some of it itself.
        guard let url = URL(string: rule.given) else { return }
        let seen = url.absoluteString
        let mended = CanonicalRequest.canonical(seen, ownSchemes: rule.ownSchemes) ?? seen
        var options = ReferenceProtocol.options
        options.ownSchemes = rule.ownSchemes
        let form = CanonicalRequest.of(URLRequest(url: url), options: options)
        #expect(form.url?.absoluteString == (seen == rule.given ? rule.becomes : mended), "\(rule.id): \(rule.reason)")
        #expect(CanonicalRequest.of(form, options: options) == form, "\(rule.id)")
    }

    @Test func `rows have names of their own, reasons and sources`() {
        let rules = CanonicalRule.urls
        #expect(Set(rules.map(\.id)).count == rules.count)
        #expect(rules.allSatisfy { !$0.reason.isEmpty && !$0.source.isEmpty })
        #expect(rules.contains { $0.isKept } && rules.contains { !$0.isKept })
    }

    @Test(arguments: CanonicalRequest.fields.indices) func `a field is put in where it is missing and nowhere else`(
        index: Int
    ) throws {
        let row = CanonicalRequest.fields[index]
        var request = URLRequest(url: try #require(URL(string: "http://example.com/")))
        request.httpMethod = "POST"
        request.httpBody = Data("a=1".utf8)
        let form = CanonicalRequest.of(request, options: .init())
        #expect(form.value(forHTTPHeaderField: row.name) == row.value(request, .init()))
        #expect(form.value(forHTTPHeaderField: row.name) != nil)
        request.setValue("own", forHTTPHeaderField: row.name.lowercased())
        let own = CanonicalRequest.of(request, options: .init())
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
            let form = CanonicalRequest.of(request, options: .init())
            #expect(form.value(forHTTPHeaderField: "Content-Type") == type, "\(method)")
        }
    }

    @Test func `what can't be read stays as it is`() throws {
        let request = URLRequest(url: try #require(URL(string: "mailto:a@example.com")))
        #expect(CanonicalRequest.of(request, options: .init()).url == request.url)
    }

    // MARK: The page

    @Test func `the page has every row`() throws {
        let page = URL(filePath: #filePath).appending(path: "../../../../Docs/reference-client.md").standardized
        let lines = try String(contentsOf: page, encoding: .utf8).split(separator: "\n").map(String.init)
        let start = try #require(lines.firstIndex(of: "| row | given | becomes | why |"))
        let rows = lines[(start + 2)...].prefix { $0.hasPrefix("|") }
        let wanted = CanonicalRule.urls.map { rule in
            "| \(rule.id) | `\(Self.escaped(rule.given))` | "
                + "\(rule.isKept ? "stays" : "`\(Self.escaped(rule.becomes))`") | \(rule.reason) (\(rule.source)) |"
        }
        #expect(Array(rows) == wanted, "\(wanted.joined(separator: "\n"))")
    }

    private static func escaped(_ text: String) -> String {
        text.replacing("\n", with: "\\n").replacing("\t", with: "\\t")
    }
}
