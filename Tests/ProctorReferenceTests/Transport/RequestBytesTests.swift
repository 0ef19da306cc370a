import ProctorHTTP
import ProctorLoop
import ProctorTestSupport
import Testing

@testable import ProctorReference

/// What of a request goes on the wire, byte for byte.
@Suite(.limit(minutes: 5))
struct RequestBytesTests {
    @Test func `a proxy alone is told what the caller wrote for it`() throws {
        let request = ClientRequest(
            url: try ClientURL("http://home.example.org/a"), fields: [HTTPField("PROXY-Authorization", "Basic dTpw")])
        let forms: [(RequestForm, Bool)] = [
            (.origin, false), (.tunnelled, false), (.absolute, true), (.authority, true),
        ]
        for (form, isTold) in forms {
            let head = try OutgoingHead(request, try OutgoingBody(.none), as: form)
            let text = String(decoding: head.bytes, as: UTF8.self)
            #expect(text.contains("PROXY-Authorization: Basic dTpw\r\n") == isTold, "\(form): \(text)")
        }
    }

    @Test func `what would become another line is refused before anything is sent`() async throws {
        let requests: [@Sendable (ClientRequest) -> ClientRequest] = [
            { ClientRequest(url: $0.url, fields: [HTTPField("X", "a\r\nY: b")]) },
            { ClientRequest(url: $0.url, fields: [HTTPField("X: a", "b")]) },
            { ClientRequest(url: $0.url, fields: [HTTPField("", "b")]) },
            { ClientRequest(method: "GET / HTTP/1.1\r\nX:", url: $0.url) },
            { ClientRequest(method: "", url: $0.url) },
            { ClientRequest(method: "TRACE", url: $0.url, body: .bytes([1])) },
        ]
        try await TransportBench.run { bench in
            for change in requests {
                let host = await bench.load(change(try bench.get()))
                #expect(host.summary == ["failed badURL"])
            }
            let tunnel = await bench.load(ClientRequest(method: "CONNECT", url: try bench.url()))
            #expect(tunnel.summary == ["failed unsupportedURL"])
            #expect(bench.server.connectionCount == 0)
        }
    }
}
