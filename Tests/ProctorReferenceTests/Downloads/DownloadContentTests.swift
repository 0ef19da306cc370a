import ProctorHTTP
import Testing

@testable import ProctorReference

/// What a download has after each answer that a server may give to the wish for the rest.
struct DownloadContentTests {
    private static func response(_ lines: String...) throws -> LoadResponse {
        let head = try #require(LoaderScript.head(lines.joined(separator: "\r\n") + "\r\n\r\n"))
        return LoadResponse(url: try ClientURL("http://a/file"), head: head)
    }

    /// Has `content` of a reply with that head, as a download that broke off there.
    private static func broken(
        _ content: String = "01234", _ lines: String..., request: ClientRequest? = nil
    ) throws -> DownloadContent {
        let asked = try request ?? ClientRequest(url: try ClientURL("http://a/file"))
        let download = DownloadContent(of: asked)
        let head = lines.isEmpty ? ["Content-Length: 10", "ETag: \"v1\""] : lines
        let text = (["HTTP/1.1 200 OK"] + head).joined(separator: "\r\n") + "\r\n\r\n"
        let response = LoadResponse(url: asked.url, head: try #require(LoaderScript.head(text)))
        #expect(try download.start(with: response) == .new)
        download.store(in: try DownloadFile(in: "/tmp", limit: 100))
        try download.append(Array(content.utf8))
        return download
    }

    private static func goingOn(after download: DownloadContent) throws -> DownloadContent {
        let data = try #require(download.left)
        download.letGo()
        return try #require(DownloadContent(goingOnWith: data))
    }

    struct Refusal: Sendable, CustomTestStringConvertible {
        let lines: [String]
        let sentence: String
        var testDescription: String { lines.joined(separator: ", ") }

        init(_ lines: String..., says sentence: String) {
            self.lines = lines
            self.sentence = sentence
        }
    }

    @Test(arguments: [
        Refusal("206 X", "Content-Range: bytes 5-9/10", "ETag: \"v2\"", says: "belongs to ETag \"\"v2\"\""),
        Refusal("206 X", "Content-Range: bytes 5-9/10", "ETag: W/\"v1\"", says: "expected \"v1\""),
        Refusal("206 X", "Content-Range: bytes 4-9/10", "ETag: \"v1\"", says: "from byte 4 on; expected byte 5"),
        Refusal("206 X", "Content-Range: bytes 5-7/10", says: "up to byte 7 alone; expected byte 9"),
        Refusal("206 X", "Content-Range: bytes 5-7/*", says: "up to byte 7 alone; expected byte 9"),
        Refusal("206 X", "Content-Range: bytes 5-11/12", says: "a whole of 12 bytes; expected 10"),
        Refusal("206 X", "Content-Range: bytes 5-9/10", "Content-Length: 3", says: "3 bytes by its framing and 5 by"),
        Refusal("206 X", "Content-Range: bytes 5-9/10", "Content-Length: 6", says: "6 bytes by its framing and 5 by"),
        Refusal("206 X", "Content-Type: multipart/byteranges; boundary=p", says: "Content-Range none"),
        Refusal("204 X", says: "answered 204; expected 206, or 200"),
        Refusal("302 X", "Location: /b", says: "answered 302"),
        Refusal("404 X", "Content-Length: 5", says: "answered 404"),
        Refusal("503 X", "ETag: \"v2\"", says: "answered 503"),
    ])
    func `after a refused answer the bytes are what they were`(refusal: Refusal) throws {
        let content = try Self.goingOn(after: try Self.broken())
        let head = try #require(LoaderScript.head("HTTP/1.1 " + refusal.lines.joined(separator: "\r\n") + "\r\n\r\n"))
        let error = #expect(throws: LoadError.self) {
            try content.start(with: LoadResponse(url: try ClientURL("http://a/file"), head: head))
        }
        #expect(error?.kind == .badServerResponse)
        #expect(error?.sentence.contains(refusal.sentence) == true, "\(error?.sentence ?? "none")")
        #expect(content.left?.byteCount == 5)
        #expect(content.left?.validator == "\"v1\"")
        #expect(content.left?.rest.fields.value(of: "Range") == "bytes=5-")
    }

    @Test func `a server that has no rest leaves nothing to ask for`() throws {
        let content = try Self.goingOn(after: try Self.broken())
        let error = #expect(throws: LoadError.self) {
            try content.start(with: try Self.response("HTTP/1.1 416 X", "Content-Range: bytes */5"))
        }
        #expect(error?.sentence.contains("nothing behind byte 5") == true)
        #expect(content.left == nil)
    }

    @Test func `a date is held against a date`() throws {
        let fields = ["Last-Modified: Thu, 01 Jan 2026 00:00:00 GMT", "Date: Fri, 02 Jan 2026 00:00:00 GMT"]
        for (field, isFit) in [
            ("Last-Modified: Thu, 01 Jan 2026 00:00:00 GMT", true), ("ETag: \"new\"", true),
            ("Last-Modified: Thu, 01 Jan 2026 00:00:01 GMT", false),
        ] {
            let content = try Self.goingOn(after: try Self.broken("01234", fields[0], fields[1]))
            let answer = try Self.response("HTTP/1.1 206 X", "Content-Range: bytes 5-9/10", field)
            if isFit {
                #expect(try content.start(with: answer) == .goesOn(from: 5))
            } else {
                #expect(throws: LoadError.self) { try content.start(with: answer) }
            }
            #expect(content.left?.validator == "Thu, 01 Jan 2026 00:00:00 GMT")
        }
    }

    @Test(arguments: [
        (["ETag: \"v1\""], true), (["ETag: \"v 1\""], false), (["ETag: \"v1\" x"], false), (["ETag: \"v\"1\""], false),
        (["ETag: \"v1\"", "ETag: \"v2\""], false), (["Last-Modified: yesterday"], false),
        (["Last-Modified: Thu, 01 Jan 2026 00:00:00 GMT", "Date: Thu, 01 Jan 2026 00:00:01 GMT"], true),
        (["Last-Modified: Thu, 01 Jan 2026 00:00:00 GMT", "Date: Thu, 01 Jan 2026 00:00:00 GMT"], false),
        (["Last-Modified: Thu, 01 Jan 2026 00:00:02 GMT", "Date: Thu, 01 Jan 2026 00:00:01 GMT"], false),
        (["Last-Modified: Thu, 01 Jan 2026 00:00:00 GMT"], true),
        (["Last-Modified: Thu, 01 Jan 2026 00:00:00 GMT", "ETag: W/\"v1\""], false),
        (["Last-Modified: Sat, 01 Jan 2050 00:00:00 GMT"], false),
    ])
    func `the rest is asked for by what tells all states apart`(fields: [String], isStrong: Bool) throws {
        let head = try #require(
            LoaderScript.head((["HTTP/1.1 200 OK"] + fields).joined(separator: "\r\n") + "\r\n\r\n"))
        let response = LoadResponse(url: try ClientURL("http://a/file"), head: head)
        #expect((DownloadVersion(of: response, now: 1_800_000_000) != nil) == isStrong)
    }

    @Test func `a resumed download keeps its validator, and a restarted one gets another`() throws {
        let content = try Self.goingOn(after: try Self.broken())
        #expect(content.isAwaitingAnswer)
        #expect(
            try content.start(with: try Self.response("HTTP/1.1 206 X", "Content-Range: bytes 5-9/10"))
                == .goesOn(from: 5))
        #expect(!content.isAwaitingAnswer)
        #expect(content.expected == 10)
        try content.append(Array("56".utf8))
        #expect(content.left?.byteCount == 7)
        #expect(content.left?.validator == "\"v1\"")

        let again = try Self.goingOn(after: content)
        #expect(
            try again.start(with: try Self.response("HTTP/1.1 200 X", "ETag: \"v2\"", "Content-Length: 3"))
                == .goesOn(from: 0))
        #expect(again.byteCount == 0)
        #expect(again.left == nil)
        #expect(again.expected == 3)
        try again.append(Array("n".utf8))
        #expect(again.left?.validator == "\"v2\"")
    }

    @Test func `a part takes no more than it announced, and is not complete with less`() throws {
        for answer in ["Content-Range: bytes 5-9/10", "Content-Range: bytes 5-9/*"] {
            let content = try Self.goingOn(
                after: try Self.broken("01234", "Transfer-Encoding: chunked", "ETag: \"v1\""))
            let response = try Self.response("HTTP/1.1 206 X", answer, "Transfer-Encoding: chunked")
            #expect(try content.start(with: response) == .goesOn(from: 5))
            try content.append(Array("567".utf8))
            #expect(content.shortfall?.kind == .connectionLost)
            #expect(content.shortfall?.sentence.contains("before byte 8; expected byte 9") == true)
            #expect(throws: LoadError.self) { try content.append(Array("89!".utf8)) }
            #expect(content.byteCount == 8)
            try content.append(Array("89".utf8))
            #expect(content.shortfall == nil)
            #expect(throws: LoadError.self) { try content.append([0]) }
            #expect(content.byteCount == 10)
        }
    }

    @Test func `a length that was too short is no length any more`() throws {
        let head = try #require(
            LoaderScript.head("HTTP/1.1 200 OK\r\nContent-Type: multipart/x-mixed-replace; boundary=p\r\n\r\n"))
        let part = try #require(LoaderScript.head("HTTP/1.1 200 OK\r\nContent-Length: 2\r\nETag: \"v1\"\r\n\r\n"))
        let response = LoadResponse(url: try ClientURL("http://a/file"), head: head, partFields: part.fields)
        let content = DownloadContent(of: ClientRequest(url: response.url))
        #expect(try content.start(with: response) == .new)
        content.store(in: try DownloadFile(in: "/tmp", limit: 100))
        try content.append(Array("pa".utf8))
        #expect(content.expected == 2)
        try content.append(Array("rt".utf8))
        #expect(content.expected == nil)
        // Ranges would count bytes of all parts.
        #expect(content.left == nil)
        #expect(try content.start(with: response) == .again)
        #expect(content.byteCount == 0)
    }

    @Test func `only the whole of what a GET asked for can be gone on with`() throws {
        let url = try ClientURL("http://a/file")
        #expect(try Self.broken("").left == nil)
        #expect(try Self.broken(request: ClientRequest(method: "POST", url: url)).left == nil)
        let ranged = ClientRequest(url: url, fields: [HTTPField("Range", "bytes=2-")])
        #expect(try Self.broken(request: ranged).left == nil)
        let unasked = DownloadContent(of: ClientRequest(url: url))
        let part = try Self.response("HTTP/1.1 206 X", "Content-Range: bytes 5-9/10", "ETag: \"v1\"")
        #expect(try unasked.start(with: part) == .new)
        unasked.store(in: try DownloadFile(in: "/tmp", limit: 100))
        try unasked.append(Array("56".utf8))
        #expect(unasked.left == nil)
    }
}
