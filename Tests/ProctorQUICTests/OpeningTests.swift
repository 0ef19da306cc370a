import ProctorBase
import ProctorLoop
import ProctorQUICLink
import ProctorQUICWire
import ProctorTestSupport
import Testing

@testable import ProctorQUIC

/// What a client sends first is read here before ngtcp2 gets any of it (RFC 9000 §17.2, RFC 9001 §8).
@Suite(.limit(minutes: 5))
struct OpeningTests {
    private static let id: [UInt8] = [9, 8, 7, 6, 5, 4, 3, 2]
    private static let source: [UInt8] = [1, 2, 3, 4]

    /// Sends datagrams from one address, and gives the answer to the last and why others were dropped.
    private static func exchange(
        _ datagrams: [[UInt8]], _ limits: QUICLimits = QUICLimits()
    ) async throws -> (answer: [UInt8]?, dropped: [DatagramFault], seen: [String]) {
        let dropped = Locked<[DatagramFault]>([])
        var limits = limits
        limits.didDrop = { fault in dropped.withLock { $0.append(fault) } }
        return try await ServedPort.serve(limits) { served in
            let port = try DatagramPort(on: served.loop, address: .ipv4(host: "127.0.0.1", port: 0))
            defer { port.close() }
            for datagram in datagrams { port.send(datagram, to: served.address) }
            // A packet of another version is answered when all before it are read.
            let version: [UInt8] = [0xC0, 9, 9, 9, 9, 8] + id + [4] + source
            port.send(version + [UInt8](repeating: 0, count: 1_200 - version.count), to: served.address)
            var answer: [UInt8]?
            while let next = await port.receive(until: MonotonicClock.nanoseconds + Patience.whole.wholeNanoseconds) {
                // Version Negotiation.
                if next.bytes.dropFirst().prefix(4).elementsEqual([0, 0, 0, 0]) { break }
                answer = next.bytes
            }
            return (answer, dropped.withLock { $0 }, served.seen.all)
        }
    }

    /// The code and the reason of a CONNECTION_CLOSE in an Initial packet to the client.
    private static func close(_ answer: [UInt8]?, of id: [UInt8] = id) throws -> String {
        let answer = try #require(answer)
        guard case .packets(let packets) = try DatagramReading(answer.span, by: .server) else { return "no packets" }
        #expect(Array(answer[packets.destination]) == source)
        let keys = try #require(InitialKeys(id, isClient: true))
        let opened = try #require(keys.open(packets.long[0], in: answer, expected: 0))
        let close = try #require(try InitialFrames(opened.payload.span).close)
        return "0x\(String(close.code, radix: 16)) \(String(decoding: opened.payload[close.reason], as: UTF8.self))"
    }

    private static func refusal(of hello: [UInt8]) async throws -> String {
        let packet = InitialPacket.bytes(to: id, frames: InitialPacket.crypto(hello))
        return try close(try await exchange([packet]).answer)
    }

    @Test func `a ClientHello without transport parameters or ALPN is refused by its code`() async throws {
        let parameters = InitialPacket.parameters(Self.source)
        #expect(
            try await Self.refusal(of: InitialPacket.hello(InitialPacket.usual))
                == "0x16d the ClientHello has no quic_transport_parameters (RFC 9001 §8.2)")
        #expect(
            try await Self.refusal(of: InitialPacket.hello([InitialPacket.usual[0], parameters]))
                == "0x178 the ClientHello offers no application protocol (RFC 9001 §8.1)")
    }

    @Test func `a ClientHello with transport parameters that a client may not send is refused`() async throws {
        let token = InitialPacket.parameters(Self.source, [0x02, 16] + [UInt8](repeating: 5, count: 16))
        #expect(
            try await Self.refusal(of: InitialPacket.hello(InitialPacket.usual + [token])) == "0x8 a client sent the "
                + "transport parameter stateless_reset_token, which only a server may (RFC 9000 §18.2)")
        let other = InitialPacket.parameters([1, 2, 3])
        #expect(
            try await Self.refusal(of: InitialPacket.hello(InitialPacket.usual + [other]))
                == "0x8 initial_source_connection_id is not the id of the client's packets (RFC 9000 §7.3)")
    }

    @Test func `a ClientHello in several packets is gathered in any order`() async throws {
        let hello = InitialPacket.hello(InitialPacket.usual)
        let parts = [
            InitialPacket.crypto(hello[20...], at: 20), InitialPacket.crypto(hello[..<10]),
            InitialPacket.crypto(hello[5..<25], at: 5),
        ]
        let answer = try await Self.exchange(parts.map { InitialPacket.bytes(to: Self.id, frames: $0) }).answer
        #expect(try Self.close(answer) == "0x16d the ClientHello has no quic_transport_parameters (RFC 9001 §8.2)")
    }

    @Test func `CRYPTO that comes twice with other bytes is refused`() async throws {
        let parts = [InitialPacket.crypto([1, 0, 1, 0]), InitialPacket.crypto([1, 0, 2, 0])]
        let answer = try await Self.exchange(parts.map { InitialPacket.bytes(to: Self.id, frames: $0) }).answer
        #expect(try Self.close(answer) == "0xa CRYPTO came twice with other bytes (RFC 9000 §2.2)")
    }

    @Test func `headers that break their rules open nothing, and are counted`() async throws {
        let good = InitialPacket.bytes(to: Self.id)
        var zero = good
        zero[2...4] = [0, 0, 0]
        var changed = good
        changed[changed.count - 1] ^= 1
        var cleared = good
        cleared[0] ^= 0x40
        let found = try await Self.exchange([
            InitialPacket.bytes(to: [UInt8](repeating: 1, count: 21)), zero, Array(good.dropLast()), [],
            InitialPacket.bytes(to: [1, 2, 3, 4, 5, 6, 7]), changed, cleared,
        ])
        #expect(
            found.dropped == [
                .idTooLong, .versionNegotiationByClient, .lengthBeyondEnd, .empty, .idTooShort, .notOpened,
                .fixedBitMissing,
            ])
        #expect(found.answer == nil)
        #expect(found.seen.isEmpty)
    }

    @Test func `the token of a Retry opens one connection`() async throws {
        var limits = QUICLimits()
        limits.retry = .once
        try await ServedPort.serve(limits) { served in
            let port = try DatagramPort(on: served.loop, address: .ipv4(host: "127.0.0.1", port: 0))
            defer { port.close() }
            func ask(_ packet: [UInt8]) async throws -> [UInt8] {
                port.send(packet, to: served.address)
                let end = MonotonicClock.nanoseconds + Patience.whole.wholeNanoseconds
                return try #require(await port.receive(until: end)).bytes
            }
            let retry = try await ask(InitialPacket.bytes(to: Self.id))
            guard case .packets(let packets) = try DatagramReading(retry.span, by: .server) else { return }
            #expect(packets.long[0].kind == .retry)
            let (ours, token) = (Array(retry[packets.source]), Array(retry[packets.long[0].token]))
            let frames = InitialPacket.crypto(InitialPacket.hello(InitialPacket.usual))
            let packet = InitialPacket.bytes(to: ours, token: token, frames: frames)
            let first = try Self.close(try await ask(packet), of: ours)
            #expect(first == "0x16d the ClientHello has no quic_transport_parameters (RFC 9001 §8.2)")
            let second = try Self.close(try await ask(packet), of: ours)
            #expect(second == "0xb the token of a Retry was used before (RFC 9000 §8.1.4)")
        }
    }
}
