import ProctorLoop
import ProctorTLS
import Testing

@Suite struct ResumptionTests {
    static let versions: [TLSVersion] = [.tls12, .tls13]

    /// Twice, with the ticket of the first connection if there is one; whether each of them went on with a session.
    private func play(_ contexts: Contexts) async throws -> (hasTicket: Bool, isResumed: Bool) {
        try await onLoop { loop in
            let first = try await PairOutcome.play(on: loop, server: contexts.server, client: contexts.client)
            try await first.exchange()
            first.close()
            #expect(!first.client.report.isResumed)
            let ticket = first.client.ticket
            let second = try await PairOutcome.play(
                on: loop, server: contexts.server, client: contexts.client, resuming: ticket)
            defer { second.close() }
            try await second.exchange()
            let report = second.client.report
            #expect(report.isResumed == second.server.report.isResumed)
            #expect(report.trust == nil || !report.isResumed)
            return (ticket != nil, report.isResumed)
        }
    }

    @Test(arguments: versions)
    func `a session goes on over the next connection`(_ version: TLSVersion) async throws {
        let outcome = try await play(try await Contexts(version))
        #expect(outcome == (true, true))
    }

    @Test(arguments: versions)
    func `where resumption is off nothing is given`(_ version: TLSVersion) async throws {
        let outcome = try await play(try await Contexts(version, server: { $0.resumption = .off }))
        #expect(outcome == (false, false))
    }

    @Test(arguments: versions)
    func `a refused ticket means a full handshake`(_ version: TLSVersion) async throws {
        let outcome = try await play(try await Contexts(version, server: { $0.resumption = .refused }))
        #expect(outcome == (true, false))
    }
}
