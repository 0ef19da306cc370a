import Foundation
import ProctorFixtures
import ProctorJournal
import ProctorScenario
import ProctorServer
import ProctorServing
import ProctorTestSupport
import ProctorTestWire
import Testing

/// Shipped scenarios whose connections never come about, or take no more; the others are talked to in Tests/Data.
struct FaultFixtureTests {
    private static let scenarios = ShippedLibrary.contents.scenarios.filter { scenario in
        ["fault/", "broken/", "body/", "time/"].contains { scenario.id.hasPrefix($0) }
    }

    /// What counts as silence, and as not connecting.
    private static let milliseconds: Int32 = 300

    private func withFixture(_ id: String, _ body: (Run) async throws -> Void) async throws {
        let scenario = try #require(Self.scenarios.first { $0.id == id })
        try await withServer([scenario]) { server in try await body(try await server.run(id)) }
    }

    @Test(arguments: [("fault/nobody-listens", "gone", ECONNREFUSED), ("fault/cannot-be-reached", "away", EINPROGRESS)])
    func `no connection comes about, and the journal has none`(id: String, origin: String, wanted: Int32) async throws {
        try await withFixture(id) { run in
            let base = try #require(run.origin(origin))
            let code = try await onThread { try Wire.codeOfConnecting(to: base, milliseconds: Self.milliseconds) }
            #expect(code == wanted && run.journal.lines == [])
        }
    }

    @Test func `nobody accepts: the connection is open and takes bytes, and nothing comes`() async throws {
        try await withFixture("fault/nobody-accepts") { run in
            let isSilent = try await talk(to: try #require(run.origin("deaf"))) { wire in
                try wire.send(.request("GET /page"))
                return wire.isSilent(milliseconds: Self.milliseconds)
            }
            #expect(isSilent && run.journal.lines == [])
        }
    }

    @Test func `an upload that nobody reads stops when the buffers are full`() async throws {
        try await withFixture("time/upload-that-nobody-reads") { run in
            let wire = try await onThread { try Wire(to: run.base) }
            let count = try await onThread {
                try wire.send(.request("POST /upload", "Content-Length: 20000000"))
                return try wire.sendUntilFull(
                    [UInt8](repeating: 0x61, count: 20_000_000), milliseconds: Self.milliseconds)
            }
            #expect(count < 20_000_000)
            #expect(!run.journal.lines.contains { $0.contains("closed by") })
            wire.reset()
            let lines = try await run.journal.lines(untilClosed: 1)
            #expect(lines.contains { $0.contains("effect stall at ") } && lines.last == "c0 closed by client: reset")
        }
    }

    @Test func `every scenario that breaks or holds up a connection is talked to in a page of Tests/Data or here`()
        throws
    {
        let folder = "\(Tools.project)/Tests/Data/conversations/faults"
        let names = try FileManager.default.contentsOfDirectory(atPath: folder)
        let text = try names.map { try String(contentsOfFile: "\(folder)/\($0)", encoding: .utf8) }.joined()
        let watched = Set(text.split { !$0.isLetter && !$0.isNumber && $0 != "-" && $0 != "/" }.map(String.init)).union(
            [
                "fault/nobody-listens", "fault/cannot-be-reached", "fault/nobody-accepts",
                "time/upload-that-nobody-reads",
            ])
        let broken = Self.scenarios.filter { $0.id.hasPrefix("fault/") || $0.hasBreak }.map(\.id)
        #expect(broken.filter { !watched.contains($0) } == [] && broken.count > 60)
    }
}

extension Scenario {
    /// Whether anything in it ends a connection, one direction of it, or the sending, on purpose.
    fileprivate var hasBreak: Bool { actions.contains { $0.row.ends == .connection || $0.row.ends == .reply } }
}
