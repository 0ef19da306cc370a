import ProctorHTTP
import Testing

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
