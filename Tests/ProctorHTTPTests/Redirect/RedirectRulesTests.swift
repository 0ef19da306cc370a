import ProctorHTTP
import Testing

struct RedirectRulesTests {
    @Test func `five statuses are redirects`() {
        #expect((0...999).filter { RedirectRules.isRedirect(status: $0) } == [301, 302, 303, 307, 308])
        #expect(RedirectRules.limit == 20)
    }

    struct Row: Sendable, CustomTestStringConvertible {
        let status: Int
        let method: String
        let next: String
        let keepsContent: Bool

        init(_ status: Int, _ method: String, _ next: String, keepsContent: Bool) {
            self.status = status
            self.method = method
            self.next = next
            self.keepsContent = keepsContent
        }

        var testDescription: String { "\(status) makes \(next) of \(method)" }
    }

    /// One for each case of fixtures/redirect that is about the method.
    static let rows: [Row] = [
        Row(301, "GET", "GET", keepsContent: true), Row(301, "HEAD", "HEAD", keepsContent: true),
        Row(301, "POST", "GET", keepsContent: false), Row(301, "PUT", "PUT", keepsContent: true),
        Row(302, "DELETE", "DELETE", keepsContent: true), Row(302, "GET", "GET", keepsContent: true),
        Row(302, "HEAD", "HEAD", keepsContent: true), Row(302, "POST", "GET", keepsContent: false),
        Row(302, "PUT", "PUT", keepsContent: true), Row(302, "post", "post", keepsContent: true),
        Row(303, "DELETE", "GET", keepsContent: false), Row(303, "GET", "GET", keepsContent: false),
        Row(303, "HEAD", "HEAD", keepsContent: false), Row(303, "POST", "GET", keepsContent: false),
        Row(303, "PUT", "GET", keepsContent: false), Row(303, "head", "GET", keepsContent: false),
        Row(307, "GET", "GET", keepsContent: true), Row(307, "HEAD", "HEAD", keepsContent: true),
        Row(307, "POST", "POST", keepsContent: true), Row(307, "PUT", "PUT", keepsContent: true),
        Row(308, "GET", "GET", keepsContent: true), Row(308, "HEAD", "HEAD", keepsContent: true),
        Row(308, "POST", "POST", keepsContent: true), Row(308, "PUT", "PUT", keepsContent: true),
    ]

    @Test(arguments: rows)
    func `a status decides on method and content`(_ row: Row) {
        let next = RedirectRules.next(method: row.method, status: row.status)
        #expect(next.method == row.next)
        #expect(next.keepsContent == row.keepsContent)
    }
}
