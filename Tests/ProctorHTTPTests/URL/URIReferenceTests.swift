import ProctorHTTP
import Testing

struct ResolutionTests {
    @Test func `a long path of dot segments takes time in proportion`() {
        let path = [UInt8](repeating: UInt8(ascii: "/"), count: 50_000) + bytes(String(repeating: "/..", count: 50_000))
        #expect(text(URIReference.removingDotSegments(path)) == "/")
    }
}

struct EscapingTests {
    @Test func `every byte of a path is legal afterwards, and stands for itself`() throws {
        for byte in UInt8.min...UInt8.max where !"?#/".utf8.contains(byte) {
            let escaped = URIReference(splitting: [UInt8(ascii: "/"), byte]).escapingIllegalBytes()
            #expect(throws: Never.self) { try URIReference(parsing: escaped.bytes) }
            let digits = text(escaped.path.dropFirst(2))
            #expect(escaped.path.count == 2 ? escaped.path.last == byte : UInt8(digits, radix: 16) == byte)
        }
    }
}
