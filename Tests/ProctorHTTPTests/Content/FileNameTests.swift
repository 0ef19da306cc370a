import ProctorHTTP
import Testing

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
