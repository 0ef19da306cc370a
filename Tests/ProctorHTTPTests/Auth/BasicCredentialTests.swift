import ProctorHTTP
import Testing

struct BasicCredentialTests {
    /// The first two are RFC 7617's own (§2 and §2.1).
    @Test(arguments: [
        ("Aladdin", "open sesame", "Basic QWxhZGRpbjpvcGVuIHNlc2FtZQ=="),
        ("test", "123\u{A3}", "Basic dGVzdDoxMjPCow=="),
        ("user", "pass", "Basic dXNlcjpwYXNz"), ("", "", "Basic Og=="), ("a", "b:c", "Basic YTpiOmM="),
    ])
    func `user and password are one base64 text`(_ user: String, _ password: String, _ value: String) throws {
        #expect(try BasicCredential(user: user, password: password).fieldValue == value)
    }

    @Test(arguments: [
        ("a:b", "c", BasicCredential.Refusal.colonInUser), ("a\n", "b", .control), ("a", "b\u{0}", .control),
        ("a", "\u{7F}", .control),
    ])
    func `what the server would read otherwise is refused`(
        _ user: String, _ password: String, _ refusal: BasicCredential.Refusal
    ) {
        #expect(throws: refusal) { try BasicCredential(user: user, password: password) }
        #expect(refusal.description.contains("RFC 7617"))
    }
}
