import ProctorBase
import ProctorHTTP
import Testing

/// What `Tests/Data/readers/request` can't say: how heads are asked, and where a reader stands.
struct RequestReaderTests {
    @Test func `fields keep order, case, duplicates and raw bytes`() throws {
        let head = try RequestHead(
            parsing: bytes("GET / HTTP/1.1\r\nhOST: a\r\nX:  one \r\nx:two\r\nY:\t\r\nX: three\r\n\r\n"))
        #expect(head.fields.map { text($0.name) } == ["hOST", "X", "x", "Y", "X"])
        #expect(head.fields.map { text($0.value) } == ["a", "one", "two", "", "three"])
        #expect(head.fields.map { text($0.raw) } == ["hOST: a", "X:  one ", "x:two", "Y:\t", "X: three"])
        #expect(head.fields.values(named: "x").map { text($0) } == ["one", "two", "three"])
        #expect(head.fields.values(named: bytes("X")).map { text($0) } == ["one", "two", "three"])
        #expect(head.fields.first(named: "host").map { text($0) } == "a")
        #expect(head.fields.values(named: bytes("HOST")).first.map { text($0) } == "a")
        #expect(head.fields.first(named: "z") == nil)
        #expect(head.fields.contains(named: "y") && !head.fields.contains(named: "yy"))
        #expect(head.fields.contains(named: bytes("Y")) && !head.fields.contains(named: bytes("")))
    }

    @Test func `a folded value is kept raw`() throws {
        let head = try RequestHead(parsing: bytes("GET / HTTP/1.1\r\nHost:a\r\nX: a \r\n\t b\r\n \r\n  c  \r\n\r\n"))
        #expect(text(head.fields[1].raw) == "X: a \r\n\t b\r\n \r\n  c  ")
    }

    @Test func `a section made of lines reads as one that arrived`() throws {
        let made = FieldSection([(bytes("Host"), bytes("a")), (bytes("X"), [])])
        let head = try RequestHead(parsing: bytes("GET / HTTP/1.1\r\nHost: a\r\nX: \r\n\r\n"))
        #expect(Array(made) == Array(head.fields))
        #expect(FieldSection().isEmpty)
    }

    @Test func `methods are compared with letter case`() throws {
        let head = try RequestHead(parsing: bytes("GET / HTTP/1.1\r\nHost: a\r\n\r\n"))
        #expect(head.hasMethod("GET"))
        #expect(!head.hasMethod("get") && !head.hasMethod("GE") && !head.hasMethod("GETS"))
    }

    @Test func `a head that is refused or cut short throws its violation`() {
        #expect(throws: Violation(.missingHost, at: 16)) {
            try RequestHead(parsing: bytes("GET / HTTP/1.1\r\n\r\n"))
        }
        #expect(throws: Violation(.incompleteHead, at: 5, bound: 5)) { try RequestHead(parsing: bytes("GET /")) }
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
        #expect(reader.finish() == nil)
        #expect(feed("\u{16}").count == 1)
        #expect(!reader.isBetweenRequests && !reader.hasPartialHead, "it is refused")
        #expect(reader.finish() == nil)
        #expect(feed("GET / HTTP/1.1\r\nHost: a\r\n\r\n") == [])
    }

    @Test func `an offset beyond the input reads nothing`() {
        var reader = RequestReader()
        var offset = 9
        #expect(reader.next([UInt8]().span, at: &offset) == nil)
        #expect(reader.isBetweenRequests)
    }

    @Test func `an endless head is refused without being kept`() {
        var reader = RequestReader()
        let piece = [UInt8](repeating: UInt8(ascii: "a"), count: 1000)
        #expect(reader.firstEvent(feeding: piece) == .refused(Violation(.requestLineTooLong, at: 8480, bound: 8480)))
    }

    @Test func `bytes of every kind within a head trap nothing`() {
        let head = Array("GET /a HTTP/1.1\r\nHost: a\r\nContent-Length: 1\r\nTransfer-Encoding: x\r\n\r\n".utf8)
        for index in head.indices {
            for byte in stride(from: UInt8(0), through: 0xFF, by: 5) {
                var bytes = head
                bytes[index] = byte
                var reader = RequestReader(acceptsAnything: true)
                var offset = 0
                while let event = reader.next(bytes.span, at: &offset) {
                    guard case .head(let head) = event else { continue }
                    #expect(!head.targetRange.isEmpty && !head.methodRange.isEmpty)
                    _ = (head.path, head.query)
                }
            }
        }
    }
}
