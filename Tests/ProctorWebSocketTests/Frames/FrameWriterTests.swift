import ProctorBase
import ProctorWebSocket
import Testing

@Suite struct FrameWriterTests {
    /// The examples of RFC 6455 §5.7.
    @Test func `frames are written as in the examples of the specification`() {
        #expect(WebSocketFrame.text("Hello").bytes == [0x81, 0x05, 0x48, 0x65, 0x6C, 0x6C, 0x6F])
        var masked = WebSocketFrame.text("Hello")
        masked.maskingKey = MaskingKey(0x37FA_213D)
        #expect(masked.bytes == [0x81, 0x85, 0x37, 0xFA, 0x21, 0x3D, 0x7F, 0x9F, 0x4D, 0x51, 0x58])
        #expect(WebSocketFrame.text("Hel", isFinal: false).bytes == [0x01, 0x03, 0x48, 0x65, 0x6C])
        #expect(WebSocketFrame.more("lo").bytes == [0x80, 0x02, 0x6C, 0x6F])
        #expect(WebSocketFrame.ping("Hello").bytes == [0x89, 0x05, 0x48, 0x65, 0x6C, 0x6C, 0x6F])
        #expect(WebSocketFrame.binary(repeated(125)).bytes.prefix(2) == [0x82, 0x7D])
        #expect(WebSocketFrame.binary(repeated(126)).bytes.prefix(4) == [0x82, 0x7E, 0x00, 0x7E])
        #expect(WebSocketFrame.binary(repeated(256)).bytes.prefix(4) == [0x82, 0x7E, 0x01, 0x00])
        #expect(WebSocketFrame.binary(repeated(65_535)).bytes.prefix(4) == [0x82, 0x7E, 0xFF, 0xFF])
        #expect(
            WebSocketFrame.binary(repeated(65_536)).bytes.prefix(10)
                == [0x82, 0x7F, 0x00, 0x00, 0x00, 0x00, 0x00, 0x01, 0x00, 0x00])
        #expect(WebSocketFrame.close(1000, "a").bytes == [0x88, 0x03, 0x03, 0xE8, 0x61])
        #expect(WebSocketFrame.close().bytes == [0x88, 0x00])
    }

    @Test func `every bit, length and form is written as it is told`() {
        let frame = WebSocketFrame(Opcode(rawValue: 0xB), isFinal: false, reserved: [.rsv1, .rsv3], payload: [1])
        #expect(frame.bytes == [0x5B, 0x01, 0x01])
        #expect(frame.departing { $0.lengthForm = .medium }.bytes == [0x5B, 0x7E, 0x00, 0x01, 0x01])
        #expect(
            frame.departing { $0.lengthForm = .long }.bytes == [0x5B, 0x7F, 0, 0, 0, 0, 0, 0, 0, 1, 1])
        #expect(frame.departing { $0.statedByteCount = 0 }.bytes == [0x5B, 0x00, 0x01])
        #expect(frame.departing { $0.statedByteCount = .max }.bytes == [0x5B, 0x7F] + repeated(8, 0xFF) + [1])
        #expect(frame.departing { $0.hasMaskBit = true }.bytes == [0x5B, 0x81, 0x01])
        var masked = frame
        masked.maskingKey = MaskingKey(0x0102_0304)
        #expect(masked.departing { $0.hasMaskBit = false }.bytes == [0x5B, 0x01, 1, 2, 3, 4, 0])
    }

    @Test(arguments: 0..<40) func `a mask is taken off from any place`(_ place: Int) {
        let bytes = (0..<80).map { UInt8($0) }
        let key = MaskingKey(0xDEAD_BEEF)
        let masked = key.apply(to: bytes.span, at: 0)
        let front = key.apply(to: Array(masked[..<place]).span, at: 0)
        let rest = key.apply(to: Array(masked[place...]).span, at: place)
        #expect(front + rest == bytes)
        #expect(masked[1] == 1 ^ 0xAD && masked[78] == 78 ^ 0xBE)
    }

    @Test func `a message is divided into frames of these sizes`() {
        func sizes(_ count: Int, _ sizes: [Int]) -> [Int] {
            WebSocketFrame.dividing(repeated(count), .text, sizes: sizes).map(\.payload.count)
        }
        #expect(sizes(5, []) == [5] && sizes(0, []) == [0] && sizes(5, [0]) == [5])
        #expect(sizes(5, [2]) == [2, 2, 1] && sizes(4, [2]) == [2, 2] && sizes(5, [1, 3]) == [1, 3, 1])
        #expect(
            sizes(5, [0, 2, 0]) == [0, 2, 3] && sizes(2, [2, 0]) == [2, 0] && sizes(1, [4, 4, 4]) == [1, 0, 0])
        #expect(sizes(5, [-1, 2]) == [0, 2, 2, 1])
        var keys: UInt32 = 0
        let frames = WebSocketFrame.dividing(repeated(3), .binary, sizes: [1], isCompressed: true) {
            keys += 1
            return MaskingKey(keys)
        }
        #expect(frames.map(\.opcode) == [.binary, .continuation, .continuation])
        #expect(frames.map(\.isFinal) == [false, false, true] && frames.map(\.reserved) == [.rsv1, [], []])
        #expect(frames.map(\.maskingKey) == [MaskingKey(1), MaskingKey(2), MaskingKey(3)])
    }

    @Test func `words for what is read name what is not the usual`() throws {
        #expect(Opcode(named: "ping") == .ping && Opcode(named: "push") == nil)
        #expect("\(Opcode(rawValue: 0x1B))" == "opcode 0xb" && "\(CloseCode.protocolError)" == "1002 (protocol error)")
        let frame = WebSocketFrame(
            .text, isFinal: false, reserved: [.rsv1, .rsv3], maskingKey: MaskingKey(1), payload: [1])
        guard case .frame(let head, offset: 0)? = Verifier().events(of: frame.bytes).first else {
            Issue.record("no frame")
            return
        }
        #expect("\(head)" == "text of 1 byte, masked, without FIN, with RSV1 and RSV3")
    }
}
