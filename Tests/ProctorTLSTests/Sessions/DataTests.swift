import ProctorBase
import ProctorLoop
import ProctorTLS
import ProctorTLSWire
import Testing

@Suite struct DataTests {
    static let versions: [TLSVersion] = [.tls12, .tls13]

    private static func pattern(_ count: Int) -> [UInt8] {
        (0..<count).map { UInt8(truncatingIfNeeded: $0 &* 31 &+ $0 >> 8) }
    }

    @Test(arguments: TLSVersion.allCases)
    func `large bodies go both ways at once`(_ version: TLSVersion) async throws {
        let contexts = try await Contexts(version)
        try await onLoop { loop in
            let pair = try await PairOutcome.play(on: loop, server: contexts.server, client: contexts.client)
            defer { pair.close() }
            let bytes = Self.pattern(3_000_001)
            let sockets = pair.sockets
            async let upload: Void = sockets.client.write(bytes, within: patience)
            async let download: Void = sockets.server.write(bytes, within: patience)
            async let atServer = sockets.server.take(bytes.count)
            async let atClient = sockets.client.take(bytes.count)
            #expect(try await atServer == bytes)
            #expect(try await atClient == bytes)
            try await upload
            try await download
        }
    }

    @Test(arguments: versions)
    func `a reader that does not read holds the writer up, and gets it all`(_ version: TLSVersion) async throws {
        let contexts = try await Contexts(version)
        try await onLoop { loop in
            let pair = try await PairOutcome.play(on: loop, server: contexts.server, client: contexts.client)
            defer { pair.close() }
            let piece = Self.pattern(65_536)
            var sum = 0
            do throws(SocketError) {
                while sum < 1 << 30 {
                    sum += try await pair.sockets.server.writeSome(piece, from: sum % 65_536, within: 300_000_000)
                }
                Issue.record("nothing held the writer up")
            } catch {
                #expect(error == .timedOut)
            }
            // The queue is bounded.
            #expect(pair.server.unsentByteCount <= 72 << 10)
            #expect(pair.server.unsentByteCount > 0)
            pair.sockets.server.halfClose()
            let heard = try await pair.sockets.client.takeAll()
            #expect(heard.count == sum)
            #expect(!pair.client.report.wasTruncated)
        }
    }

    @Test(arguments: versions)
    func `an end without close_notify is noticed, and is an end`(_ version: TLSVersion) async throws {
        let contexts = try await Contexts(version)
        try await onLoop { loop in
            let pair = try await PairOutcome.play(on: loop, server: contexts.server, client: contexts.client)
            defer { pair.close() }
            pair.sockets.server.sendsCloseNotify = false
            try await pair.sockets.server.write([1, 2, 3], within: patience)
            pair.sockets.server.halfClose()
            let heard = try await pair.sockets.client.takeAll()
            #expect(heard == [1, 2, 3])
            #expect(pair.client.report.wasTruncated)
            #expect(pair.client.report.alerts.isEmpty)
            // The other direction stands.
            try await pair.sockets.client.write([4], within: patience)
            #expect(try await pair.sockets.server.take(1) == [4])
        }
    }

    @Test(arguments: versions)
    func `a connection that has nothing to say is quiet, tickets notwithstanding`(_ version: TLSVersion) async throws {
        let contexts = try await Contexts(version)
        try await onLoop { loop in
            let pair = try await PairOutcome.play(on: loop, server: contexts.server, client: contexts.client)
            defer { pair.close() }
            #expect(pair.sockets.client.isQuiet)
            #expect(pair.client.ticket != nil)
            try await pair.sockets.server.write([9], within: patience)
            try await pair.sockets.client.waitUntilReadable(within: patience)
            #expect(!pair.sockets.client.isQuiet)
            #expect(try await pair.sockets.client.take(1) == [9])
            #expect(pair.sockets.client.isQuiet)
            pair.sockets.server.halfClose()
            try await pair.sockets.client.waitUntilReadable(within: patience)
            #expect(!pair.sockets.client.isQuiet)
        }
    }

    @Test(arguments: TLSVersion.allCases)
    func `a spoilt record is told with its alert`(_ version: TLSVersion) async throws {
        let contexts = try await Contexts(version)
        try await onLoop { loop in
            let pair = try await PairOutcome.play(on: loop, server: contexts.server, client: contexts.client)
            defer { pair.close() }
            try await pair.exchange()
            pair.server.spoil(.badMAC)
            try await pair.sockets.server.write([1, 2, 3], within: patience)
            do {
                _ = try await pair.sockets.client.take(1)
                Issue.record("it was taken")
            } catch let error as SocketError {
                guard case .layerFailed(let sentence) = error else { throw error }
                #expect(sentence.hasSuffix("decryption failed or bad record mac"))
            }
            // Its alert goes to the server, who reads it.
            await #expect(throws: SocketError.self) { _ = try await pair.sockets.server.take(1) }
            #expect(pair.server.report.alerts.map(\.name) == ["bad_record_mac"])
        }
    }

    @Test(arguments: versions)
    func `half a record goes out and nothing after it`(_ version: TLSVersion) async throws {
        let contexts = try await Contexts(version)
        try await onLoop { loop in
            let pair = try await PairOutcome.play(on: loop, server: contexts.server, client: contexts.client)
            defer { pair.close() }
            try await pair.exchange()
            pair.server.spoil(.truncated)
            try await pair.sockets.server.write(Self.pattern(100_000), within: patience)
            pair.sockets.server.halfClose()
            let heard = try await pair.sockets.client.takeAll()
            #expect(heard.isEmpty)
            #expect(pair.client.report.wasTruncated)
        }
    }

    @Test func `a TLS peer that begins to speak plainly is a failure in a sentence`() async throws {
        let contexts = try await Contexts()
        try await onLoop { loop in
            let pair = try await PairOutcome.play(on: loop, server: contexts.server, client: contexts.client)
            defer { pair.close() }
            pair.sockets.client.layer = nil
            try await pair.sockets.client.write(Array("GET / HTTP/1.1\r\n\r\n".utf8), within: patience)
            do {
                _ = try await pair.sockets.server.take(1)
                Issue.record("it was taken")
            } catch let error as SocketError {
                guard case .layerFailed(let sentence) = error else { throw error }
                #expect(!sentence.isEmpty)
            }
        }
    }
}

@Suite struct LeakTests {
    @Test func `a session goes with its connection, however that ended`() async throws {
        let contexts = try await Contexts()
        let distrustful = try await Contexts(client: { $0.anchors = [] })
        try await onLoop { loop in
            var left: [Weak] = []
            for index in 0..<30 {
                let client = index % 3 == 0 ? distrustful.client : contexts.client
                let pair = try await PairOutcome.play(on: loop, server: contexts.server, client: client)
                left += [Weak(pair.server), Weak(pair.client)]
                if index % 3 == 1 { try await pair.exchange() }
                if index % 2 == 0 { pair.sockets.server.halfClose() }
                pair.close()
            }
            #expect(left.count == 60)
            #expect(left.count { $0.session != nil } == 0)
        }
    }

    private struct Weak {
        weak var session: TLSSession?

        init(_ session: TLSSession) {
            self.session = session
        }
    }
}
