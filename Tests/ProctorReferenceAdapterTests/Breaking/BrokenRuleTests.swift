import ProctorEvents
import ProctorExam
import ProctorGrading
import ProctorReferenceAdapter
import ProctorRules
import ProctorScenario
import ProctorTestSupport
import Testing

/// The grader catches who breaks a rule: each broken variant is refused, with the number of its own rule and no other.
@Suite(.serialized, .timeLimit(.minutes(10)))
struct BrokenRuleTests {
    // MARK: The table

    @Test(arguments: Rules.all.map(\.number)) func `a rule has a variant and a proof, or a reason why not`(
        rule: RuleNumber
    ) {
        let variants = BrokenRule.all.filter { $0.rule == rule }.map(\.breakage.label)
        let proofs = BrokenProof.all.filter { $0.rule == rule.value }.map(\.label)
        let isExcepted = BrokenProof.exceptions[rule.value] != nil
        #expect(variants.isEmpty == isExcepted)
        #expect(variants == proofs)
        #expect(variants.isEmpty || variants.first == "\(rule)")
    }

    @Test func `nothing stands in the tables that is no rule`() {
        let rules = Set(Rules.all.map(\.number))
        for variant in BrokenRule.all { #expect(rules.contains(variant.rule), "\(variant.rule)") }
        for number in BrokenProof.all.map(\.rule) + BrokenProof.exceptions.keys {
            #expect(rules.contains(RuleNumber(number)), "R\(number)")
        }
        #expect(BrokenRule.all.map(\.rule) == BrokenRule.all.map(\.rule).sorted())
        #expect(Set(BrokenRule.all.map(\.breakage.name)).count == BrokenRule.all.count)
    }

    // MARK: The proofs

    @Test(arguments: BrokenProof.all + BrokenProof.further) func `the whole client passes the case`(proof: BrokenProof)
        async throws
    {
        let variant = try #require(BrokenRule.all.first { $0.breakage.label == proof.label })
        let (verdict, timeline) = try await sit(proof, as: variant.breakage.shape, breaking: nil)
        #expect(verdict.outcome == .pass, "\(verdict)\n\(timeline)")
        #expect(verdict.brokenRules == [], "\(verdict)\n\(timeline)")
    }

    @Test(arguments: BrokenProof.all + BrokenProof.further) func `the broken client is refused with its own rule alone`(
        proof: BrokenProof
    ) async throws {
        let variant = try #require(BrokenRule.all.first { $0.breakage.label == proof.label })
        let (verdict, timeline) = try await sit(proof, as: variant.breakage.shape, breaking: variant.breakage)
        let said: Comment = "\(variant.breakage.name): \(verdict)\n\(timeline)"
        #expect(verdict.outcome == (proof.deadline == nil ? .fail : .hang), said)
        #expect(verdict.brokenRules == [variant.rule], said)
        #expect(verdict.findings.contains { $0.weight == .failure && $0.rules == [variant.rule] }, said)
        let told = BrokenProof.consequences[proof.label, default: []].union([variant.rule])
        for finding in verdict.findings { #expect(Set(finding.rules).isSubset(of: told), said) }
    }

    private func sit(
        _ proof: BrokenProof, as shape: ReferenceShape, breaking variant: Breakage?
    ) async throws -> (verdict: CaseVerdict, timeline: Timeline) {
        let room = try await proof.id.hasPrefix("own/") ? OwnScenario.room.value : ExamRoom.shared.value
        let found = room.scenarios.flatMap { scenario in
            scenario.cases.map { ExamEntry(scenario: scenario, item: $0) }
        }.first { "\($0.id)" == proof.id }
        let entry = try #require(found, "there is no case \(proof.id)")
        // The whole client needs no shorter time: it ends.
        return try await room.sit(
            entry, as: proof.shape ?? shape, breaking: variant, dataIsDownloaded: proof.isDownload, on: proof.platform,
            deadline: variant == nil ? nil : proof.deadline)
    }

    // MARK: The program

    @Test func `the program can be told to break a rule, and the exam notices`() async throws {
        let room = try await ExamRoom.shared.value
        let examiner = Examiner(
            server: room.server,
            adapter: Adapter(
                command: [BuiltProduct.referenceClient, "--break", "R12"],
                environment: ["PATH": "/usr/bin:/bin", "HOME": "/tmp"]),
            platform: .neutral)
        let report = await ExamWalk(examiner).run(
            try CaseSelection(["auth/basic/every-answer#use"], among: room.scenarios))
        #expect(report.clientVersion == "1 breaking R12")
        let verdict = try #require(report.verdicts.first)
        #expect(verdict.outcome == .fail, "\(verdict)")
        #expect(verdict.brokenRules == [RuleNumber(12)], "\(verdict)")
    }

    @Test func `a rule is broken as the API in which it shows`() async throws {
        let room = try await ExamRoom.shared.value
        let examiner = Examiner(
            server: room.server,
            adapter: Adapter(
                command: [BuiltProduct.referenceClient, "--break", "R48"],
                environment: ["PATH": "/usr/bin:/bin", "HOME": "/tmp"]),
            platform: .neutral)
        let report = await ExamWalk(examiner).run(try CaseSelection(["plain/get#get"], among: room.scenarios))
        let verdict = try #require(report.verdicts.first)
        #expect(verdict.brokenRules == [RuleNumber(48)], "\(verdict)")
    }

    @Test func `the list names every rule, the API and what is done`() async throws {
        let outcome = try await ChildProcess.run([BuiltProduct.referenceClient, "--list-breaks"])
        let lines = outcome.out.split(separator: "\n").map { $0.split(separator: " ") }
        #expect(lines.count == Breakage.all.count)
        for (line, breakage) in zip(lines, Breakage.all) {
            #expect(line.prefix(2) == [Substring(breakage.label), Substring(breakage.shape.rawValue)])
            #expect(line.dropFirst(2).joined(separator: " ") == breakage.name)
        }
    }
}
