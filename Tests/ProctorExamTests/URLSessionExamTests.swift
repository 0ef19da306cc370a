import ProctorEvents
import ProctorFixtures
import ProctorGrading
import Testing

#if os(Linux)
    import ProctorExam
    import ProctorRules
    import ProctorScenario
    import ProctorServer
    import ProctorTestSupport

    /// The verdicts on this machine's URLSession: as its ledger says, and as was observed before there was a ledger.
    @Suite(.wide, .limit(minutes: 10))
    struct URLSessionExamTests {
        @Test func `every case is passed or known`() async throws {
            let walk = try await URLSessionWalk.shared.value
            let report = walk.report
            let summary = report.summary()
            #expect(report.clientVersion != nil, "no adapter wrote a header")
            #expect(report.verdicts.count > (Extent.isWhole ? 1_500 : 75), "\(summary)")
            guard walk.speaks else { return print(summary) }
            guard report.isFailure else { return print(report.tally) }
            let faults = report.failures.map(\.description).joined(separator: "\n\n")
            Issue.record("\(summary)\n\n\(faults)")
        }

        @Test func `verdicts agree with what was observed, row by row`() async throws {
            let walk = try await URLSessionWalk.shared.value
            let rows = walk.rows
            #expect(rows.count >= 90)
            #expect(Set(rows.map(\.testDescription)).count == rows.count, "a row stands twice")
            guard walk.speaks else { return }
            var agreeing = 0
            for row in rows {
                guard let verdict = walk.verdict(row.id) else {
                    Issue.record("\(row.testDescription): was not asked")
                    continue
                }
                switch (row.difference(from: verdict), row.difference) {
                case (nil, nil): agreeing += 1
                case (let seen?, nil): Issue.record("\(row.testDescription): \(seen)\n\(verdict)")
                case (nil, let listed?):
                    Issue.record("\(row.testDescription): agrees now; it is listed as: \(listed)")
                case (_?, _?): break
                }
            }
            print("yardstick: \(agreeing) of \(rows.count) rows agree, the others differ as listed")
            #expect(agreeing >= 90)
        }

        @Test func `a deviation that is taken out of the ledger fails, and one that does not happen is fixed`()
            async throws
        {
            let ledger = try Ledger.of(
                """
                client: urlsession-corelibs
                platform: corelibs-6.3
                deviations:
                  plain/get#get:
                    because: it does not happen
                    rules: [R12]
                """)
            let (platform, _) = Platform.parse(
                try Checkout.bytes("clients/platforms/corelibs-6.3.yaml"), file: "corelibs-6.3.yaml")
            let known = try #require(platform)
            try await ExamBench.with { bench in
                let adapter = Adapter(
                    command: [BuiltProduct.urlSessionClient], environment: ["PATH": "/usr/bin:/bin", "HOME": "/tmp"])
                let examiner = Examiner(server: bench.server, adapter: adapter, platform: known, ledger: ledger)
                let unlisted = try await bench.sit("auth/basic/empty-password", "use", with: examiner)
                #expect(unlisted.verdict.outcome == .fail, "\(unlisted.verdict)")
                #expect(unlisted.timeline.description.contains("challenge(basic)"))
                let fixed = try await bench.sit("plain/get", "get", with: examiner)
                #expect(fixed.verdict.outcome == .fixed, "\(fixed.verdict)")
            }
        }
    }
    /// One walk of this machine's URLSession through the library, for all tests that look at its verdicts.
    struct URLSessionWalk {
        let report: ExamReport
        let ledger: Ledger
        let rows: [YardstickRow]

        /// Everything whose order a client decides; the families of URLProtocol objects have a driver of their own.
        private static let families = [
            "auth", "body", "broken", "cache", "cancel", "canonical", "coding", "cookie", "fault", "host", "interim",
            "multipart", "plain", "proxy", "range", "redirect", "shape", "time", "tls", "upload", "url",
        ]
        /// They take many seconds and say nothing of order: 100 MiB, and a redirect's body that is copied piece by piece.
        private static let leftOut: Set = ["plain/large-body", "redirect/large-body-is-skipped"]

        /// Begun by the first test that needs it.
        static let shared = Task { try await walk() }

        /// Whether the ledger speaks of the client that was here; of another one nothing is expected.
        var speaks: Bool { report.clientVersion.map { ledger.speaks(ofVersion: $0) } ?? true }

        func verdict(_ id: String) -> CaseVerdict? { report.verdicts.first { $0.id.description == id } }

        private static func walk() async throws -> URLSessionWalk {
            let text = String(
                decoding: try Checkout.bytes("Tests/ProctorExamTests/urlsession-linux.tsv"), as: UTF8.self)
            let rows = try YardstickRow.all(in: text)
            let ledger = try Ledger.of(
                String(decoding: try Checkout.bytes("clients/urlsession-corelibs.yaml"), as: UTF8.self))
            let name = try #require(ledger.platform)
            let (found, diagnostics) = Platform.parse(
                try Checkout.bytes("clients/platforms/\(name).yaml"), file: "\(name).yaml")
            let platform = try #require(found, "\(diagnostics)")
            let report = try await ExamBench.with { bench in
                let scenarios = bench.scenarios.filter { scenario in
                    families.contains { scenario.id.hasPrefix($0 + "/") } && !leftOut.contains(scenario.id)
                }
                // One case of every ninth scenario, since `make exam` asks all, and those that were observed; where
                // everything is asked, every case.
                let cases = scenarios.flatMap { scenario in scenario.cases.map { (scenario.id, $0.name) } }
                let patterns = Extent.of(cases, stride: 18) { $0.0 }.map { "\($0)#\($1)" } + rows.map(\.id)
                let adapter = Adapter(
                    command: [BuiltProduct.urlSessionClient], environment: ["PATH": "/usr/bin:/bin", "HOME": "/tmp"])
                let examiner = Examiner(server: bench.server, adapter: adapter, platform: platform, ledger: ledger)
                // URLSession traps now and then whatever it is asked (#3292, #3505, #5469), and the other tests keep the
                // machine busy; what fails again alone, fails.
                return await ExamWalk(examiner, width: 6, retries: 2).run(
                    try CaseSelection(patterns, among: bench.scenarios))
            }
            return URLSessionWalk(report: report, ledger: ledger, rows: rows)
        }
    }
#endif

/// One observed load of URLSession on Linux, and our case that asks for the same.
struct YardstickRow: CustomTestStringConvertible {
    let name: String
    /// `family/scenario#case`.
    let id: String
    /// Rules that were seen to break.
    let rules: Set<RuleNumber>
    /// Rules that were seen to break in some runs only.
    let sporadicRules: Set<RuleNumber>
    let outcome: Outcome
    /// Why our verdict is another one; nil when it is the same.
    let difference: String?

    enum Outcome: String {
        case ok, deviates, trap, hang
        /// The platform or timing decides.
        case open
    }

    var testDescription: String { "\(name) \(id)" }

    private static let columns = ["row", "case", "rules", "outcome", "differs", "remark"]

    /// The lines of the table that are no comments; the first of them names the columns.
    static func all(in text: String) throws -> [YardstickRow] {
        var lines = text.split(separator: "\n").filter { !$0.hasPrefix("#") }
        let head = try #require(lines.isEmpty ? nil : lines.removeFirst())
        #expect(head.split(separator: "\t").map(String.init) == columns)
        return try lines.map { try YardstickRow($0) }
    }

    private init(_ line: Substring) throws {
        let cells = line.split(separator: "\t", omittingEmptySubsequences: false).map(String.init)
        try #require(cells.count == Self.columns.count, "\(line)")
        name = cells[0]
        id = cells[1]
        var always: Set<RuleNumber> = []
        var sometimes: Set<RuleNumber> = []
        for word in cells[2].split(separator: " ") where word != "-" {
            let isSporadic = word.last == "*"
            let rule = try #require(RuleNumber(parsing: String(isSporadic ? word.dropLast() : word)), "\(line)")
            if isSporadic { sometimes.insert(rule) } else { always.insert(rule) }
        }
        rules = always
        sporadicRules = sometimes
        outcome = try #require(Outcome(rawValue: cells[3]), "\(line)")
        difference = cells[4] == "-" ? nil : cells[4]
    }

    /// The difference of a verdict in a few words; nil when it agrees.
    func difference(from verdict: CaseVerdict) -> String? {
        let seen = Outcome(verdict)
        var parts: [String] = []
        if outcome != .open, seen != outcome { parts.append("\(seen.rawValue), not \(outcome.rawValue)") }
        let broken = Set(verdict.brokenRules).subtracting(Self.named(nowhere: id))
        // That a load ends is a rule as well, which a hang need not be named by.
        let implied: Set<RuleNumber> = seen == .hang && outcome == .hang ? [RuleNumber(45)] : []
        let extra = broken.subtracting(rules).subtracting(sporadicRules).subtracting(implied)
        if !extra.isEmpty { parts.append("breaks \(Self.text(extra)) too") }
        // What a load that trapped did not come to, it could not break.
        let missing = seen == .trap ? [] : rules.subtracting(broken)
        if !missing.isEmpty { parts.append("does not break \(Self.text(missing))") }
        return parts.isEmpty ? nil : parts.joined(separator: "; ")
    }

    /// Rules that break in so many loads that the table names them in none.
    private static func named(nowhere id: String) -> Set<RuleNumber> {
        id.hasPrefix("protocol/") ? Set([41, 48, 49, 52].map { RuleNumber($0) }) : [RuleNumber(41)]
    }

    private static func text(_ rules: Set<RuleNumber>) -> String {
        rules.sorted().map(\.description).joined(separator: " ")
    }
}

extension YardstickRow.Outcome {
    /// Of a sitting, whatever its ledger makes of it.
    init(_ verdict: CaseVerdict) {
        for finding in verdict.findings {
            guard case .ending(let ending) = finding.subject else { continue }
            if case .crashed = ending { self = .trap } else { self = .hang }
            return
        }
        self =
            verdict.findings.contains { Self.isDeviation($0, isObserved: verdict.outcome == .observed) }
            ? .deviates : .ok
    }

    /// Whether it says more than the rules that break everywhere.
    private static func isDeviation(_ finding: Finding, isObserved: Bool) -> Bool {
        let everywhere = Set([41, 48, 49, 52].map { RuleNumber($0) })
        if !finding.rules.isEmpty, everywhere.isSuperset(of: finding.rules) { return false }
        switch finding.subject {
        // Observations of the rules are named like others.
        case .rule: return true
        case .expression: return finding.weight == .failure || isObserved && finding.lane?.lane == .task
        case .fact, .miss, .caught, .opaque, .gathered, .cookies, .grammar, .content, .edge, .ending, .unreportedRule,
            .result,
            .slices,
            .bound, .state, .reply, .description, .unasked, .webhook:
            return finding.weight == .failure
        case .violation, .frameViolation, .credential, .tolerated: return false
        }
    }
}
