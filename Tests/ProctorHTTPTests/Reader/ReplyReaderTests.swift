import ProctorBase
import ProctorHTTP
import Testing

/// What `Tests/Data/readers/reply` can't say: how heads are asked, and where a reader stands.
struct ReplyReaderTests {
    @Test func `fields keep order, case, duplicates and raw bytes`() throws {
        let head = try ReplyHead(
            parsing: bytes("HTTP/1.1 200 OK\r\nset-COOKIE: a\r\nX:  one \r\nx:two\r\nY : z\r\n\r\n"))
        #expect(head.fields.map { text($0.name) } == ["set-COOKIE", "X", "x", "Y"])
        #expect(head.fields.map { text($0.value) } == ["a", "one", "two", "z"])
        #expect(head.fields.map { text($0.raw) } == ["set-COOKIE: a", "X:  one ", "x:two", "Y : z"])
        #expect(head.fields.values(named: "x").map { text($0) } == ["one", "two"])
        #expect(
            head.fields.first(named: "y").map { text($0) } == "z", "the space before the colon is no part of the name")
    }

    @Test func `a head that is refused or cut short throws its violation`() {
        #expect(throws: Violation(.badStatus, in: .reply, at: 9, detail: bytes("2000"))) {
            try ReplyHead(parsing: bytes("HTTP/1.1 2000 OK\r\n\r\n"))
        }
        #expect(throws: Violation(.incompleteHead, in: .reply, at: 5, bound: 5)) {
            try ReplyHead(parsing: bytes("HTTP/"))
        }
    }

    @Test func `a reader says what it expects and whether anything of it is there`() {
        var reader = ReplyReader()
        func feed(_ text: String) -> [ReplyEvent] {
            let input = bytes(text)
            var offset = 0
            var events: [ReplyEvent] = []
            while let event = reader.next(input.span, at: &offset) { events.append(event) }
            return events
        }
        #expect(reader.expectedCount == 0 && !reader.hasBegunReply)
        reader.expectReply(to: bytes("GET"))
        reader.expectReply(to: bytes("HEAD"))
        #expect(reader.expectedCount == 2 && !reader.hasBegunReply)
        #expect(feed("\r\n") == [])
        #expect(!reader.hasBegunReply, "an empty line is no reply")
        #expect(feed("H") == [])
        #expect(reader.hasBegunReply)
        #expect(feed("TTP/1.1 100 Continue\r\n\r\n").count == 1)
        #expect(reader.hasBegunReply, "an interim reply shows that the request was taken")
        #expect(feed("HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\n").count == 1)
        #expect(reader.hasBegunReply && reader.expectedCount == 2)
        #expect(feed("xy") == [.content(0..<2), .end])
        #expect(!reader.hasBegunReply && reader.expectedCount == 1)
        #expect(reader.finish() == nil, "a peer may close before it replies")
    }

    @Test func `a peer may close before any reply, and nothing is made of it`() {
        var reader = ReplyReader()
        #expect(reader.finish() == nil)
        reader.expectReply(to: bytes("GET"))
        #expect(reader.finish() == nil)
        #expect(reader.finish() == nil)
    }

    @Test func `a reply can be expected behind an empty line that came before the request`() {
        var reader = ReplyReader()
        let input = bytes("\r\n")
        var offset = 0
        #expect(reader.next(input.span, at: &offset) == nil)
        reader.expectReply(to: bytes("GET"))
        let reply = bytes("HTTP/1.1 204 x\r\n\r\n")
        offset = 0
        guard case .head(let head)? = reader.next(reply.span, at: &offset) else {
            Issue.record("no head")
            return
        }
        #expect(head.violations == [Violation(.emptyLineBeforeReply, in: .reply, at: 0)])
        #expect(head.precedingByteCount == 2)
    }

    @Test func `an offset beyond the input reads nothing, inside a head too`() {
        var reader = ReplyReader()
        reader.expectReply(to: bytes("GET"))
        var offset = 9
        #expect(reader.next([UInt8]().span, at: &offset) == nil)
        let input = bytes("HTTP/1.1 2")
        offset = 0
        #expect(reader.next(input.span, at: &offset) == nil)
        offset = 99
        #expect(reader.next(input.span, at: &offset) == nil)
        #expect(reader.hasBegunReply)
    }

    @Test func `an endless status line is refused without being kept`() {
        var reader = ReplyReader()
        reader.expectReply(to: bytes("GET"))
        let first = bytes("HTTP/1.1 200 ")
        var offset = 0
        #expect(reader.next(first.span, at: &offset) == nil)
        let piece = [UInt8](repeating: UInt8(ascii: "a"), count: 1000)
        #expect(
            reader.firstEvent(feeding: piece)
                == .refused(Violation(.statusLineTooLong, in: .reply, at: 8192, bound: 8192)))
    }
}
