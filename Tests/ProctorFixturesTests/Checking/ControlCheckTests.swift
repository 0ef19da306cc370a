import ProctorTestSupport
import Testing

@testable import ProctorFixtures
@testable import ProctorScenario

/// A must that says of cookies only what does not come needs a load that shows that the jar still works.
struct ControlCheckTests {
    private func diagnostics(_ keys: [String]) throws -> [String] {
        let text = """
            summary: s
            origins: { main: { host: home.example.org } }
            exchanges: [{ request: GET /*, reply: { status: 200, headers: { Set-Cookie: a=1; Max-Age=0 } } }]
            cases:
              c:

            """ + keys.map { "    \($0)\n" }.joined()
        return ControlCheck.diagnostics(of: try load(text)).map(\.shortText)
    }

    private static let two = "client: [{ url: /a }, { url: /b }]"
    private static let none = "facts: { \"wire[1].headers.Cookie\": null }"
    private static let refusal =
        " the must \"c\" says of cookies only that none comes, up to its last request; "
        + "let two loads follow, of which the first is given an ordinary cookie and the second must send it"

    @Test(arguments: [
        [two, none, "needs: [cookie-jar]"], [two, none, "cookies: conforming"],
        [two, "facts: { \"wire[1].cookies\": null }", "needs: [cookie-jar]"],
        ["client: { url: /a }", "wire: request(GET /a) request(GET /b)", none, "needs: [cookie-jar]"],
    ])
    func `a must whose last request has no cookie is refused`(keys: [String]) throws {
        let found = try diagnostics(keys)
        #expect(found.count == 1)
        #expect(found.first?.hasSuffix(Self.refusal) == true, "\(found)")
    }

    @Test(arguments: [
        // A load follows, or another cookie may come.
        ["client: [{ url: /a }, { url: /b }, { url: /c }, { url: /c }]", none, "needs: [cookie-jar]"],
        [two, "facts: { \"wire[1].cookies.a\": null }", "needs: [cookie-jar]"],
        // A cookie comes before.
        [two, "facts: { \"wire[0].cookies.b\": \"2\", \"wire[1].headers.Cookie\": null }", "needs: [cookie-jar]"],
        // Nothing is asked of a jar, or nothing must be.
        [two, none], [two, none, "needs: [cookie-jar]", "kind: observes"],
        ["client: [{ url: /a, session: { cookies: never } }, { url: /b }]", none, "cookies: conforming"],
    ])
    func `a must that a jar without cookies may fail is right`(keys: [String]) throws {
        #expect(try diagnostics(keys) == [])
    }
}
