import Foundation
import ProctorScenario
import ProctorServer
import ProctorTestSupport
import Testing

/// The shipped scenarios that break and hold up connections, each as a raw socket sees it.
struct FaultFixtureTests {
    static let scenarios = ClientCase.library.scenarios.filter { scenario in
        ["fault/", "broken/", "body/", "time/"].contains { scenario.id.hasPrefix($0) }
    }

    static let rows: [FaultRow] = {
        let written = FaultRow.fault + FaultRow.broken
        return written + scenarios.compactMap(FaultRow.init(raw:))
    }()

    @Test(arguments: rows)
    func `a socket sees the bytes of the fixture, its cut and its end, and the journal tells the same`(
        _ row: FaultRow
    ) async throws {
        let scenario = try #require(Self.scenarios.first { $0.id == row.scenario })
        try await withServer([scenario]) { server in
            let run = try await server.run(scenario.id)
            let base = try #require(run.origin(row.origin))
            switch row.meeting {
            case .talks(let talks):
                let watch = FaultWatch(run: run, base: base)
                for (connection, talk) in talks.enumerated() { try await watch.watch(talk, connection: connection) }
            case .refused: #expect(try await code(of: base) == ECONNREFUSED)
            case .unanswered: #expect(try await code(of: base) == EINPROGRESS)
            case .unaccepted:
                let isSilent = try await talk(to: base) { wire in
                    try wire.send(.request("GET /page"))
                    return wire.isSilent(milliseconds: FaultWatch.milliseconds)
                }
                #expect(isSilent)
            }
            if case .talks = row.meeting { return }
            #expect(run.journal.lines == [], "nothing was ever accepted")
        }
    }

    private func code(of base: String) async throws -> Int32 {
        try await onThread { try Wire.codeOfConnecting(to: base, milliseconds: FaultWatch.milliseconds) }
    }

    @Test func `every scenario that breaks or holds up a connection has one row`() {
        let watched = Self.rows.map(\.scenario)
        let broken = Self.scenarios.filter { $0.id.hasPrefix("fault/") || $0.hasBreak }.map(\.id)
        #expect(broken.filter { !watched.contains($0) } == [])
        #expect(Set(watched).count == watched.count)
        #expect(FaultRow.fault.count == Self.scenarios.count { $0.id.hasPrefix("fault/") })
        #expect(!broken.isEmpty)
    }
}

extension Scenario {
    /// Whether anything in it ends a connection, one direction of it, or the sending, on purpose.
    fileprivate var hasBreak: Bool {
        let actions =
            origins.flatMap(\.connectionEffects).map(\.action) + exchanges.flatMap(\.replies).flatMap(\.actions)
        return actions.contains { action in
            switch action {
            case .close, .reset, .halfClose, .stall, .alert, .truncateRecord, .badMAC: true
            case .wait, .send, .await: false
            }
        }
    }
}

extension Reply {
    fileprivate var actions: [Effect.Action] {
        guard case .structured(let reply)? = message else { return effects.map(\.action) }
        let inBody = reply.body.compactMap { piece in
            if case .effect(let action) = piece { action } else { nil }
        }
        let inInterim = reply.interim.compactMap { piece in
            if case .effect(let action) = piece { action } else { nil }
        }
        return effects.map(\.action) + inBody + inInterim
    }
}
