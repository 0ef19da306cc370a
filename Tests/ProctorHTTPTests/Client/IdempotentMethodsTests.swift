import ProctorHTTP
import Testing

struct IdempotentMethodsTests {
    /// RFC 9110 §9.2 and the registry of §16.1; what is not registered promises nothing.
    @Test(arguments: [
        ("GET", true, true, false), ("HEAD", true, true, false), ("OPTIONS", true, true, false),
        ("TRACE", true, true, false), ("PUT", false, true, true), ("DELETE", false, true, false),
        ("POST", false, false, true), ("PATCH", false, false, true), ("CONNECT", false, false, false),
        ("get", false, false, false), ("X", false, false, false), ("", false, false, false),
    ])
    func `methods promise what the RFC says`(
        _ method: String, _ isSafe: Bool, _ isIdempotent: Bool, _ expectsContent: Bool
    ) {
        #expect(IdempotentMethods.isSafe(method) == isSafe)
        #expect(IdempotentMethods.isIdempotent(method) == isIdempotent)
        #expect(IdempotentMethods.expectsContent(method) == expectsContent)
    }
}
