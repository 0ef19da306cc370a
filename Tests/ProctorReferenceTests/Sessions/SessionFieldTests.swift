import ProctorBase
import ProctorHTTP
import ProctorTestSupport
import Testing

@testable import ProctorReference

/// What a configuration adds to requests.
@Suite(.limit(minutes: 5))
struct SessionFieldTests {
    @Test func `fields of the configuration are sent where the request has none`() async throws {
        try await SessionBench.run({ _, _ in reply(200, "page") }) { bench in
            var configuration = ReferenceConfiguration()
            configuration.additionalFields = [HTTPField("X-Mine", "1"), HTTPField("Accept", "text/plain")]
            let session = try ReferenceSession(configuration: configuration)
            _ = try await session.data(for: try bench.request("/page", fields: [HTTPField("x-mine", "2")]))
            session.invalidateAndCancel()
            let request = try #require(bench.asked.withLock { $0.first })
            #expect(request.field("Accept") == "text/plain")
            #expect(request.field("x-mine") == "2")
            #expect(request.field("X-Mine") == nil)
            #expect(request.field("Accept-Language") == "en")
        }
    }
}
