import Foundation
import ProctorBase
import ProctorLoop
import ProctorServer
import ProctorServing
import ProctorTestSupport
import ProctorTestWire
import Testing

/// Origins at which nothing is ever served.
struct OriginRoleTests {
    private func yaml(_ origin: String) -> String {
        """
        summary: a second origin that serves nothing
        origins: { main: {}, other: { \(origin) } }
        exchanges:
          - request: GET /
            reply: { status: 302, headers: { Location: "{{origin.other}}/" } }
        """
    }

    @Test func `a closed origin refuses connections for as long as the run lives`() async throws {
        try await withRun(yaml("role: closed")) { run in
            let dead = try #require(run.origin("other"))
            #expect(try await exchange(.request("GET /"), with: run.base).text.contains("Location: \(dead)/\r\n"))
            await #expect { try await talk(to: dead) { _ in } } throws: { ($0 as? WireFailure)?.code == ECONNREFUSED }
        }
    }

    @Test func `an unaccepting origin connects, takes bytes and stays silent`() async throws {
        try await withRun(yaml("role: unaccepting")) { run in
            let silent = try #require(run.origin("other"))
            let wasSilent = try await talk(to: silent) { wire in
                // More than any queue but a large one holds.
                let others = try (0..<200).map { _ in try Wire(to: silent) }
                try wire.send(.request("GET /"))
                let isSilent = wire.isSilent(milliseconds: 40)
                for other in others { other.close() }
                return isSilent
            }
            #expect(wasSilent)
            #expect(run.journal.lines.isEmpty)
            await run.stop()
            try await onThread { try Wire.waitUntilRefused(by: silent) }
        }
    }

    @Test func `an unreachable origin neither connects nor refuses, until the run ends`() async throws {
        try await withRun(yaml("role: unreachable")) { run in
            let base = try #require(run.origin("other"))
            let address = try SocketAddress(base: base)
            let loop = try EventLoop()
            let error = try await loop.run { () async -> SocketError? in
                do throws(SocketError) {
                    try await Socket.connect(to: address, on: loop, within: 300_000_000).close()
                    return nil
                } catch {
                    return error
                }
            }
            loop.stop()
            #expect(error == .timedOut)
            #expect(run.journal.lines.isEmpty)
            await run.stop()
            try await onThread { try Wire.waitUntilRefused(by: base) }
        }
    }
}
