import ProctorLoop
import ProctorTLS
import Testing

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
