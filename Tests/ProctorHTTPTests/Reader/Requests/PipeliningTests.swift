import ProctorHTTP
import Testing

struct PipeliningTests {
    @Test func `pipelined requests come out one after the other, however they are cut`() {
        let input = bytes(
            "GET /1 HTTP/1.1\r\nHost: a\r\n\r\n"
                + "POST /2 HTTP/1.1\r\nHost: a\r\nContent-Length: 3\r\n\r\nabc"
                + "POST /3 HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\n3\r\ndef\r\n0\r\n\r\n"
                + "GET /4 HTTP/1.0\r\n\r\n")
        let events = Verifier<RequestReader>.events(of: input)
        #expect(events.heads().map { text($0.target) } == ["/1", "/2", "/3", "/4"])
        #expect(text(events.content()) == "abcdef")
        #expect(events.filter { $0 == .end }.count == 4)
    }

    @Test func `every malformed request that is read over leaves the next one unharmed`() {
        for row in Malformed.all where !row.thenEnds {
            let next = bytes("GET /next HTTP/1.1\r\nHost: next\r\n\r\n")
            let events = Verifier<RequestReader>.events(of: row.input, limits: row.limits)
            guard events.last == .end else { continue }
            var reader = RequestReader(limits: row.limits)
            let both = row.input + next
            var offset = 0
            var heads: [RequestHead] = []
            while let event = reader.next(both.span, at: &offset) {
                if case .head(let head) = event { heads.append(head) }
            }
            let last = heads.last
            // Rows with limits may be too tight for the second request.
            guard row.limits == RequestLimits() else { continue }
            #expect(last.map { text($0.target) } == "/next", "\(row.name)")
        }
    }

    @Test func `a reader says where it stands between, within and after requests`() {
        var reader = RequestReader()
        func feed(_ text: String) -> [RequestEvent] {
            let input = bytes(text)
            var offset = 0
            var events: [RequestEvent] = []
            while let event = reader.next(input.span, at: &offset) { events.append(event) }
            return events
        }
        #expect(reader.isBetweenRequests && !reader.hasPartialHead)
        #expect(feed("\r\n") == [])
        #expect(reader.isBetweenRequests && !reader.hasPartialHead, "an empty line is no request")
        #expect(feed("G") == [])
        #expect(!reader.isBetweenRequests && reader.hasPartialHead)
        #expect(feed("ET / HTTP/1.1\r\nHost: a\r\nContent-Length: 2\r\n\r\n").count == 1)
        #expect(!reader.isBetweenRequests && !reader.hasPartialHead, "content is missing")
        #expect(feed("xy") == [.content(0..<2), .end])
        #expect(reader.isBetweenRequests && !reader.hasPartialHead)
        #expect(reader.end() == nil)
        #expect(feed("\u{16}").count == 1)
        #expect(!reader.isBetweenRequests && !reader.hasPartialHead, "it is refused")
        #expect(reader.end() == nil)
        #expect(feed("GET / HTTP/1.1\r\nHost: a\r\n\r\n") == [])
    }

    @Test func `the end of a request without content needs no more input`() {
        var reader = RequestReader()
        let input = bytes("GET / HTTP/1.0\r\n\r\n")
        var offset = 0
        guard case .head? = reader.next(input.span, at: &offset) else {
            Issue.record("no head")
            return
        }
        #expect(offset == input.count && !reader.isBetweenRequests)
        var copy = reader
        #expect(copy.end() == .end)
        #expect(reader.next(input.span, at: &offset) == .end)
        #expect(reader.isBetweenRequests)
    }

    @Test func `an offset beyond the input reads nothing`() {
        var reader = RequestReader()
        var offset = 9
        #expect(reader.next([UInt8]().span, at: &offset) == nil)
        #expect(reader.isBetweenRequests)
    }
}
