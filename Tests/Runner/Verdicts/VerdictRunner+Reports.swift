import ProctorBase
import ProctorEvents
import ProctorImport
import ProctorProgram
import ProctorReport
import ProctorScenario

@testable import ProctorGrading

extension VerdictRunner {
    /// What reports, records and drafts say of a case, or of the cases that were kept.
    static let reports: [String: @Sendable (Scene, Block) throws -> [String]] = [
        // With `brief` the first and last five, the marked ones and their neighbours, and how many there are.
        "events": { scene, block in
            let events = try record(scene).timeline
            guard block.has("brief") else { return events.map(line).map(exact) }
            let near = events.indices.filter { index in
                events[max(0, index - 1)...min(events.count - 1, index + 1)].contains {
                    $0.wanted != nil || $0.lane == "note"
                }
            }
            let kept = Set(events.indices.prefix(5)).union(events.indices.suffix(5)).union(near)
            return ["\(events.count) events"] + kept.sorted().map { exact("\($0): " + line(events[$0])) }
        },
        "record": { scene, _ in
            let record = try record(scene)
            try checkReading(of: record)
            return [exact(String(decoding: record.json().dropLast(), as: UTF8.self))]
        },
        // What a failure is told by: words of the verdict, of the journal alone, of JUnit, and the record's reason.
        "sentence": { scene, _ in try sentence(scene) },
        // What the client is told.
        "assignment": { scene, block in
            guard let context = try scene.context() else {
                throw RuleScript.Mistake(description: "an assignment needs a base: base URL")
            }
            let assignment = try scene.item().assignment(scenario: "s/one", in: context)
            return [String(decoding: assignment.json, as: UTF8.self)]
        },
        "skip": { scene, _ in [try scene.grader(try scene.item()).skipReason ?? "none"] },
        // The task of each request.
        "tasks": { scene, block in
            let events = try scene.events()
            let correlation = WireCorrelation(events, isOfProtocol: block.has("protocol"))
            return correlation.tasks(of: WireRecord(try scene.journal() ?? [])).map { $0.map { "\($0)" } ?? "unknown" }
        },
        "departure": { scene, _ in [ClientDeparture.sentence(in: try scene.journal() ?? []) ?? "none"] },
        "summary": { scene, block in
            let report = try report(scene, block)
            return lines(report.summary(isComplete: block.has("all"), width: try width(block)))
                + (report.isFailure ? ["the exam fails"] : [])
        },
        // A line of JSON for each kept case, whose record is read back.
        "json-lines": { scene, block in
            for (number, verdict) in scene.kept.enumerated() {
                var record = CaseRecord(verdict)
                record.id = CaseID(scenario: verdict.id.scenario, name: "\(number)")
                try checkReading(of: record)
            }
            return lines(String(decoding: try report(scene, block).jsonLines, as: UTF8.self))
        },
        "junit": { scene, block in lines(try report(scene, block).junit) },
        "other-slices": { scene, _ in try otherSlices(scene) },
        "cookies-judged": { scene, _ in
            [CookieEvidence.reasonNotJudged(in: WireRecord(try scene.journal() ?? []), item: try scene.item()) ?? "yes"]
        },
        // By numbers of uses alone; the second part is of the scenario.
        "unasked-by": { scene, _ in try unasked(try scene.whole(), [scene.given[0]]) },
        "unasked": { scene, _ in try unasked(try scene.whole(), scene.given) },
        // How the failure of a command begins when the exchanges that no request used are named, too.
        "unasked-sentence": { scene, _ in
            let unasked = UnaskedExchanges(of: try scene.whole(), in: try scene.journal() ?? [])
            return [try wireVerdict(scene).naming(unasked).sentence ?? "none"]
        },
        "draft": { scene, _ in
            let source = RunDraft.Source(
                name: "r1", scenario: nil, origins: ["main": try scene.client().base ?? "http://x"])
            guard let draft = RunDraft(of: try scene.journal() ?? [], from: source).draft else { return ["none"] }
            return lines(ScenarioText(draft, name: "r1", head: source.head, isAlone: true).text)
        },
        "topic": { scene, _ in [FailureCause.topic(of: scene.given.joined())] },
        "cause-words": { scene, _ in [FailureCause(key: scene.given.joined()).sentence] },
        // `SCENARIO#CASE`, or with a version of the client.
        "deviation": { scene, _ in
            let parts = scene.given[0].split(separator: "#").map(String.init)
            let id = CaseID(scenario: parts[0], name: parts[1])
            let version = scene.given.count > 1 ? scene.given[1] : nil
            guard let ledger = try scene.ledger(), let found = ledger.deviation(for: id, ofVersion: version) else {
                return ["none"]
            }
            let must = ledger.mustHappen(found, inVersion: version)
            return ["\(found.pattern)\(must ? "" : ", written for another version")"]
        },
        // The outcome, and what the ledger says of it.
        "ledger-outcome": { scene, _ in
            let verdict = try caseVerdict(scene)
            let isDecided = verdict.outcome.isFailure || verdict.failures.isEmpty
            return [verdict.outcome.word] + verdict.ledgerNotes + verdict.failures.map(\.sentence)
                + (verdict.upstream.map { [$0.text] } ?? []) + (verdict.deviation == nil ? ["no entry of its own"] : [])
                + (isDecided ? [] : ["no failure, and yet findings that decide"])
        },
        "speaks-of": { scene, _ in ["\(try scene.ledger()?.speaks(ofVersion: scene.given.joined()) == true)"] },
        "upstream": { scene, _ in
            [try scene.ledger()?.upstream(of: FailureCause(key: scene.given.joined()))?.text ?? "none"]
        },
        "versions": { scene, _ in
            guard let range = VersionRange(parsing: scene.given[0]) else { return ["no range"] }
            return [scene.given.dropFirst().map { range.contains($0) ? "in" : "out" }.joined(separator: ", ")]
        },
    ]

    private static func lines(_ text: String) -> [String] {
        var lines = text.split(separator: "\n", omittingEmptySubsequences: false).map(String.init)
        if lines.last?.isEmpty == true { lines.removeLast() }
        return lines.map(exact)
    }

    private static func width(_ block: Block) throws -> Int { try block.number(of: "width") ?? 120 }

    // MARK: One case

    private static func record(_ scene: Scene) throws -> CaseRecord {
        CaseRecord(try caseVerdict(scene), of: try scene.item(), in: nil, evidence: try scene.evidence())
    }

    private static func checkReading(of record: CaseRecord) throws {
        var record = record
        record.client = "c"
        var reader = ExamRecordReader()
        try reader.read(
            ExamHeader(client: "c", platform: "neutral", proctor: "0").json + record.json(), file: "exam.jsonl")
        guard reader.exams.first?.cases == [record] else {
            throw RuleScript.Mistake(description: "the record is read back otherwise than it was written")
        }
    }

    /// `wire c0 s1 ×2 text | details`.
    private static func line(_ event: EventRecord) -> String {
        let place = [
            event.connection.map { "c\($0)" }, event.request.map { "r\($0)" }, event.stream.map { "s\($0)" },
            event.count == 1 ? nil : "×\(event.count)",
        ].compactMap(\.self)
        return
            ([([event.lane] + place + [event.text]).joined(separator: " ")] + event.details
            + (event.wanted.map { ["wanted \($0)"] } ?? [])).joined(separator: " | ")
    }

    private static func sentence(_ scene: Scene) throws -> [String] {
        let verdict = try caseVerdict(scene)
        let record = CaseRecord(verdict)
        let evidence = try scene.evidence()
        let wire = try wireVerdict(scene)
        let text = verdict.text(around: Timeline(evidence, verdict: verdict), notation: false)
        let exam = ExamRecord(header: ExamHeader(client: "c", platform: "p", proctor: ""), cases: [record])
        let junit = JUnitText.report(ExamResults([exam], gate: ExamGate(failingOn: [.must, .should])), name: "c")
        let words = String(junit[..<(junit.firstRange(of: "in detail:")?.lowerBound ?? junit.endIndex)])
        let sentence = verdict.sentence ?? "none"
        let isFailed = #"<failure type="fail" message="\#(XMLText.attribute(sentence))">\#(XMLText.content(sentence))"#
        var others: [String] = []
        if !verdict.description.hasPrefix(sentence + "\n") { others.append("the verdict begins otherwise") }
        if !wire.description.hasPrefix("fail: \(sentence)\n") { others.append("the journal alone: \(wire)") }
        if record.reason != sentence { others.append("record: \(record.reason)") }
        if record.lines.first != sentence { others.append("first line of the record: \(record.lines.first ?? "")") }
        if !junit.contains(isFailed + "\n") { others.append("JUnit: \(words)") }
        if !text.hasPrefix(sentence + "\n\n") { others.append("text: \(text)") }
        for told in [wire.text(details: false), text, words] where told.contains("request(") {
            others.append("notation among words: \(told)")
        }
        return [sentence] + others
    }

    /// The differences to the run before, then what they make of its verdict.
    private static func otherSlices(_ scene: Scene) throws -> [String] {
        guard let first = scene.firstRun, let before = try first.context(), let after = try scene.context() else {
            throw RuleScript.Mistake(
                description: "other slices need a block first-run before them, and a base of each run: base URL")
        }
        let findings = ResliceComparison(try first.evidence(), context: before).findings(
            seed: 7, try scene.evidence(), context: after)
        var verdict = try caseVerdict(first)
        let invites = verdict.invitesReslicing
        verdict.addDifferences(findings)
        let marks = verdict.findings.suffix(findings.count).map { finding in
            (finding.weight == .failure ? "failure " : "noted ") + (finding.isRecommendation ? "(should) " : "")
        }
        return zip(marks, findings).map { $0 + $1.sentence } + [
            "\(verdict.outcome.word), \(verdict.invitesReslicing ? "and" : "not") again"
                + (invites ? "" : ", nor before")
        ]
    }

    // MARK: Several cases

    private static func report(_ scene: Scene, _ block: Block) throws -> ExamReport {
        let verdicts = try scene.kept.isEmpty ? [caseVerdict(scene)] : scene.kept
        return ExamReport(
            client: block.value(of: "client") ?? "c", clientVersion: block.value(of: "version"), platform: "p",
            verdicts: verdicts, ledger: try scene.ledger(), isWhole: !block.has("part"))
    }

    /// Exchanges that were used as often as the given numbers say, of the block `scenario`.
    private static func unasked(_ scenario: Scenario, _ given: [String]) throws -> [String] {
        let counts = given[0].split(separator: " ").compactMap { Int($0) }
        var unasked = UnaskedExchanges(of: scenario, useCounts: counts)
        guard given.count > 1 else { return unasked.isEmpty ? ["none"] : unasked.sentences }
        let words = given[1].split(separator: " ")
        let verdict = WireVerdict(
            outcome: words[0] == "pass" ? .pass : words[0] == "fail" ? .fail : .setupFailed("x"))
        unasked.weight =
            words.contains("observed") ? .observation : words.contains("failed") ? .failure : nil
        return VerdictText.brief(verdict.naming(unasked))
    }
}
