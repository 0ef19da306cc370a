import Testing

@testable import ProctorHTTP2

@Suite struct FrameReaderTests {
    @Test func `frames of every type are read back as they were written`() throws {
        let frames: [Frame] = [
            .data([1, 2, 3], on: 1, endsStream: true), .data([1], on: 3, padding: 4), .headers([0x82], on: 1),
            .headers(
                [0x82], on: 1, endsHeaders: false, dependency: StreamDependency(on: 5, isExclusive: true, weight: 256),
                padding: 2),
            .priority(StreamDependency(on: 9, weight: 1), on: 3), .resetStream(7, .cancel),
            .settings([Setting(.maxFrameSize, 20_000), Setting(Setting.Identifier(rawValue: 0xABCD), .max)]),
            .settingsAck,
            .pushPromise(2, [0x82], on: 1, padding: 1), .ping([1, 2, 3, 4, 5, 6, 7, 8], isAck: true),
            .goAway(lastStream: 0x7FFF_FFFF, ErrorCode(rawValue: 0xFFFF_FFFF), debug: Array("why".utf8)),
            .windowUpdate(0x7FFF_FFFF, on: 0x7FFF_FFFF), .continuation([1], on: 1),
            .priorityUpdate(3, Array("u=0".utf8)),
            Frame(
                FrameType(rawValue: 0xEE), flags: FrameFlags(rawValue: 0xFF), stream: 4, hasReservedBit: true,
                payload: [9]),
        ]
        let parts = Verifier.parts(of: frames.flatMap(\.bytes))
        try #require(parts.count == frames.count)
        var offset = 0
        for (part, frame) in zip(parts, frames) {
            guard case .frame(let read) = part else { throw Verifier.Missing() }
            #expect(read.frame == frame && read.offset == offset && read.payloadByteCount == frame.payload.count)
            #expect(read.content != nil)
            offset += frame.bytes.count
        }
    }

    @Test func `contents are typed`() throws {
        #expect(
            try Verifier.frame(Frame.data([1, 2], on: 1, padding: 3).bytes).content
                == .data(1..<3, padding: Padding(byteCount: 3, isZero: true)))
        #expect(try Verifier.frame(Frame.windowUpdate(5).bytes).content == .windowUpdate(5))
        #expect(
            try Verifier.frame(Frame.goAway(lastStream: 3, .noError, debug: [1]).bytes).content
                == .goAway(lastStream: 3, .noError, debug: 8..<9))
        #expect(try Verifier.frame(Frame.priorityUpdate(3, [1]).bytes).content == .priorityUpdate(3, 4..<5))
        #expect(
            try Verifier.frame(Frame.settings([Setting(.enablePush, 0)]).bytes).content
                == .settings([Setting(.enablePush, 0)]))
    }

    @Test func `a client's preface comes before its frames`() throws {
        let parts = Verifier.parts(of: FrameReader.preface + Frame.settings([]).bytes, expectsPreface: true)
        try #require(parts.count == 2)
        #expect(parts[0] == .preface)
        guard case .frame(let frame) = parts[1] else { throw Verifier.Missing() }
        #expect(frame.offset == 24)
    }

    @Test(arguments: 0..<24) func `a preface that is wrong at a byte is refused there`(_ place: Int) throws {
        var bytes = FrameReader.preface
        bytes[place] ^= 0x20
        let parts = Verifier.parts(of: bytes, expectsPreface: true)
        try #require(parts.count == 1)
        guard case .notHTTP2(let violation) = parts[0] else { throw Verifier.Missing() }
        #expect(violation.offset == place && violation.kind == .badPreface && violation.errorCode == .protocolError)
    }

    @Test func `a stated length is taken at its word`() throws {
        var bytes: [UInt8] = []
        FrameWriter.append(.ping([1, 2, 3, 4, 5, 6, 7, 8]), statedByteCount: 16_777_215, to: &bytes)
        #expect(bytes.prefix(3) == [0xFF, 0xFF, 0xFF])
        let parts = Verifier.parts(of: bytes)
        try #require(parts.count == 1)
        guard case .frame(let frame) = parts[0] else { throw Verifier.Missing() }
        #expect(frame.payloadByteCount == 16_777_215 && frame.frame.payload.isEmpty)
        #expect(frame.violations.map(\.summary) == ["frame-too-long FS connection 9113 §4.2"])
    }

    @Test func `a longer frame is left out and the next one is read`() throws {
        let parts = Verifier.parts(
            of: Frame.data([1, 2, 3, 4, 5], on: 1).bytes + Frame.windowUpdate(1).bytes, maximum: 4)
        try #require(parts.count == 2)
        guard case .frame(let long) = parts[0] else { throw Verifier.Missing() }
        #expect(long.content == nil && long.payloadByteCount == 5 && long.frame.payload.isEmpty)
        #expect(long.violations.map(\.summary) == ["frame-too-long FS stream 9113 §4.2"])
    }
}
