import ProctorHTTP
import ProctorScenario
import Testing

/// `cookies:` of a case as a mapping.
struct CookieDemandReadingTests {
    @Test func `a demand on cookies pins an edition and says what the order weighs`() throws {
        let rows: [(String, Case.CookieDemand)] = [
            ("conforming: any", Case.CookieDemand()), ("conforming: rfc6265", Case.CookieDemand(edition: .rfc6265)),
            ("conforming: rfc6265bis", Case.CookieDemand(edition: .rfc6265bis)),
            ("conforming: any, order: required", Case.CookieDemand(order: .required)),
            ("order: recommended, conforming: any", .conforming),
            ("conforming: any, order: any", .conformingInAnyOrder),
            ("conforming: rfc6265bis, order: any", Case.CookieDemand(edition: .rfc6265bis, order: .any)),
        ]
        for (text, demand) in rows {
            let cases = try load(
                """
                summary: s
                exchanges: [{ request: GET /a, reply: { status: 200 } }]
                cases: { a: { client: { url: /a }, cookies: { \(text) } } }
                """
            ).cases
            #expect(cases.map(\.cookies) == [demand], "\(text)")
        }
    }
}
