import ProctorHTTP
import Testing

struct FileNameTests {
    @Test(
        arguments: [
            ("http://h/download?id=7", #"attachment; filename="report.txt""#, "text/plain", "report.txt"),
            ("http://h/files/report-7.txt", nil, "text/plain", "report-7.txt"),
            ("http://h/latest", nil, "text/plain", "latest.txt"), ("http://h/latest", nil, nil, "latest"),
            ("http://h/latest", nil, "application/octet-stream", "latest"), ("http://h/dir/", nil, nil, "dir"),
            ("http://h/caf%C3%A9.html", nil, "text/html", "café.html"), ("http://h/a%2Fb", nil, nil, "b"),
            ("http://example.com/", nil, "Text/HTML", "example.com.html"),
            ("http://example.com", nil, nil, "example.com"),
            ("http://h/a.tar", "inline", "application/zip", "a.tar"), ("http://h/a", "inline; filename=..", nil, "a"),
            ("http://h/%2E%2E%2F", nil, nil, "h"), ("http://h/%00", nil, nil, "h"),
            ("http://h/x", "attachment; filename=../../etc/passwd", nil, "passwd"),
            ("http://h/x", #"attachment; filename="C:\\temp\\evil.exe""#, nil, "evil.exe"),
            ("http://h/.profile", nil, "text/plain", ".profile.txt"), ("http://h/a.", nil, "text/plain", "a..txt"),
            ("http://h/100%25", nil, nil, "100%"),
        ] as [(String, String?, String?, String)])
    func `a name is suggested`(_ url: String, _ disposition: String?, _ type: String?, _ name: String) throws {
        #expect(
            FileName.suggested(
                url: try ClientURL(url), contentDisposition: disposition.map { bytes($0) }, mimeType: type) == name)
    }

    @Test(
        arguments: [
            ("a/b", "b"), ("a\\b", "b"), ("a/", nil), ("..", nil), (".", nil), ("", nil), (" a ", "a"),
            ("a\u{0}b", "ab"),
            ("gpj\u{202E}exe.", "gpjexe."), ("a\r\nb", "ab"), ("...", "..."), ("\u{200B}..", nil), (" .. ", nil),
            ("a\u{2028}b", "ab"),
        ] as [(String, String?)])
    func `nothing leads out of a folder`(_ name: String, _ safe: String?) {
        #expect(FileName.safe(name) == safe)
    }

    @Test func `a long name keeps its extension and its characters whole`() throws {
        let long = String(repeating: "é", count: 300)
        let safe = try #require(FileName.safe(long + ".html"))
        #expect(safe.utf8.count == 255)
        #expect(safe.hasSuffix("é.html"))
        #expect(FileName.safe(String(repeating: "a", count: 300))?.utf8.count == 255)
        let named = FileName.suggested(
            url: try ClientURL("http://h/" + String(repeating: "a", count: 300)), contentDisposition: nil,
            mimeType: "text/plain")
        #expect(named.utf8.count == 255)
        #expect(named.hasSuffix("a.txt"))
    }

    @Test func `a type has its usual extension`() {
        #expect(FileName.fileExtension(ofType: "IMAGE/JPEG") == "jpg")
        #expect(FileName.fileExtension(ofType: "application/octet-stream") == nil)
    }
}

struct ContentDispositionTests {
    /// The examples of RFC 6266 §5 and of RFC 8187 §3.2.2 among them.
    @Test(
        arguments: [
            ("Attachment; filename=example.html", "attachment", "example.html"),
            (#"INLINE; FILENAME= "an example.html""#, "inline", "an example.html"),
            ("attachment; filename*= UTF-8''%e2%82%ac%20rates", "attachment", "€ rates"),
            (#"attachment; filename="EURO rates"; filename*=utf-8''%e2%82%ac%20rates"#, "attachment", "€ rates"),
            (#"attachment; filename*=utf-8''%e2%82%ac%20rates; filename="EURO rates""#, "attachment", "€ rates"),
            ("attachment; filename*=iso-8859-1'en'%A3%20rates", "attachment", "£ rates"),
            ("attachment; filename=a; filename*=utf-8''%ff", "attachment", "a"),
            ("attachment; filename=a; filename*=utf-8''%zz", "attachment", "a"),
            ("attachment; filename=a; filename*=koi8-r''b", "attachment", "a"),
            ("attachment; filename=a; filename*=b", "attachment", "a"), ("attachment", "attachment", nil),
            ("inline;", "inline", nil), ("attachment; filename=two words.txt ; x=y", "attachment", "two words.txt"),
            (#"attachment; filename="a\"b;c.txt""#, "attachment", #"a"b;c.txt"#),
            (#"filename="a.txt""#, "attachment", "a.txt"), ("attachment; filename=\u{C3}\u{A9}", "attachment", "é"),
            ("attachment; filename=\u{E9}", "attachment", "é"),
            ("attachment; filename=a; filename=b", "attachment", "a"),
            (#"attachment; filename="never ends"#, "attachment", "never ends"),
            ("attachment; filename*=UTF-8'en", "attachment", nil),
        ] as [(String, String, String?)])
    func `a disposition is a type and a name`(_ value: String, _ type: String, _ name: String?) throws {
        let disposition = try #require(ContentDisposition(bytes(value)))
        #expect(disposition.type == type)
        #expect(disposition.filename == name)
    }

    @Test(arguments: ["", " ", ";filename=a", "\"attachment\""])
    func `without a type there is none`(_ value: String) {
        #expect(ContentDisposition(bytes(value)) == nil)
    }

    @Test func `the first field counts`() {
        let fields = [HTTPField("content-disposition", "inline; filename=a"), HTTPField("Content-Disposition", "x")]
        #expect(ContentDisposition(of: fields)?.filename == "a")
        #expect(ContentDisposition(of: []) == nil)
    }
}

struct MediaTypeTests {
    @Test(
        arguments: [
            ("text/html", "text/html", nil, nil), (#"Text/HTML; Charset="utf-8""#, "text/html", "utf-8", nil),
            ("text/html;charset=UTF-8", "text/html", "utf-8", nil),
            (" text/plain ; charset = x ", "text/plain", "x", nil),
            ("multipart/x-mixed-replace; boundary=part", "multipart/x-mixed-replace", nil, "part"),
            (#"multipart/mixed; boundary="a;b \"c\"""#, "multipart/mixed", nil, #"a;b "c""#),
            ("multipart/mixed;boundary=--Ab:1", "multipart/mixed", nil, "--Ab:1"),
            ("text/html; charset=a; charset=b", "text/html", "a", nil),
            ("text/html; ; x; charset=a;", "text/html", "a", nil),
            ("text/html; charset", "text/html", nil, nil),
            (#"text/html; x="; charset=a"; charset=b"#, "text/html", "b", nil),
            ("text/html, text/plain", "text/html", nil, nil), ("a/b+c.d", "a/b+c.d", nil, nil),
            ("text/html; charset=", "text/html", "", nil),
        ] as [(String, String, String?, String?)])
    func `a type is its essence and its parameters`(
        _ value: String, _ essence: String, _ charset: String?, _ boundary: String?
    ) throws {
        let type = try #require(MediaType(bytes(value)))
        #expect(type.essence == essence)
        #expect(type.charset == charset)
        #expect(type.boundary.map { text($0) } == boundary)
    }

    @Test(arguments: [
        "", "text", "text/", "/html", "text /html", "text/html charset=a", "*", "\u{E9}/a", "text/ht\u{0}",
    ])
    func `what is no type is none`(_ value: String) {
        #expect(MediaType(bytes(value)) == nil)
    }

    @Test func `the first field counts`() {
        let fields = [HTTPField("content-type", "a/b;c=d"), HTTPField("Content-Type", "e/f")]
        #expect(MediaType(of: fields) == MediaType(bytes("A/B; C=d")))
        #expect(MediaType(of: fields) != MediaType(bytes("a/b; c=D")))
        #expect(MediaType(of: []) == nil)
        #expect(MediaType(bytes("multipart/X-Mixed-Replace"))?.isMixedReplace == true)
        #expect(MediaType(bytes("multipart/mixed"))?.isMixedReplace == false)
    }
}
