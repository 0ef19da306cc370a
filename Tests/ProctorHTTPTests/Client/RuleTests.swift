import ProctorHTTP
import Testing

struct RedirectRulesTests {
    @Test func `five statuses are redirects`() {
        #expect((0...999).filter { RedirectRules.isRedirect(status: $0) } == [301, 302, 303, 307, 308])
        #expect(RedirectRules.limit == 20)
    }
}

/// RFC 9110 §13.1 and §13.2.
struct PreconditionsTests {
    @Test func `a request with a condition of its own is known`() {
        #expect(Preconditions.areAny(in: [HTTPField("if-none-match", "*")]))
        #expect(!Preconditions.areAny(in: [HTTPField("Range", "bytes=0-")]))
    }
}
