import ProctorRecorder
import ProctorTrace
import Testing

/// A body that is kept whole fits the line of a trace, whatever is in it.
struct KeptBodyTests {
    @Test(arguments: [0x61, 0x01, 0x22, 0x0A, 0x00, 0xFF] as [UInt8])
    func `a body of the greatest length that is kept can be read back`(byte: UInt8) throws {
        let bytes = [UInt8](repeating: byte, count: KeptBody.limit)
        let event = TraceEvent(lane: .harness, name: .result, facts: KeptBody(bytes, byteCount: bytes.count).facts)
        let line = TraceWriter.line(event)
        #expect(line.count < 1 << 20)
        var reader = TraceReader()
        var offset = 0
        let read = try #require(try reader.next(line.span, at: &offset))
        #expect(read.facts == event.facts)
    }

    @Test func `of a longer body only the length is told`() {
        let bytes = [UInt8](repeating: 0x61, count: KeptBody.limit + 1)
        let facts = KeptBody(bytes, byteCount: bytes.count).facts
        #expect(Array(facts) == [EventFact(.bytes, .integer(bytes.count))])
    }
}
