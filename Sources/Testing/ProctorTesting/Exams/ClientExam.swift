internal import Foundation
internal import ProctorBase
public import ProctorEvents
internal import ProctorFixtures
internal import ProctorGrading
internal import ProctorHarness
public import ProctorRules
internal import ProctorScenario
internal import ProctorServer

/// An exam of a client inside a test: its cases are the arguments of a test, and run in parallel as those do.
///
///     @Test(arguments: try ClientExam("redirect/", abilities: [.redirects, .redirectRefuse]).cases)
///     func `my client`(item: ExamCase) async throws { try await item.sit { load in … } }
///
/// With PROCTOR_CASE in the environment, that case is the only one. With PROCTOR_WRITE_LEDGER, the ledger is brought up
/// to date with what fails, and nothing fails.
public struct ClientExam: Sendable {
    /// The cases, in the order of the scenarios.
    public let cases: [ExamCase]

    /// Chooses cases as `proctor exam` does: `family/`, `family/scenario`, `family/scenario#case`, with `*` and `?`.
    ///
    /// A case that needs an ability that is not among `abilities` is skipped. `moments` are the events at which the
    /// client can be cancelled. `ledger` is a file beside `filePath`, of failures that are known; it may be missing.
    /// Fixtures are found as ``withScenario`` finds them.
    public init(
        _ patterns: String..., client: String = "client", version: String? = nil, abilities: Set<Ability>,
        moments: Set<String> = ["response"], ledger: String? = nil, platform: Platform = .neutral,
        fixtures: [String]? = nil, filePath: String = #filePath
    ) throws {
        let environment = ProcessInfo.processInfo.environment
        var terms = ExamTerms(client: client, version: version)
        terms.abilities = abilities
        terms.moments = moments
        var place: String?
        if let ledger {
            let path = URL(fileURLWithPath: ledger, relativeTo: URL(fileURLWithPath: filePath)).path
            place = environment["PROCTOR_WRITE_LEDGER", default: ""].isEmpty ? nil : path
            if let data = FileManager.default.contents(atPath: path) {
                let text = String(decoding: data, as: UTF8.self)
                terms.ledger = (text, try Ledger.reading(text, filePath: path))
            }
        }
        let wanted = environment["PROCTOR_CASE"].map { [$0] } ?? patterns
        let folders = try fixtures ?? FixtureFolders.candidates(for: filePath)
        let ids = ScenarioLoader.ids(in: folders).filter { !CaseSelection.positions(naming: $0, in: wanted).isEmpty }
        let scenarios = try ids.map { try ExamChoice.scenario($0, in: fixtures, for: filePath) }
        let selection: CaseSelection
        do throws(CaseSelection.Failure) {
            selection = try CaseSelection(wanted, among: scenarios)
        } catch {
            throw ExamFailure("\(error) (looked in \(folders.joined(separator: ", ")))")
        }
        let sitter = ExamSitter(terms, platform: platform, ledgerPath: place) { id in
            try? ExamChoice.scenario(id, in: fixtures, for: filePath)
        }
        cases = selection.cases.map { ExamCase(scenario: $0.scenario, item: $0.item, sitter: sitter) }
    }
}

/// Who sits an exam, and what came of it so far; safe from any thread.
final class ExamSitter: Sendable {
    let terms: ExamTerms
    let platform: Platform
    /// The file of the ledger that is written; nil: none is.
    let ledgerPath: String?
    private let ledger: Locked<LedgerText>
    private let controls = Locked(KnownControls())
    /// The scenario of an id, of which a control is a case; nil: there is none.
    let library: @Sendable (String) -> Scenario?

    init(
        _ terms: ExamTerms, platform: Platform, ledgerPath: String?, library: @escaping @Sendable (String) -> Scenario?
    ) {
        (self.terms, self.platform, self.ledgerPath, self.library) = (terms, platform, ledgerPath, library)
        ledger = Locked(LedgerText(terms.ledger, client: terms.client, version: terms.version))
    }

    private var tellsResultsAlone: Bool { !terms.abilities.contains(.callbacks) }

    /// Says what the client can report and do.
    func declare(in evidence: inout CaseEvidence) {
        evidence.declaredAbilities = terms.abilities
        evidence.clientVersion = terms.version
        if tellsResultsAlone { evidence.tellResultsAlone(terms) }
    }

    /// What is known of a control; nothing is asked of one that the client's terms rule out.
    func reason(_ control: ExamControl) -> String?? {
        if let known = controls.withLock({ $0[control] }) { return known }
        guard let scenario = control.scenario(in: library), let item = scenario.cases.first else { return .some(nil) }
        guard let refusal = terms.refusal(of: item, in: scenario) else { return nil }
        return .some(control.reason(refusal.outcome))
    }

    /// Notes the outcome of one sitting of a control.
    func record(_ outcome: CaseVerdict.Outcome, of control: ExamControl) {
        _ = controls.withLock { $0.record(outcome, of: control) }
    }

    /// Brings the ledger up to date, where one is written.
    func record(_ verdict: CaseVerdict) {
        guard let ledgerPath, verdict.isFailure else { return }
        ledger.withLock { ledger in
            ledger.record(verdict)
            try? ledger.text.write(toFile: ledgerPath, atomically: true, encoding: .utf8)
        }
    }
}

extension CaseEvidence {
    /// Says that the client reports results alone, with the facts of an ``ExamResult``.
    mutating func tellResultsAlone(_ terms: ExamTerms) {
        reportedLanes = [.harness]
        reportedFacts = Set(terms.facts.compactMap(FactKey.init)).union([.bodyBase64])
    }
}
