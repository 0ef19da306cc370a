import ProctorBase
import ProctorHTTP
import ProctorTestSupport
import Testing

struct MultipartReaderTests {
    @Test func `long content goes through in one event for each input`() throws {
        var reader = try #require(MultipartReader(boundary: bytes("part")))
        let image = (0..<100_000).map { UInt8(truncatingIfNeeded: $0 &* 31) }.filter { $0 != 10 && $0 != 13 }
        let body = bytes("--part\r\n\r\n") + image + bytes("\r\n--part--")
        var offset = 0
        var events: [MultipartEvent] = []
        while let event = reader.next(body.span, at: &offset) { events.append(event) }
        #expect(events.count == 4)
        #expect(events.dropFirst().first == .content(image))
    }
}
