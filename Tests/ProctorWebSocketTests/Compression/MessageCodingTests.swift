import ProctorBase
import ProctorCoding
import ProctorWebSocket
import Testing

@Suite struct MessageCodingTests {
    /// RFC 7692 §7.2.3.2.
    @Test func `a message refers to the one before unless the compressor begins anew`() throws {
        let deflater = try MessageDeflater()
        let hello = Array("Hello".utf8)
        let first = deflater.deflate(hello.span)
        #expect(first == [0xF2, 0x48, 0xCD, 0xC9, 0xC9, 0x07, 0x00])
        #expect(deflater.deflate(hello.span) == [0xF2, 0x00, 0x11, 0x00, 0x00])
        deflater.reset()
        #expect(deflater.deflate(hello.span) == first)
        for nothing: [UInt8] in [[], []] { #expect(deflater.deflate(nothing.span) == [0x00]) }
    }

    /// A repetition of `distance` bytes back, which a window of fewer bytes does not hold.
    @Test(arguments: [(8, 256), (9, 512), (10, 1_024), (12, 4_096), (14, 16_384)])
    func `a reference beyond the agreed window is found, and one within is not`(_ windowBits: Int, _ distance: Int)
        throws
    {
        for (extra, isLawful) in [(0, true), (1, false)] {
            // Words of a generator do not repeat by themselves; the beginning comes again behind `distance` bytes.
            var word: UInt32 = 1
            var content: [UInt8] = []
            while content.count < distance + extra {
                word = word &* 1_664_525 &+ 1_013_904_223
                content.append(UInt8(truncatingIfNeeded: word >> 24))
            }
            content += content.prefix(200)
            let payload = try MessageDeflater(level: 9).deflate(content.span)
            let frame = WebSocketFrame(.binary, reserved: .rsv1, payload: payload)
            var verifier = Verifier(role: .client)
            verifier.compression = DeflateDirection(windowBits: windowBits)
            let reading = verifier.read([frame.bytes])
            #expect(
                reading.events.violations.map(\.kind) == (isLawful ? [] : [.badCompressedData]), "\(distance + extra)")
            #expect(verifier.read(frame.bytes.map { [$0] }) == reading)
            #expect(reading.events.contains(.messageEnded) == isLawful)
        }
    }

    @Test(arguments: [8, 9, 11, 15]) func `what is deflated within a window is inflated within it`(_ windowBits: Int)
        throws
    {
        let deflater = try MessageDeflater(windowBits: windowBits)
        let inflater = try MessageInflater(windowBits: windowBits)
        for count in [1, 300, 70_000, MessageInflater.outputBound, 5] {
            let content = (0..<count).map { UInt8(truncatingIfNeeded: ($0 / 7) &* 31 ^ $0 % 13) }
            let bytes = deflater.deflate(content.span) + MessageInflater.tail
            var output: [UInt8] = []
            var offset = 0
            while try inflater.inflate(bytes.span, at: &offset, into: &output) {}
            try inflater.finishMessage()
            #expect(output == content && offset == bytes.count)
        }
    }
}
