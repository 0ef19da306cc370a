import ProctorHTTP
import Testing

struct ForbiddenTrailerTests {
    static let both = [
        "TE", "Host", "Trailer", "Upgrade", "Connection", "Content-Type", "Cache-Control", "Content-Range",
        "Content-Length", "Content-Encoding", "Transfer-Encoding",
    ]
    static let requestsAlone = [
        "Range", "Cookie", "Expect", "If-Match", "If-Range", "Max-Forwards", "Authorization", "If-None-Match",
        "If-Modified-Since", "If-Unmodified-Since", "Proxy-Authorization",
    ]
    static let repliesAlone = [
        "Age", "Date", "Vary", "Expires", "Location", "Set-Cookie", "Retry-After", "WWW-Authenticate",
        "Proxy-Authenticate",
    ]

    @Test(arguments: both + requestsAlone + repliesAlone)
    func `a trailer is forbidden where its field is needed before the content`(_ name: String) {
        #expect(isForbiddenInRequest(name) == !Self.repliesAlone.contains(name))
        #expect(isForbiddenInReply(name) == !Self.requestsAlone.contains(name))
    }

    @Test(arguments: ["ETag", "Server-Timing", "X", "Authentication-Info", "Datex", "Locatio"])
    func `other trailers are welcome`(_ name: String) {
        #expect(!isForbiddenInRequest(name) && !isForbiddenInReply(name))
    }

    private func isForbiddenInRequest(_ name: String) -> Bool {
        let head = "POST / HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\n"
        let events = Verifier<RequestReader>.events(of: bytes(head + "0\r\n\(name): x\r\n\r\n"))
        return events.flatMap(\.violations).map(\.kind) == [.forbiddenTrailer]
    }

    private func isForbiddenInReply(_ name: String) -> Bool {
        let head = "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n"
        let events = Verifier<ReplyReader>.events(of: bytes(head + "0\r\n\(name): x\r\n\r\n"), to: ["GET"])
        return events.flatMap(\.violations).map(\.kind) == [.forbiddenTrailer]
    }
}
