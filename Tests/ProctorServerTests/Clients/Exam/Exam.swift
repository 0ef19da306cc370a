import Foundation
import ProctorFixtures
import ProctorGrading
import ProctorJournal
import ProctorNotation
import ProctorScenario
import ProctorServer
import ProctorTLS
import ProctorTestSupport
import Testing

@testable import ProctorGrading
@testable import ProctorNotation

/// Sets one client all cases that it can be told, and judges it by the fixtures and its ledger.
struct Exam: Sendable, CustomTestStringConvertible {
    let adapter: any ClientAdapter
    /// The cases that the client is set.
    let rows: [ClientCase]
    /// The cases to run: one of every ninth or eighteenth scenario, or all with `PROCTOR_TESTS=all`.
    var asked: [ClientCase] { Extent.of(rows, stride: stride, offset: offset) { $0.scenario.id } }
    /// The clients in Python need a process of 100 ms for a case, so by default each takes another part of the scenarios.
    private let stride: Int
    private let offset: Int
    /// The others.
    let skipped: [(row: ClientCase, reason: SkipReason)]

    static let curl = Exam(CurlAdapter(), stride: 9, offset: 2)
    static let urllib = Exam(PythonAdapter.urllib, stride: 18)
    static let httpClient = Exam(PythonAdapter.httpClient, stride: 18, offset: 9)

    /// Clients of all exams together; more would only wait for the processor.
    private static let gate = Gate(width: 4)

    private init(_ adapter: any ClientAdapter, stride: Int = 1, offset: Int = 0) {
        self.adapter = adapter
        self.stride = stride
        self.offset = offset
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
        let judgement = Judgement(of: sitting.outcome, row.id, by: ledger, entries: sitting.entries)
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

    var skipReasons: Set<SkipReason> { Set(skipped.map(\.reason)) }
}

/// What a ledger makes of the outcome of one case.
enum Judgement {
    case asExpected
    case fixed(Ledger.Deviation)
    case unlisted
    /// The case failed, but not as the ledger lists.
    case changed(Ledger.Deviation, NotationDiagnosis)
    case notJudged

    var isFailure: Bool { if case .asExpected = self { false } else { true } }

    /// A case that passes under an entry with `*`, or one that says `sometimes`, is as expected.
    init(of outcome: WireVerdict.Outcome, _ id: CaseID, by ledger: Ledger, entries: [JournalEntry]) {
        if case .setupFailed = outcome {
            self = .notJudged
        } else if let deviation = ledger.deviation(for: id) {
            let symbols = WireRecord(entries).exchanges.map(\.symbol)
            if outcome != .fail {
                self = deviation.isPrefix || deviation.isSporadic ? .asExpected : .fixed(deviation)
            } else if let diagnosis = deviation.wire?.diagnosis(of: symbols, terminals: []) {
                self = .changed(deviation, diagnosis)
            } else {
                self = .asExpected
            }
        } else {
            self = outcome == .fail ? .unlisted : .asExpected
        }
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
    func account(of judgement: Judgement) -> String {
        let advice =
            switch judgement {
            case .fixed(let deviation):
                "the client passes now: the entry at \(deviation.location) is to be removed"
            case .changed(let deviation, let diagnosis):
                "the client fails otherwise than \(deviation.location) says: \(diagnosis.sentence)"
            case .unlisted: "the client deviates, and its ledger does not say so"
            case .notJudged: "the case could not be judged"
            case .asExpected: "as it should be"
            }
        return
            ([advice, verdict.description] + clientFailures + reports.map { "client: \($0)" }
            + [WireTimeline(entries).description]).joined(separator: "\n")
    }
}

extension Scenario {
    /// Whether a connection keeps an unread body, so that the server does not see the client leave.
    fileprivate var overlooksTheEnd: Bool {
        exchanges.contains { exchange in
            exchange.reads != .all
                && exchange.replies.contains { reply in reply.effects.contains { $0.action.verb == .stall } }
        }
    }
}

/// One case of one fixture, as a row of a client's exam.
struct ClientCase: Sendable, CustomTestStringConvertible {
    let scenario: Scenario
    let item: Case

    var id: CaseID { CaseID(scenario: scenario.id, name: item.name) }
    var testDescription: String { id.description }

    /// Families whose cases are decided by the wire and by what a client without callbacks can say.
    private static let families = [
        "auth/", "body/", "cache/", "canonical/", "coding/", "fault/", "interim/", "multipart/", "plain/", "range/",
        "redirect/", "time/", "tls/", "upload/",
    ]

    /// Every case of those families.
    static let all: [ClientCase] = library.scenarios.filter { scenario in
        families.contains { scenario.id.hasPrefix($0) }
    }.flatMap { scenario in
        scenario.cases.map { ClientCase(scenario: scenario, item: $0) }
    }

    static let library = ScenarioLoader.load(paths: ["\(Tools.project)/fixtures"])
}

/// Whether each step ended well or badly, as far as its lane leaves no choice.
///
/// These clients have no callbacks, but they do say whether they are content.
struct ClientEndings {
    private let reports: [ClientReport]

    init(_ reports: [ClientReport]) {
        self.reports = reports
    }

    /// One sentence for each step that ended otherwise than its lanes want.
    func failures(of item: Case) -> [String] {
        reports.indices.compactMap { step in
            guard let wanted = Self.isSuccessWanted(of: step, in: item), (reports[step].error == nil) != wanted else {
                return nil
            }
            let told = reports[step].error.map { "the client says: \($0)" } ?? "the client is content"
            return "step[\(step)]: wanted \(wanted ? "a load that works" : "an error"), \(told)"
        }
    }

    /// nil when both are right, or when a cancel, which these clients do not do, decides.
    static func isSuccessWanted(of step: Int, in item: Case) -> Bool? {
        let suffix = step == 0 ? "" : "[\(step)]"
        let endings = ["task", "download", "handler"]
            .compactMap { item.lanes[$0 + suffix] }
            .flatMap(ends)
        if endings.isEmpty || endings.contains("cancelled") { return nil }
        let successes = endings.count { $0 == "ok" }
        return successes == endings.count ? true : successes == 0 ? false : nil
    }

    /// What stands in parentheses behind each terminal event.
    private static func ends(of lane: Notation) -> [String] {
        ["complete(", "handler("].flatMap { name in
            let parts = lane.text.split(separator: name, omittingEmptySubsequences: false).dropFirst()
            return parts.flatMap { $0.prefix { $0 != ")" }.split(separator: "|").map(String.init) }
        }
    }
}

/// The facts that only the client can tell, as far as these clients do: status, URL and body.
struct ClientFacts {
    let reports: [ClientReport]
    let context: TemplateContext

    /// One sentence for each fact that does not hold.
    func failures(of item: Case) -> [String] {
        item.facts.compactMap { fact in
            guard case .client(let step, let name) = fact.name, reports.indices.contains(step),
                let told = value(of: name, reports[step]), let wanted = text(fact.expected), told != wanted
            else { return nil }
            let error = reports[step].error.map { "; the client says: \($0)" } ?? ""
            return "\(fact.name.text): wanted \"\(wanted)\", the client tells \"\(told)\"\(error)"
        }
    }

    private func value(of fact: FactName.ClientFact, _ report: ClientReport) -> String? {
        switch fact {
        case .status: report.status.map(String.init) ?? "no response"
        case .url: report.url
        case .body: report.body.map { String(decoding: $0, as: UTF8.self) }
        case .bodyLength: String(report.byteCount)
        default: nil
        }
    }

    private func text(_ expected: Fact.Expectation) -> String? {
        guard case .text(let template) = expected else { return nil }
        return String(decoding: template.rendered(in: context), as: UTF8.self)
    }
}

/// The ledgers of the clients that the tests drive themselves, in `Tests/Clients/`, read once.
enum LedgerFile {
    struct Failure: Error, CustomStringConvertible {
        let description: String
    }

    /// The ledger of a client; throws everything that is wrong with its file.
    static func ledger(of client: String) throws -> Ledger {
        guard let result = results[client] else { throw Failure(description: "there is no ledger for \(client)") }
        return try result.get()
    }

    private static let results: [String: Result<Ledger, any Error>] = Dictionary(
        uniqueKeysWithValues: [Exam.curl, .urllib, .httpClient].map { exam in
            (exam.adapter.name, Result { try read(exam.adapter.name) })
        })

    private static func read(_ client: String) throws -> Ledger {
        let file = "Tests/Clients/\(client).yaml"
        let bytes = [UInt8](try Data(contentsOf: URL(fileURLWithPath: "\(Tools.project)/\(file)")))
        let (ledger, diagnostics) = Ledger.parse(bytes, file: file)
        guard let ledger else { throw Failure(description: diagnostics.map { "\($0)" }.joined(separator: "\n")) }
        return ledger
    }
}
