import ProctorHTTP
import ProctorLoop
import ProctorReference
import Testing

/// What Docs/reference-client.md shows, line by line; `LoaderDiagramTests` compares the two.
struct SessionExampleTests {
    @Test func `the example of the page`() async throws {
        try await SessionBench.run({ _, _ in reply(200, "hello") }) { bench in
            let port = try #require(bench.address.port)
            let session = try ReferenceSession()
            let url = try ClientURL("http://127.0.0.1:\(port)/hello")
            let (content, response) = try await session.data(for: ClientRequest(url: url))
            session.finishTasksAndInvalidate()
            await session.ended()
            #expect(response.status == 200)
            #expect(content == Array("hello".utf8))
        }
    }
}
