import ProctorHTTP
import Testing

struct WellFormedTests {
    @Test(arguments: WellFormed.all)
    func `a well-formed request is read without a finding, however it is cut`(_ row: WellFormed) throws {
        let events = Verifier<RequestReader>.events(of: row.input)

        #expect(events.flatMap(\.violations) == [])
        #expect(events.last == .end)
        let head = try #require(events.heads().first)
        #expect(head.method == row.method)
        #expect(text(head.methodBytes) == row.method)
        #expect(text(head.target) == row.target)
        #expect(text(head.targetBytes) == row.target)
        #expect(head.form == row.form)
        #expect(head.version == row.version)
        #expect(head.framing == row.framing)
        #expect(text(events.content()) == row.content)
        #expect(row.input.starts(with: head.bytes))
        #expect(try RequestHead(parsing: row.input) == head)
    }

    @Test func `fields keep order, case, duplicates and raw bytes`() throws {
        let head = try RequestHead(
            parsing: bytes("GET / HTTP/1.1\r\nhOST: a\r\nX:  one \r\nx:two\r\nY:\t\r\nX: three\r\n\r\n"))
        #expect(head.fields.map { text($0.name) } == ["hOST", "X", "x", "Y", "X"])
        #expect(head.fields.map { text($0.value) } == ["a", "one", "two", "", "three"])
        #expect(head.fields.map { text($0.raw) } == ["hOST: a", "X:  one ", "x:two", "Y:\t", "X: three"])
        #expect(head.fields.values(named: "x").map { text($0) } == ["one", "two", "three"])
        #expect(head.fields.values(named: bytes("X")).map { text($0) } == ["one", "two", "three"])
        #expect(head.fields.first(named: "host").map { text($0) } == "a")
        #expect(head.fields.first(named: bytes("HOST")).map { text($0) } == "a")
        #expect(head.fields.first(named: "z") == nil)
        #expect(head.fields.contains(named: "y") && !head.fields.contains(named: "yy"))
        #expect(head.fields.contains(named: bytes("Y")) && !head.fields.contains(named: bytes("")))
    }

    @Test func `a folded value is unfolded to single spaces and kept raw`() throws {
        let head = try RequestHead(
            parsing: bytes("GET / HTTP/1.1\r\nX: a \r\n\t b\r\n \r\n  c  \r\nHost:\r\n a\r\nY: z\r\n\r\n"))
        #expect(head.fields.map { text($0.value) } == ["a b c", "a", "z"])
        #expect(text(head.fields[0].raw) == "X: a \r\n\t b\r\n \r\n  c  ")
        #expect(head.fields.first(named: "host").map { text($0) } == "a")
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

    @Test(arguments: [
        ("/a/b?c=d?e", "/a/b", "c=d?e"), ("/a", "/a", nil), ("/?", "/", ""), ("//x/y?z", "//x/y", "z"),
        ("http://h/a?b", "/a", "b"), ("http://h", "", nil), ("http://h?q", "", "q"),
    ])
    func `path and query are told from the target`(_ target: String, _ path: String, _ query: String?) throws {
        let head = try RequestHead(parsing: bytes("GET \(target) HTTP/1.1\r\nHost: h\r\n\r\n"))
        #expect(head.path.map { text($0) } == path)
        #expect(head.query.map { text($0) } == query)
    }

    @Test func `targets without a path have none`() throws {
        let options = try RequestHead(parsing: bytes("OPTIONS * HTTP/1.1\r\nHost: h\r\n\r\n"))
        #expect(options.path == nil && options.query == nil)
        let connect = try RequestHead(parsing: bytes("CONNECT h:1 HTTP/1.1\r\nHost: h:1\r\n\r\n"))
        #expect(connect.path == nil && connect.query == nil)
    }

    @Test func `a head that is refused or cut short throws its violation`() {
        #expect(throws: Violation(.missingHost, at: 16)) {
            try RequestHead(parsing: bytes("GET / HTTP/1.1\r\n\r\n"))
        }
        #expect(throws: Violation(.incompleteHead, at: 5, bound: 5)) { try RequestHead(parsing: bytes("GET /")) }
    }

    @Test func `chunks are told with their sizes, extensions and trailers`() {
        let events = Verifier<RequestReader>.events(
            of: bytes(
                "POST / HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\n2;x=\"y\"\r\nhi\r\n00;z\r\nSum: 1\r\n\r\n"
            ))
        #expect(
            Array(events.dropFirst()) == [
                .chunk(byteCount: 2, extensions: bytes(";x=\"y\"")), .content(bytes("hi")),
                .chunk(byteCount: 0, extensions: bytes(";z")), .trailers(events.trailers()), .end,
            ])
        #expect(events.trailers().map { text($0.name) } == ["Sum"])
        #expect(events.trailers().map { text($0.value) } == ["1"])
    }

    @Test func `the head's bytes begin at the method, and its violations count the empty lines before`() throws {
        let head = try RequestHead(parsing: bytes("\r\n\r\nGET /é HTTP/1.1\r\nHost: a\r\n\r\n"))
        #expect(head.precedingByteCount == 4)
        #expect(head.bytes.first == UInt8(ascii: "G"))
        #expect(text(head.methodBytes) == "GET")
        #expect(head.violations.map(\.offset) == [0, 2, 9])
    }
}
