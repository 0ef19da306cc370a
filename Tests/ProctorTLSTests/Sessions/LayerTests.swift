import COpenSSL
import ProctorLoop
import ProctorTLSWire
import ProctorTestSupport
import Testing

@testable import ProctorTLS

/// What a session as a layer holds against peers that would use up its loop or its memory.
@Suite(.limit(minutes: 5))
struct LayerTests {
    /// Puts so many KeyUpdates that ask for one in return (RFC 8446 §4.6.3) into the queue.
    private static func askForKeys(_ session: TLSSession, times: Int) -> Bool {
        (0..<times).allSatisfy { _ in
            unsafe SSL_key_update(session.ssl, SSL_KEY_UPDATE_REQUESTED) == 1 && SSL_do_handshake(session.ssl) == 1
        }
    }

    @Test func `answers that a peer asks for without end wait when the queue is full`() async throws {
        let contexts = try await Contexts()
        try await onLoop { loop in
            let pair = try await PairOutcome.play(on: loop, server: contexts.server, client: contexts.client)
            defer { pair.close() }
            try await pair.exchange()
            #expect(Self.askForKeys(pair.client, times: 20_000))
            let room = UnsafeMutableRawBufferPointer.allocate(byteCount: 1000, alignment: 1)
            defer { unsafe room.deallocate() }
            // As when the client reads nothing.
            var most = 0
            var outcome = LayerOutcome.wantsToReceive
            while outcome == .wantsToReceive {
                _ = pair.client.flush(to: pair.sockets.client)
                try await pair.sockets.server.waitToReceive(within: patience)
                outcome = unsafe pair.server.read(into: room, from: pair.sockets.server)
                most = max(most, pair.server.unsentByteCount)
            }
            #expect(outcome == .wantsToSend)
            #expect(most > 128 << 10 && most < 256 << 10, "\(most)")
            #expect(!pair.sockets.server.isQuiet)
            // Both continue once both read.
            let (server, client) = (pair.sockets.server, pair.sockets.client)
            async let echo = client.take(1)
            async let written: Void = client.write([5], within: patience)
            let heard = try await server.take(1)
            try await server.write(heard, within: patience)
            #expect(try await echo == [5])
            try await written
        }
    }

    @Test func `half a ticket holds an upload up only until the rest of it comes`() async throws {
        let authority = try await TestAuthority.shared
        let contexts = try await Contexts {
            $0.clientCertificate = .require
        } client: {
            $0.identity = authority.alice
        }
        try await onLoop { loop in
            let pair = try await PairOutcome.play(on: loop, server: contexts.server, client: contexts.client)
            defer { pair.close() }
            try await pair.exchange()
            // With the client's certificate in it, it needs two records of 512 bytes.
            let isMade =
                unsafe SSL_ctrl(pair.server.ssl, SSL_CTRL_SET_MAX_SEND_FRAGMENT, 512, nil) == 1
                && SSL_new_session_ticket(pair.server.ssl) == 1 && SSL_do_handshake(pair.server.ssl) == 1
            #expect(isMade)
            let (server, client) = (pair.sockets.server, pair.sockets.client)
            let firstCount = pair.server.queue.firstRecordByteCount
            let count = try #require(firstCount)
            #expect(count < pair.server.unsentByteCount)
            let end = pair.server.queue.sentByteCount + count
            let code = TLSSession.sendSome(of: &pair.server.queue, upTo: end, over: server)
            #expect(code == 0)
            try await client.waitToReceive(within: patience)
            #expect(client.isQuiet)
            #expect(client.writeAtOnce([1]) == 0)
            let bytes = [UInt8](repeating: 7, count: 100_000)
            async let echo = client.take(1)
            async let written: Void = client.write(bytes, within: patience)
            // Both tasks wait for the rest, which goes out with the server's first read.
            await loop.sleep(until: 0)
            #expect(try await server.take(bytes.count) == bytes)
            try await server.write([9], within: patience)
            #expect(try await echo == [9])
            try await written
        }
    }

    @Test func `one call takes bytes from the system so many times only`() async throws {
        let contexts = try await Contexts()
        try await onLoop { loop in
            let sockets = try await SocketPair.make(on: loop)
            defer { sockets.close() }
            let session = TLSSession(server: contexts.server, on: sockets.server, received: [1, 2])
            try await sockets.client.write([UInt8](repeating: 0, count: 100), within: patience)
            try await sockets.server.waitToReceive(within: patience)
            let room = UnsafeMutableRawBufferPointer.allocate(byteCount: 1, alignment: 1)
            defer { unsafe room.deallocate() }
            for expected in [18, 16, 16] {
                session.beginCall()
                var count = 0
                while unsafe session.receive(into: room) > 0 { count += 1 }
                #expect(count == expected)
            }
        }
    }

    @Test func `a reset is told as one every time`() async throws {
        let contexts = try await Contexts()
        try await onLoop { loop in
            let pair = try await PairOutcome.play(on: loop, server: contexts.server, client: contexts.client)
            defer { pair.close() }
            try await pair.exchange()
            pair.sockets.client.reset()
            try await pair.sockets.server.waitToReceive(within: patience)
            let room = UnsafeMutableRawBufferPointer.allocate(byteCount: 10, alignment: 1)
            defer { unsafe room.deallocate() }
            for _ in 0..<3 {
                let outcome = unsafe pair.server.read(into: room, from: pair.sockets.server)
                #expect(outcome == .broken)
            }
            #expect(!pair.server.report.wasTruncated)
        }
    }

    @Test func `alerts without end are counted, and the one that ends the connection is told`() async throws {
        let contexts = try await Contexts()
        try await onLoop { loop in
            let sockets = try await SocketPair.make(on: loop)
            defer { sockets.close() }
            let session = TLSSession(server: contexts.server, on: sockets.server, received: [])
            var told: [UInt8] = []
            session.onAlert = { told.append($0.number) }
            for _ in 0..<100 { session.recordAlert(TLSAlert(isOurs: true, isFatal: false, number: 100)) }
            session.recordAlert(TLSAlert(isOurs: false, isFatal: true, number: 40))
            #expect(told == [UInt8](repeating: 100, count: 16) + [40])
            #expect(session.report.alerts.map(\.number) == told)
            #expect(session.alertCount == 101)
        }
    }
}
