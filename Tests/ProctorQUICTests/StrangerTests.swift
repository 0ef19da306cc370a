import ProctorBase
import ProctorLoop
import ProctorQUICLink
import ProctorTestSupport
import Testing

@testable import ProctorQUIC

/// Datagrams of addresses that nobody has validated cost the server little, and send nobody more than three times as much
/// (RFC 9000 §8).
@Suite(.limit(minutes: 5))
struct StrangerTests {
    /// All that comes to a port until it has been quiet for a moment.
    private static func receive(at port: DatagramPort) async -> [[UInt8]] {
        var datagrams: [[UInt8]] = []
        while let datagram = await port.receive(until: MonotonicClock.nanoseconds + 300_000_000) {
            datagrams.append(datagram.bytes)
        }
        return datagrams
    }

    @Test func `a handshake that does not go on costs nobody more than three times what came`() async throws {
        try await ServedPort.serve { served in
            let port = try DatagramPort(on: served.loop, address: .ipv4(host: "127.0.0.1", port: 0))
            defer { port.close() }
            let packet = InitialPacket.bytes(to: [9, 8, 7, 6, 5, 4, 3, 2])
            port.send(packet, to: served.address)
            let answers = await Self.receive(at: port)
            #expect(served.endpoint.connectionCount == 1)
            #expect(answers.reduce(0) { $0 + $1.count } <= 3 * packet.count, "\(answers.map(\.count))")
        }
    }

    @Test func `beyond so many handshakes a new address is validated first`() async throws {
        var limits = QUICLimits()
        limits.handshakes = 10
        try await ServedPort.serve(limits) { served in
            let port = try DatagramPort(on: served.loop, address: .ipv4(host: "127.0.0.1", port: 0))
            defer { port.close() }
            for number in UInt8(0)..<100 {
                port.send(InitialPacket.bytes(to: [1, 1, 1, 1, 1, 1, 1, number]), to: served.address)
                // The system keeps less than a hundred of them for a port.
                if number % 20 == 0 { _ = await served.loop.sleep(for: .milliseconds(1)) }
            }
            let answers = await Self.receive(at: port)
            #expect(served.endpoint.connectionCount == 10)
            // Retry: a long header of type 3 (RFC 9000 §17.2.5).
            let retries = answers.filter { $0[0] & 0xF0 == 0xF0 }
            #expect(retries.count == 90)
            // With the token of one the client is known, and gets a connection.
            let retry = try #require(retries.first)
            let ours = Array(retry[(7 + Int(retry[5]))...].prefix(Int(retry[6 + Int(retry[5])])))
            let token = Array(retry.dropFirst(7 + Int(retry[5]) + ours.count).dropLast(16))
            port.send(InitialPacket.bytes(to: ours, token: token), to: served.address)
            _ = await Self.receive(at: port)
            #expect(served.endpoint.connectionCount == 11)
            // Of another address it is worth nothing.
            let other = try DatagramPort(on: served.loop, address: .ipv4(host: "127.0.0.1", port: 0))
            defer { other.close() }
            other.send(InitialPacket.bytes(to: ours + [0], token: token), to: served.address)
            #expect(await Self.receive(at: other).map { $0[0] & 0xF0 } == [0xF0])
            #expect(served.endpoint.connectionCount == 11)
        }
    }

    @Test func `packets with bytes changed end nothing but their own connection`() async throws {
        try await ServedPort.serve { served in
            let port = try DatagramPort(on: served.loop, address: .ipv4(host: "127.0.0.1", port: 0))
            defer { port.close() }
            var random = SeededGenerator(seed: 1)
            for number in 0..<2_000 {
                var bytes = InitialPacket.bytes(to: [2, 2, 2, 2, 2, 2, UInt8(number >> 8), UInt8(number & 0xFF)])
                for _ in 0..<Int.random(in: 1...4, using: &random) {
                    bytes[Int.random(in: 0..<60, using: &random)] = UInt8.random(in: 0...255, using: &random)
                }
                if number % 3 == 0 { bytes.removeLast(Int.random(in: 0..<bytes.count, using: &random)) }
                port.send(bytes, to: served.address)
                if number % 100 == 0 { _ = await served.loop.sleep(for: .milliseconds(1)) }
            }
            // It answers still: a Retry, or a connection that waits for the rest of its hello.
            _ = await Self.receive(at: port)
            let count = served.endpoint.connectionCount
            port.send(InitialPacket.bytes(to: [5, 5, 5, 5, 5, 5, 5, 5]), to: served.address)
            let answers = await Self.receive(at: port)
            #expect(!answers.isEmpty || served.endpoint.connectionCount == count + 1)
        }
    }

    @Test func `bytes that are no packets are dropped, and a lost connection is told by a stateless reset`()
        async throws
    {
        try await ServedPort.serve { served in
            let port = try DatagramPort(on: served.loop, address: .ipv4(host: "127.0.0.1", port: 0))
            defer { port.close() }
            let strange: [[UInt8]] = [
                [], [0], [0x40], [0xC0, 0, 0, 0, 1], [0xC0, 0, 0, 0, 1, 255, 1], [0x80, 9, 9, 9, 9, 0, 0],
            ]
            for bytes in strange {
                port.send(bytes, to: served.address)
            }
            #expect(await Self.receive(at: port).isEmpty)
            port.send([0x41] + [UInt8](repeating: 7, count: 60), to: served.address)
            let reset = try #require(await Self.receive(at: port).first)
            #expect(reset.count < 61 && reset[0] & 0xC0 == 0x40)
            #expect(served.endpoint.connectionCount == 0)
        }
    }
}
