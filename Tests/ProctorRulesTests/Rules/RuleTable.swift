import ProctorEvents
import Testing

@testable import ProctorRules

/// One trace and what the rules say of it.
struct RuleRow: Sendable, CustomTestStringConvertible {
    /// The rule it was written for.
    let rule: Int
    let verdict: Verdict
    let family: CallbackFamily
    let platform: Platform
    /// As ``RuleScript`` reads it.
    let script: String
    /// Rules that must be hit as failures, as observations and as faults of the harness; no others.
    let failures: Set<Int>
    let observations: Set<Int>
    let faults: Set<Int>

    enum Verdict: Sendable { case accepted, refused, mixed }

    /// A trace that no rule objects to.
    static func accepted(
        _ rule: Int, _ family: CallbackFamily, on platform: Platform = .neutral, _ script: String
    ) -> RuleRow {
        row([], [], [], rule, .accepted, family, platform, script)
    }

    /// A trace that breaks exactly that rule.
    static func refused(
        _ rule: Int, _ family: CallbackFamily, on platform: Platform = .neutral, _ script: String
    ) -> RuleRow {
        row([rule], [], [], rule, .refused, family, platform, script)
    }

    /// A trace that exactly that rule notices without failing it.
    static func observed(
        _ rule: Int, _ family: CallbackFamily, on platform: Platform = .neutral, _ script: String
    ) -> RuleRow {
        row([], [rule], [], rule, .refused, family, platform, script)
    }

    /// A trace that breaks several rules, or shows a fault of the test's own code.
    static func breaks(
        _ failures: Set<Int>, observing observations: Set<Int> = [], faults: Set<Int> = [],
        _ family: CallbackFamily, on platform: Platform = .neutral, _ script: String
    ) -> RuleRow {
        let all = failures.union(observations).union(faults)
        let verdict: Verdict = all.count == 1 ? .refused : .mixed
        return row(failures, observations, faults, all.min() ?? 0, verdict, family, platform, script)
    }

    /// Of a data or upload task.
    static func accepted(_ rule: Int, on platform: Platform = .neutral, _ script: String) -> RuleRow {
        accepted(rule, .sessionData, on: platform, script)
    }

    /// Of a data or upload task.
    static func refused(_ rule: Int, on platform: Platform = .neutral, _ script: String) -> RuleRow {
        refused(rule, .sessionData, on: platform, script)
    }

    /// Of a data or upload task.
    static func observed(_ rule: Int, on platform: Platform = .neutral, _ script: String) -> RuleRow {
        observed(rule, .sessionData, on: platform, script)
    }

    /// Of a data or upload task.
    static func breaks(
        _ failures: Set<Int>, observing observations: Set<Int> = [], faults: Set<Int> = [],
        on platform: Platform = .neutral, _ script: String
    ) -> RuleRow {
        breaks(failures, observing: observations, faults: faults, .sessionData, on: platform, script)
    }

    private static func row(
        _ failures: Set<Int>, _ observations: Set<Int>, _ faults: Set<Int>, _ rule: Int, _ verdict: Verdict,
        _ family: CallbackFamily, _ platform: Platform, _ script: String
    ) -> RuleRow {
        RuleRow(
            rule: rule, verdict: verdict, family: family, platform: platform, script: script, failures: failures,
            observations: observations, faults: faults)
    }

    var testDescription: String { "R\(rule) \(verdict) \(family.rawValue) \(script)" }

    func report() throws -> TraceReport {
        let trace = try RuleScript(script, family: family)
        var checker = TraceChecker(platform: platform, family: family, reportsAnswers: trace.reportsAnswers)
        for event in trace.events { checker.observe(event) }
        return checker.finish(trace.ending)
    }
}

/// All rows: by subject, then what was observed of clients.
enum RuleTable {
    static let rows: [RuleRow] =
        shapeRows + refusedRedirectRows + authenticationRows + abandonedRows + legacyRows + proxyRows + wireRows
        + tlsRows + requestBodyRows + responseRows + dispositionRows + consequenceRows + corelibsRows
        + corelibsUploadRows + downloadRows + endRows + threadRows + protocolRows + apiShapeRows + linuxRows
}

struct RuleTableTests {
    @Test(arguments: RuleTable.rows) func `a trace breaks the rules of its row and no others`(_ row: RuleRow) throws {
        let report = try row.report()
        let said = Comment(
            rawValue: report.hits.map { "\($0.rule) \($0.weight): \($0.sentence)" }.joined(separator: "\n"))
        func numbers(_ weight: RuleWeight) -> Set<Int> {
            Set(report.hits.filter { $0.weight == weight }.map(\.rule.value))
        }
        #expect(numbers(.failure) == row.failures, said)
        #expect(numbers(.observation) == row.observations, said)
        #expect(numbers(.harnessFault) == row.faults, said)
    }

    @Test(arguments: RuleTable.rows) func `a rule is hit once in a load for one cause`(_ row: RuleRow) throws {
        guard row.verdict == .refused else { return }
        let report = try row.report()
        let hits = report.hits.map { "\($0.rule) in \($0.lane)" }
        #expect(Set(hits).count == hits.count, "\(report.hits.map(\.sentence))")
    }

    @Test(arguments: RuleTable.rows) func `a grammar refuses only what a rule explains`(_ row: RuleRow) throws {
        let report = try row.report()
        for refusal in report.grammars {
            #expect(
                !refusal.explainedBy.isEmpty,
                "\(refusal.family) refuses event \(refusal.sequence.map(String.init) ?? "at the end") of \(refusal.lane)"
            )
        }
        if row.verdict == .accepted { #expect(report.grammars.isEmpty) }
    }

    @Test func `every rule that a trace decides has a trace it accepts and one it refuses alone`() {
        for rule in Rules.all {
            let number = rule.number.value
            if rule.limits?.contains("undecidable") == true { continue }
            let rows = RuleTable.rows.filter { $0.rule == number }
            #expect(rows.contains { $0.verdict == .accepted }, "\(rule.number) has no accepted row")
            #expect(rows.contains { $0.verdict == .refused }, "\(rule.number) has no refused row")
        }
    }

    @Test func `no trace stands twice`() {
        let keys = RuleTable.rows.map { "\($0.rule) \($0.family) \($0.platform) \($0.script)" }
        #expect(Set(keys).count == keys.count)
    }
}

extension Platform {
    /// The neutral platform with some switches set.
    static func with(_ change: (inout Platform) -> Void) -> Platform {
        var platform = Platform.neutral
        change(&platform)
        return platform
    }

    static let followsTwenty = with { $0.redirectLimit = 20 }
    static let resends = with { $0.redirectBody = .resent }
    static let strips = with { $0.redirectBody = .stripped }
    static let restartsTotals = with { $0.uploadTotals = .restart }
    static let goesOnCounting = with { $0.uploadTotals = .cumulative }
    static let deliversRefused = with { $0.refusedDownloadRedirect = .deliver }
}
