import ProctorEvents
import Testing

@testable import ProctorRules

/// One trace and what the rules say of it, which is one line of a table.
///
///     accepted 17: SCRIPT                  no rule objects to a trace of a data or upload task
///     refused 17 download on linux: SCRIPT     exactly that rule fails this family on that platform
///     observed 17: SCRIPT                  exactly that rule notices it without failing it
///     breaks 12,39 observing 23 faults 53: SCRIPT      several do, or the test's own code is at fault
///
/// A line that begins with spaces goes on with the one before; `#` begins a comment.
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

    init(_ line: String) throws(RuleScript.Mistake) {
        let sides = line.split(separator: ": ", maxSplits: 1)
        let words = sides[0].split(separator: " ")
        guard sides.count == 2, words.count > 1 else { throw RuleScript.Mistake(description: "no row: \(line)") }
        let first = Set(words[1].split(separator: ",").compactMap { Int($0) })
        var (family, platform) = (CallbackFamily.sessionData, Platform.neutral)
        var (failures, observations, faults) = (Set<Int>(), Set<Int>(), Set<Int>())
        switch words[0] {
        case "accepted": break
        case "refused", "breaks": failures = first
        case "observed": observations = first
        default: throw RuleScript.Mistake(description: "no verdict: \(line)")
        }
        var rest = words.dropFirst(2)
        while let word = rest.popFirst() {
            if let named = CallbackFamily(rawValue: String(word)) {
                family = named
                continue
            }
            let value = rest.popFirst() ?? ""
            switch word {
            case "observing": observations = Set(value.split(separator: ",").compactMap { Int($0) })
            case "faults": faults = Set(value.split(separator: ",").compactMap { Int($0) })
            case "on":
                guard let named = RuleTable.platforms[String(value)] else { fallthrough }
                platform = named
            default: throw RuleScript.Mistake(description: "'\(word) \(value)' in: \(line)")
            }
        }
        let all = failures.union(observations).union(faults)
        rule = first.union(all).min() ?? 0
        verdict = words[0] == "accepted" ? .accepted : all.count == 1 ? .refused : .mixed
        self.family = family
        self.platform = platform
        script = String(sides[1])
        (self.failures, self.observations, self.faults) = (failures, observations, faults)
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
    static let platforms: [String: Platform] = [
        "followsTwenty": .with { $0.redirectLimit = 20 },
        "resends": .with { $0.redirectBody = .resent },
        "strips": .with { $0.redirectBody = .stripped },
        "restartsTotals": .with { $0.uploadTotals = .restart },
        "goesOnCounting": .with { $0.uploadTotals = .cumulative },
        "deliversRefused": .with { $0.refusedDownloadRedirect = .deliver },
        "asksUser": .with { $0.cancelledChallengeOutcome = "userCancelledAuthentication" },
        "countsUploads": .with { $0.weights = [RuleNumber(23): .failure] },
        "asksByHeader": .with { $0.weights = [RuleNumber(16): .failure] },
        "withMetrics": .with { $0.metrics = .required },
        "withoutMetrics": .with { $0.metrics = .absent },
        "withFreeMetrics": .with { $0.metrics = .anyOrder },
        "silentAfterCancel": .with { $0.legacyCancel = .silent },
        "corelibs": .corelibs,
        // clients/platforms/corelibs-6.3.yaml, without the metrics that never come.
        "linux": .with {
            $0.redirectLimit = 20
            $0.redirectBody = .resent
            $0.uploadTotals = .restart
        },
    ]

    static let lines: [String] = [
        redirectRows, authenticationRows, proxyRows, requestBodyRows, responseRows, consequenceRows, corelibsRows,
        downloadRows, endRows, threadRows, interfaceRows, linuxRows,
    ].flatMap(rows(of:))

    /// Those that can be read; a test looks that all are.
    static let rows: [RuleRow] = lines.compactMap { try? RuleRow($0) }

    private static func rows(of text: String) -> [String] {
        var rows: [String] = []
        for line in text.split(separator: "\n") where !line.hasPrefix("#") {
            if line.hasPrefix(" "), !rows.isEmpty {
                rows[rows.count - 1] += " " + line.drop { $0 == " " }
            } else {
                rows.append(String(line))
            }
        }
        return rows
    }
}

struct RuleTableTests {
    @Test func `every line of the tables is a row`() throws {
        for line in RuleTable.lines { _ = try RuleRow(line) }
    }

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

    /// What was measured of swift-corelibs-foundation 6.3.1, as far as R1 to R33 ask for it.
    static let corelibs = with {
        $0.name = "corelibs-6.3"
        $0.redirectLimit = 20
        $0.redirectBody = .resent
        $0.uploadTotals = .restart
    }
}
