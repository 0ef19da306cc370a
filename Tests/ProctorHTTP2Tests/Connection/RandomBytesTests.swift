import Testing

@testable import ProctorHTTP2

/// Connections of the tables with bytes changed at random, always the same ones.
@Suite struct RandomBytesTests {
    /// SplitMix64.
    private struct Generator: RandomNumberGenerator {
        var state: UInt64

        mutating func next() -> UInt64 {
            state &+= 0x9E37_79B9_7F4A_7C15
            var word = (state ^ state >> 30) &* 0xBF58_476D_1CE4_E5B9
            word = (word ^ word >> 27) &* 0x94D0_49BB_1331_11EB
            return word ^ word >> 31
        }
    }

    @Test(arguments: [ConnectionState.Role.server, .client]) func `no bytes trap, and streams stay bounded`(
        _ role: ConnectionState.Role
    ) throws {
        var generator = Generator(state: role == .server ? 1 : 2)
        let rows = SequenceTests.rows.filter { $0.role == role }
        for _ in 0..<4_000 {
            var state = try ConnectionState.make(role)
            var reader = FrameReader(expectsPreface: false)
            for _ in 0..<4 {
                guard let row = rows.randomElement(using: &generator) else { return }
                for step in row.steps { take(step, &reader, &state, &generator) }
            }
            #expect(state.streamCount <= state.bounds.streams)
        }
    }

    private func take(
        _ step: Row.Step, _ reader: inout FrameReader, _ state: inout ConnectionState, _ generator: inout Generator
    ) {
        var bytes: [UInt8]
        switch step {
        case .peer(let frame): bytes = frame.bytes
        case .raw(let raw): bytes = raw
        case .ours(let frame):
            state.willSend(frame)
            return
        case .method(let method, let stream):
            state.sentRequest(Array(method.utf8), on: stream)
            return
        case .tunnel(let stream):
            state.acceptedTunnel(on: stream)
            return
        }
        for _ in 0..<Int.random(in: 0...2, using: &generator) where !bytes.isEmpty {
            // The length is seldom changed, since what follows would be lost in a long frame.
            let first = Int.random(in: 0..<8, using: &generator) == 0 ? 0 : min(3, bytes.count - 1)
            bytes[Int.random(in: first..<bytes.count, using: &generator)] = UInt8.random(in: 0...255, using: &generator)
        }
        var events: [ConnectionEvent] = []
        var position = 0
        while let part = reader.next(bytes.span, at: &position) {
            if case .frame(let frame) = part { state.receive(frame, into: &events) }
        }
        for violation in events.violations {
            #expect(violation.offset <= reader.offset)
            #expect(violation.description.utf8.allSatisfy { $0 >= 0x20 && $0 != 0x7F })
        }
    }
}
