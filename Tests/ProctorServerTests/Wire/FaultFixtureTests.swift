import Foundation
import ProctorFixtures
import ProctorJournal
import ProctorScenario
import ProctorServer
import ProctorServing
import ProctorTestSupport
import ProctorTestWire
import Testing

/// The shipped scenarios that break and hold up connections, each as a raw socket sees it.
struct FaultFixtureTests {
    static let scenarios = ShippedLibrary.contents.scenarios.filter { scenario in
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
        // Those of HTTP/2 are watched frame by frame, by tests of its effects.
        let broken = Self.scenarios.filter { $0.id.hasPrefix("fault/") || $0.hasBreak && !$0.id.hasPrefix("h2/") }
            .map(\.id)
        #expect(broken.filter { !watched.contains($0) } == [])
        #expect(Set(watched).count == watched.count)
        #expect(FaultRow.fault.count == Self.scenarios.count { $0.id.hasPrefix("fault/") })
        #expect(!broken.isEmpty)
    }
}

extension Scenario {
    /// Whether anything in it ends a connection, one direction of it, or the sending, on purpose.
    fileprivate var hasBreak: Bool {
        actions.contains { $0.row.ends == .connection || $0.row.ends == .reply }
    }
}

/// Plays the talks of a row on raw sockets, and holds what it sees against the row and the journal.
struct FaultWatch {
    let run: Run
    let base: String

    /// What counts as silence, and as not connecting.
    static let milliseconds: Int32 = 300

    /// More than the buffers of both ends, so that the sender waits for the reader.
    private static let long = 16 << 20

    /// The faults that a thread found on its own socket; empty without faults.
    private struct Sight: Sendable {
        var arrivedByteCount = 0
        var faults: [String] = []

        mutating func note(_ condition: Bool, _ fault: @autoclosure () -> String) {
            if !condition { faults.append(fault()) }
        }
    }

    /// One connection from its first byte to its last, and its entries in the journal.
    func watch(_ talk: FaultRow.Talk, connection: Int) async throws {
        let wire = try await onThread { try Wire(to: base) }
        defer { wire.close() }
        var sight = try await onThread { try play(talk, on: wire) }
        // What went another way on the socket has no end to wait for.
        try #require(sight.faults == [])
        // What the server ended is in the journal while our side still stands.
        switch talk.end {
        case .closed, .reset, .resetAbruptly: _ = try await lines(of: connection)
        case .halfClosed, .open, .stalled, .unread, .held:
            let early = run.journal.lines.filter { $0.hasPrefix("c\(connection) closed") }
            #expect(early == [], "the server left before we did")
            let left = sight
            sight = try await onThread { try leave(talk, on: wire, left) }
        }
        #expect(sight.faults == [])
        try await check(talk, connection, arrivedByteCount: sight.arrivedByteCount)
    }

    // MARK: Socket

    private func play(_ talk: FaultRow.Talk, on wire: Wire) throws -> Sight {
        var sight = Sight()
        for (index, step) in talk.steps.enumerated() {
            switch step {
            case .send(let bytes): try wire.send(bytes)
            case .arrives(let template):
                let wanted = template.replacing(Array("{{base}}".utf8), with: Array(base.utf8))
                let got = try wire.read(wanted.count)
                sight.arrivedByteCount += got.count
                sight.note(got == wanted, "step \(index): \(Self.difference(got, wanted))")
            case .silence:
                sight.note(wire.isSilent(milliseconds: Self.milliseconds), "step \(index): something came")
            case .fill(let bytes):
                let count = try wire.sendUntilFull(bytes, milliseconds: Self.milliseconds)
                sight.note(count < bytes.count, "step \(index): all \(count) bytes were taken")
            }
        }
        switch talk.end {
        case .closed, .halfClosed: try end(wire, by: .closed, &sight)
        case .reset: try end(wire, by: .reset, &sight)
        case .resetAbruptly(let bytes):
            let rest = try wire.readToEnd()
            sight.arrivedByteCount += rest.bytes.count
            sight.note(rest.ending == .reset, "the end is \(rest.ending)")
            sight.note(bytes.starts(with: rest.bytes), Self.difference(rest.bytes, bytes))
        case .open, .stalled, .unread, .held:
            sight.note(wire.isSilent(milliseconds: Self.milliseconds), "something came at the end")
        }
        return sight
    }

    /// Ends from our side what the server leaves open.
    private func leave(_ talk: FaultRow.Talk, on wire: Wire, _ before: Sight) throws -> Sight {
        var sight = before
        switch talk.end {
        case .halfClosed:
            try wire.send([UInt8](repeating: 0x2E, count: Self.long))
            wire.finish()
            try end(wire, by: .closed, &sight)
        case .open, .stalled:
            wire.finish()
            try end(wire, by: .closed, &sight)
        case .unread:
            wire.finish()
            try end(wire, by: .reset, &sight)
        case .held: wire.reset()
        case .closed, .reset, .resetAbruptly: break
        }
        return sight
    }

    private func end(_ wire: Wire, by ending: Wire.Ending, _ sight: inout Sight) throws {
        let rest = try wire.readToEnd()
        sight.arrivedByteCount += rest.bytes.count
        sight.note(rest == Wire.Received([], ending), "behind all bytes: \(rest.description.prefix(200))")
    }

    /// Where bytes part from what was wanted; they may be too many to print.
    private static func difference(_ got: [UInt8], _ wanted: [UInt8]) -> String {
        let place = zip(got, wanted).enumerated().first { $0.element.0 != $0.element.1 }?.offset
        let offset = place ?? min(got.count, wanted.count)
        let text = String(decoding: got.dropFirst(max(0, offset - 40)).prefix(80), as: UTF8.self)
        return "\(got.count) bytes in place of \(wanted.count), other from \(offset) on: \(text.debugDescription)"
    }

    // MARK: Journal

    /// Of one connection, which has ended.
    private func lines(of connection: Int) async throws -> [String] {
        let prefix = "c\(connection) "
        let lines = try await run.journal.lines { lines in
            lines.contains { $0.hasPrefix("\(prefix)closed by ") }
        }
        return lines.filter { $0.hasPrefix(prefix) }.map { String($0.dropFirst(prefix.count)) }
    }

    private func check(_ talk: FaultRow.Talk, _ connection: Int, arrivedByteCount: Int) async throws {
        let lines = try await lines(of: connection)
        let end =
            switch talk.end {
            case .closed, .halfClosed: "closed by server: closed"
            case .reset, .resetAbruptly: "closed by server: reset"
            case .open, .stalled, .unread: "closed by client: closed"
            case .held: "closed by client: reset"
            }
        #expect(lines.last == end, "\(lines)")
        let isStalled = lines.contains { $0.contains("effect stall at ") }
        let wantsStall = [.stalled, .unread, .held].contains(talk.end)
        #expect(isStalled == wantsStall, "\(lines)")
        let isHalfClosed = lines.contains { $0.contains("effect half-close at ") }
        #expect(isHalfClosed == (talk.end == .halfClosed), "\(lines)")
        try checkCounts(connection, talk, arrived: arrivedByteCount)
    }

    /// The journal counts the very bytes that arrived, greetings apart; an abrupt reset may have taken some of them.
    private func checkCounts(_ connection: Int, _ talk: FaultRow.Talk, arrived arrivedByteCount: Int) throws {
        let told = run.journal.snapshot().entries.filter { $0.connection == connection }.reduce(0) { sum, entry in
            switch entry.event {
            case .replySent(_, let count), .replyAborted(let count, _): sum + count
            default: sum
            }
        }
        var greeting = 0
        if case .arrives(let bytes)? = talk.steps.first { greeting = bytes.count }
        switch talk.end {
        case .resetAbruptly(let bytes): #expect(told == bytes.count && arrivedByteCount <= told)
        default: #expect(told + greeting == arrivedByteCount)
        }
    }
}
