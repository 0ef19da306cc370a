import Foundation
import ProctorGrading
import ProctorJournal
import ProctorScenario
import ProctorServer
import ProctorTLS
import ProctorTestSupport
import Testing

@testable import ProctorNotation

/// Sets one client all cases that it can be told, and judges it by the fixtures and its ledger.
struct Exam: Sendable, CustomTestStringConvertible {
    let adapter: any ClientAdapter
    /// The cases that the client is set.
    let rows: [ClientCase]
    /// Those that are asked: one of each scenario, unless everything is.
    var asked: [ClientCase] { Extent.of(rows) { $0.scenario.id } }
    /// The others.
    let skipped: [(row: ClientCase, reason: SkipReason)]

    static let curl = Exam(CurlAdapter())
    static let urllib = Exam(PythonAdapter.urllib)
    static let httpClient = Exam(PythonAdapter.httpClient)

    /// Clients of all exams together; more would only wait for the processor.
    private static let gate = Gate(width: 4)

    private init(_ adapter: any ClientAdapter) {
        self.adapter = adapter
        var rows: [ClientCase] = []
        var skipped: [(ClientCase, SkipReason)] = []
        for row in ClientCase.all {
            if let reason = adapter.reasonToSkip(row.item, of: row.scenario) {
                skipped.append((row, reason))
            } else {
                rows.append(row)
            }
        }
        self.rows = rows
        self.skipped = skipped
    }

    /// Gives the case a server, a run and a client of its own, and records what does not fit.
    func take(_ row: ClientCase) async throws {
        let ledger = try LedgerFile.ledger(of: adapter.name)
        let sitting = try await Self.gate.admit { try await Sitting(row, adapter) }
        var audit = LedgerAudit(ledger)
        let judgement = audit.judge(row.id, sitting.outcome, entries: sitting.entries)
        guard judgement.isFailure else { return }
        let version = try adapter.version()
        if ledger.speaks(ofVersion: version) {
            Issue.record("\(sitting.account(of: judgement))")
        } else {
            let note = "Tests/Clients/\(adapter.name).yaml is written for \(ledger.version ?? ""), this is \(version)"
            Issue.record("\(note)\n\(sitting.account(of: judgement))", severity: .warning)
        }
    }

    var testDescription: String { adapter.name }

    /// How many cases are skipped for each reason.
    var skipCounts: [SkipReason: Int] {
        skipped.reduce(into: [:]) { $0[$1.reason, default: 0] += 1 }
    }
}

/// One case taken by one client: what the server saw and what the client said.
struct Sitting: Sendable {
    let row: ClientCase
    let verdict: WireVerdict
    let entries: [JournalEntry]
    let reports: [ClientReport]
    /// Facts of the client's side that do not hold.
    let clientFailures: [String]

    init(_ row: ClientCase, _ adapter: any ClientAdapter) async throws {
        let folder = try TestFolder()
        defer { folder.remove() }
        var configuration = ServerConfiguration()
        // One for all sittings: large keys take their time, and are made once.
        configuration.authority = .folder(try Self.authority.get())
        let server = try await Server.start(Catalogue([row.scenario]), configuration: configuration)
        let run = try await server.run(row.scenario.id)
        let context = run.context
        do {
            let steps = try row.item.client.enumerated().map { number, program in
                try ClientStep(
                    program, number: number, session: row.item.client.first?.session, context: context,
                    folder: folder.path)
            }
            reports = try await adapter.perform(steps)
        } catch {
            await server.stop(grace: .zero)
            throw error
        }
        // The client has left its connections: the end of each is in the journal when this returns, if it can be noticed.
        await run.stop(grace: row.scenario.overlooksTheEnd ? .zero : Patience.whole)
        self.row = row
        entries = run.journal.snapshot().entries
        verdict = run.wireVerdict(of: row.item)
        clientFailures =
            ClientFacts(reports: reports, context: context).failures(of: row.item)
            + ClientEndings(reports).failures(of: row.item)
        await server.stop(grace: .zero)
    }

    private static let authority = Result { try JudgeFolder.make() + "/ca" }

    /// Wire and client's side together; what is only observed stays so.
    var outcome: WireVerdict.Outcome {
        verdict.outcome == .pass && !clientFailures.isEmpty ? .fail : verdict.outcome
    }

    /// For a person: what happened, what was wanted, and what to do about it.
    func account(of judgement: LedgerAudit.Judgement) -> String {
        let advice =
            switch judgement {
            case .fixed(let deviation):
                "the client passes now: the entry at \(deviation.location) is to be removed"
            case .changed(let deviation, let diagnosis):
                "the client fails otherwise than \(deviation.location) says: \(diagnosis.sentence)"
            case .unlisted: "the client deviates, and its ledger does not say so"
            case .notJudged: "the case could not be judged"
            case .asExpected, .known: "as it should be"
            }
        return
            ([advice, verdict.description] + clientFailures + reports.map { "client: \($0)" }
            + [WireTimeline(entries).description]).joined(separator: "\n")
    }
}

extension Scenario {
    /// Whether a connection is left alone for good with a body unread, so that nobody sees the client leave.
    fileprivate var overlooksTheEnd: Bool {
        exchanges.contains { exchange in
            exchange.reads != .all
                && exchange.replies.contains { reply in reply.effects.contains { $0.action.isStall } }
        }
    }
}

extension Effect.Action {
    fileprivate var isStall: Bool { if case .stall = self { true } else { false } }
}
