internal import ProctorBase
internal import ProctorExam
internal import ProctorGrading
internal import ProctorScenario
internal import ProctorTrace

/// The reports of an exam for machines, written while its cases come: safe from any thread.
///
/// JSON has a line for each sitting as it ends, and in the end each case once, in the order of the catalogue. JUnit is
/// written anew, with the cases so far, at most once a second.
final class ExamFiles: Sendable {
    private let junit: ReportFile?
    private let json: ReportFile?
    private let selection: CaseSelection
    private let client: String
    private let platform: String
    private let state = Locked(State())

    private struct State {
        var verdicts: [CaseID: CaseVerdict] = [:]
        var hasBegunJSON = false
        /// MonotonicClock nanoseconds of the last JUnit text.
        var lastJUnit: UInt64 = 0
    }

    private static let pause: UInt64 = 1_000_000_000

    /// nil when a file can't be written, which has been said then.
    init?(
        _ arguments: ParsedArguments, _ selection: CaseSelection, client: String, platform: String, _ output: Output
    ) {
        junit = arguments["--junit"].flatMap { ReportFile.tried($0, flag: "--junit", output) }
        json = arguments["--json"].flatMap { ReportFile.tried($0, flag: "--json", output) }
        self.selection = selection
        self.client = client
        self.platform = platform
        guard junit != nil || arguments["--junit"] == nil, json != nil || arguments["--json"] == nil else { return nil }
    }

    /// Writes what has come.
    func take(_ verdict: CaseVerdict) {
        state.withLock { state in
            state.verdicts[verdict.id] = verdict
            if let json {
                // What an earlier exam left there goes with the first line of this one.
                json.add(String(decoding: verdict.json, as: UTF8.self), isFirst: !state.hasBegunJSON)
                state.hasBegunJSON = true
            }
            let now = MonotonicClock.nanoseconds
            guard let junit, now &- state.lastJUnit >= Self.pause else { return }
            state.lastJUnit = now
            let verdicts = selection.cases.compactMap {
                state.verdicts[CaseID(scenario: $0.scenario.id, name: $0.item.name)]
            }
            junit.update(with: ExamReport(client: client, platform: platform, verdicts: verdicts).junit)
        }
    }

    /// Writes the reports as they stay; false when one could not be written, which has been said then.
    func finish(_ report: ExamReport) -> Bool {
        var isWritten = true
        if let junit { isWritten = junit.replace(with: report.junit) }
        if let json { isWritten = json.end(with: String(decoding: report.jsonLines, as: UTF8.self)) && isWritten }
        return isWritten
    }
}
