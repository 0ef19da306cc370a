import ProctorHTTP
import Testing

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
