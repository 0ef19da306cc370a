import ProctorHTTP
import Testing

/// The strict grammars of RFC 6265 §4.1.1 and §4.2.1; `▸` marks the byte of each violation.
struct CookieGrammarTests {
    @Test func `no more than 64 departures of a field are told`() {
        let field = bytes(String(repeating: ";", count: 100_000))
        #expect(SetCookie.violations(of: field).count == 64)
        #expect(CookieField.violations(of: field).count == 64)
    }
}
