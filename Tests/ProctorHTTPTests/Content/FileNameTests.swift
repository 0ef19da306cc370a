import ProctorHTTP
import Testing

struct FileNameTests {
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
    @Test func `the first field counts`() {
        let fields = [HTTPField("content-disposition", "inline; filename=a"), HTTPField("Content-Disposition", "x")]
        #expect(ContentDisposition(of: fields)?.filename == "a")
        #expect(ContentDisposition(of: []) == nil)
    }
}

struct MediaTypeTests {
    @Test func `the first field counts`() {
        let fields = [HTTPField("content-type", "a/b;c=d"), HTTPField("Content-Type", "e/f")]
        #expect(MediaType(of: fields) == MediaType(bytes("A/B; C=d")))
        #expect(MediaType(of: fields) != MediaType(bytes("a/b; c=D")))
        #expect(MediaType(of: []) == nil)
        #expect(MediaType(bytes("multipart/X-Mixed-Replace"))?.isMixedReplace == true)
        #expect(MediaType(bytes("multipart/mixed"))?.isMixedReplace == false)
    }
}
