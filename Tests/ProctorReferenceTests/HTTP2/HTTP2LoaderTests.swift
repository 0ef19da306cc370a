import ProctorBase
import ProctorHTTP
import Testing

@testable import ProctorReference

/// What a load repeats over HTTP/2 (RFC 9113 §8.7, RFC 9110 §15.5.20).
struct HTTP2LoaderTests {
    private static let url = "https://home.example.org/a"
    private static let failure = TransferFailure(LoadError(.connectionLost, "refused"), isUnprocessed: true)

    private static func head(_ status: Int) -> ReplyHead {
        ReplyHead(status: status, fields: [], contentLength: nil, hasNoContent: false)
    }

    private static func loader(_ method: String = "POST", _ body: RequestBody = .bytes([1])) throws -> Loader {
        var loader = Loader(ClientRequest(method: method, url: try ClientURL(url), body: body))
        _ = loader.handle(.start)
        return loader
    }

    @Test func `what was not processed is repeated whatever its method, three times`() throws {
        var loader = try Self.loader()
        for _ in 0..<3 {
            #expect(loader.handle(.failed(Self.failure)).map(LoaderScript.text) == ["send POST /a with body"])
        }
        #expect(loader.handle(.failed(Self.failure)).map(LoaderScript.text).last == "complete(connectionLost)")
    }

    @Test func `a stream that was read from is asked for again`() throws {
        var loader = try Self.loader("POST", .stream(BodyStream([1])))
        #expect(loader.handle(.failed(Self.failure)).map(LoaderScript.text) == ["needBodyStream"])
    }

    @Test func `one that was not sent keeps its stream`() throws {
        var loader = try Self.loader("POST", .stream(BodyStream([1])))
        var failure = Self.failure
        failure.isUnsent = true
        #expect(loader.handle(.failed(failure)).map(LoaderScript.text) == ["send POST /a with body"])
    }

    @Test func `a 421 is asked again once, and then delivered`() throws {
        var loader = try Self.loader()
        #expect(loader.handle(.head(Self.head(421))).map(LoaderScript.text) == ["drain"])
        #expect(loader.handle(.drained).map(LoaderScript.text) == ["send POST /a with body"])
        #expect(loader.handle(.head(Self.head(421))).map(LoaderScript.text) == ["response(421)"])
    }

    @Test func `a 421 of HTTP 1 is delivered`() throws {
        var loader = try Self.loader()
        let head = try #require(LoaderScript.head("HTTP/1.1 421 No\r\n\r\n"))
        #expect(loader.handle(.head(head)).map(LoaderScript.text) == ["response(421)"])
    }
}
