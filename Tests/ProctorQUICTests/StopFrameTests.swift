import Testing

@testable import ProctorQUIC

/// STOP_SENDING among the frames of a packet (RFC 9000 §19).
struct StopFrameTests {
    private static func list(_ bytes: [UInt8]) -> [StopFrame] {
        unsafe bytes.withUnsafeBufferPointer { unsafe AnsweredFrames(in: $0).stops }
    }

    /// One frame of every kind that may stand before another one.
    private static let others: [[UInt8]] = [
        [0], [1], [2, 9, 0, 1, 0, 1, 2], [3, 9, 0, 0, 0, 1, 2, 3], [4, 0, 1, 2], [6, 0, 2, 5, 5], [7, 2, 5, 5],
        [0x0A, 4, 2, 5, 5], [0x0F, 4, 9, 2, 5, 5], [0x10, 9], [0x11, 4, 9], [0x12, 9], [0x13, 9], [0x14, 9],
        [0x15, 4, 9], [0x16, 9], [0x17, 9], [0x18, 1, 0, 2, 5, 5] + [UInt8](repeating: 5, count: 16), [0x19, 1],
        [0x1A] + [UInt8](repeating: 5, count: 8), [0x1B] + [UInt8](repeating: 5, count: 8), [0x1E], [0x31, 2, 5, 5],
    ]

    @Test(arguments: others) func `the frame is found behind another one, and not within it`(_ other: [UInt8]) {
        let stop: [UInt8] = [5, 0x44, 0x04, 0x41, 0x0C]
        let packet = other + stop
        let found = [StopFrame(stream: 0x404, code: 0x10C)]
        #expect(Self.list(packet) == found)
        #expect(Self.list(packet + packet) == found + found)
        for count in 0..<packet.count { #expect(Self.list(Array(packet[..<count])).isEmpty) }
    }

    @Test(arguments: [[0x08, 4], [0x0C, 4, 9], [0x30], [0x1C, 0, 0, 0], [0x1D, 0, 0], [0x3F]])
    func `nothing stands behind a frame that goes to the end, and behind what is no frame`(_ last: [UInt8]) {
        #expect(Self.list(last + [5, 4, 1]).isEmpty)
    }

    @Test func `challenges of paths are counted, and beyond what they cost the connection ends`() {
        let challenge: [UInt8] = [0x1A] + [UInt8](repeating: 5, count: 8)
        let response: [UInt8] = [0x1B] + [UInt8](repeating: 0x1A, count: 8)
        let packet = challenge + [5, 4, 1] + challenge + response + challenge.dropLast()
        #expect(unsafe packet.withUnsafeBufferPointer { unsafe AnsweredFrames(in: $0) }.challengeCount == 2)
        var load = ChallengeLoad(receivedByteCount: 2_399, challengeCount: 17)
        #expect(load.refusal == nil)
        load.challengeCount = 18
        #expect(load.refusal?.hasPrefix("18 PATH_CHALLENGE in 2399 bytes") == true)
        load.receivedByteCount = 2_400
        #expect(load.refusal == nil)
    }
}
