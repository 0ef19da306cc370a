import ProctorScenario
import ProctorServer
import ProctorTLS
import ProctorTestSupport
import Testing

/// What can't be served is told before anything is opened.
@Suite(.timeLimit(.minutes(5)))
struct SecurityRefusalTests {
    private func refusal(_ tls: String, configure: (inout ServerConfiguration) -> Void = { _ in }) async throws
        -> SecurityRefusal?
    {
        let item = try scenario(
            """
            summary: can't be served
            origins:
              main: { scheme: https, \(tls) }
            exchanges:
              - request: "GET /"
                reply: { status: 200 }
            """)
        return try await withServer([item], configure: configure) { server in
            do {
                _ = try await server.run(item.id)
                return nil
            } catch let refusal as SecurityRefusal {
                return refusal
            }
        }
    }

    @Test func `a certificate that nobody described`() async throws {
        let refusal = try await refusal("certificate: expird")
        #expect(refusal?.reason == .unknownName)
        #expect(refusal?.description.contains("did you mean 'expired'?") == true, "\(String(describing: refusal))")
    }

    @Test func `a cipher that OpenSSL has no more`() async throws {
        let refusal = try await refusal("tls: { versions: \"1.2\", ciphers: RC4-MD5 }")
        #expect(refusal?.reason == .notOffered, "\(String(describing: refusal))")
    }

    @Test func `an authority whose folder can't be had, while plain HTTP goes on`() async throws {
        let refusal = try await refusal("certificate: valid") {
            $0.authority = .folder("/nonexistent/proctor/ca")
        }
        #expect(refusal?.reason == .authority, "\(String(describing: refusal))")
    }
}
