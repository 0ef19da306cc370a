import ProctorServer
import ProctorServing
import ProctorTestSupport
import ProctorTestWire
import Testing

/// Each moment of a handshake with each effect, as a client sees it on the wire and as the journal tells it.
@Suite(.limit(minutes: 5))
struct HandshakeFaultTests {
    enum Moment: String, CaseIterable, CustomTestStringConvertible {
        case serverHello = ""
        case afterServerHello = " after-server-hello"
        case certificate = " certificate"
        case finished = " finished"
        case end = " end"

        var testDescription: String { "handshake\(rawValue)" }

        /// Records of TLS 1.3 that must have come before it.
        var recordCount: Int {
            switch self {
            case .serverHello: 0
            case .afterServerHello: 1
            case .certificate: 3
            case .finished: 5
            case .end: 6
            }
        }
    }

    private func yaml(_ moment: Moment, _ action: String) -> String {
        """
        summary: a handshake with a fault
        origins:
          main:
            scheme: https
            connections:
              - { at: handshake\(moment.rawValue), do: \(action) }
        exchanges:
          - request: "GET /"
            reply: { status: 200, body: whole }
        """
    }

    private func watch(
        _ moment: Moment, _ action: String, silence: Double = 60, behind recordCount: Int = 0
    ) async throws -> (watch: TLSWatch, journal: [String]) {
        try await withRun(yaml(moment, action)) { run in
            let seen = try await TLSWatch.run(run, silence: silence, behind: recordCount)
            return (seen[0], try await run.journal.lines { $0.contains { $0.contains("effect ") } })
        }
    }

    @Test(arguments: Moment.allCases)
    func `close is FIN, behind close_notify once the handshake is complete`(_ moment: Moment) async throws {
        let (seen, journal) = try await watch(moment, "close")
        #expect(seen.end == "fin" && seen.tailByteCount == 0)
        #expect(seen.text.isEmpty && (seen.error == "-") == (moment == .end), "\(seen)")
        #expect(seen.records.count >= moment.recordCount && !seen.records.contains(21))
        #expect((seen.stage == "handshake") == (moment != .end))
        #expect(journal.contains { $0.hasPrefix("c0 hello") })
    }

    @Test func `close without notice leaves close_notify out`() async throws {
        let (seen, journal) = try await watch(.end, "close, notify: false")
        #expect(seen.end == "fin" && seen.error == "UNEXPECTED_EOF_WHILE_READING", "\(seen)")
        #expect(!journal.contains { $0.contains("close_notify") })
    }

    @Test(arguments: [Moment.finished, .end])
    func `half-close is FIN, behind close_notify once the handshake is complete`(_ moment: Moment) async throws {
        let (seen, _) = try await watch(moment, "half-close")
        #expect(seen.end == "fin" && seen.text.isEmpty && (seen.error == "-") == (moment == .end), "\(seen)")
    }

    @Test(arguments: Moment.allCases)
    func `reset is RST`(_ moment: Moment) async throws {
        let seen = try await watch(moment, "reset").watch
        #expect(seen.end == "reset")
    }

    @Test(arguments: Moment.allCases)
    func `stall leaves the connection open and says nothing more`(_ moment: Moment) async throws {
        let seen = try await watch(moment, "stall", silence: 0.5, behind: moment.recordCount).watch
        #expect(seen.end == "silent" && seen.tailByteCount == 0 && seen.text.isEmpty)
        #expect(seen.records.count >= moment.recordCount)
    }

    @Test(arguments: Moment.allCases)
    func `alert is the one of the fixture`(_ moment: Moment) async throws {
        let (seen, journal) = try await watch(moment, "alert 40")
        #expect(seen.error == "SSLV3_ALERT_HANDSHAKE_FAILURE" && seen.end == "fin")
        #expect(journal.contains("c0 alert handshake_failure by server"), "\(journal)")
    }

    @Test(arguments: Moment.allCases)
    func `truncate-record sends half a record and FIN`(_ moment: Moment) async throws {
        let seen = try await watch(moment, "truncate-record").watch
        #expect(seen.end == "fin" && seen.tailByteCount > 0)
        #expect(seen.text.isEmpty && seen.records.isEmpty == (moment == .serverHello), "\(seen)")
    }

    @Test(arguments: Moment.allCases)
    func `bad-mac is found by the client`(_ moment: Moment) async throws {
        let (seen, _) = try await watch(moment, "bad-mac")
        #expect(seen.error.contains("MAC") || seen.error.contains("DECRYPT"), "\(seen.error)")
        #expect(seen.text.isEmpty)
    }

    @Test func `a client that finds a bad MAC says so, and the journal has its alert`() async throws {
        try await withRun(yaml(.certificate, "bad-mac")) { run in
            _ = try await TLSWatch.run(run)
            let lines = try await run.journal.lines(untilClosed: 1)
            #expect(lines.contains("c0 alert bad_record_mac by client"), "\(lines)")
            #expect(lines.contains { $0.hasPrefix("c0 handshake failed") })
        }
    }

    @Test func `an effect at the end of a handshake does not make it a failed one`() async throws {
        try await withRun(yaml(.end, "close")) { run in
            _ = try await TLSWatch.run(run)
            let lines = try await run.journal.lines(untilClosed: 1)
            #expect(lines.contains { $0.hasPrefix("c0 secured 1.3 valid") })
            #expect(!lines.contains { $0.contains("handshake failed") })
        }
    }

    /// Nothing, half a record's head, and half a ClientHello.
    @Test(arguments: [[], [22, 3], [22, 3, 1, 1, 0, 1, 0, 0, 252, 3, 3]] as [[UInt8]])
    func `a client that does not go on is left when the time for a handshake is over`(_ bytes: [UInt8]) async throws {
        try await withRun(
            yaml(.serverHello, "close"), configure: { $0.limits.handshakeDuration = .seconds(1) }
        ) { run in
            let wire = try Wire(to: run.rawBase)
            try wire.send(bytes)
            let ending = try wire.readToEnd().ending
            #expect(ending == .closed)
            let lines = try await run.journal.lines(untilClosed: 1)
            #expect(lines.contains("c0 handshake failed at client-hello: it was not complete in time"), "\(lines)")
            #expect(lines.last == "c0 closed by server: timedOut")
        }
    }
}
