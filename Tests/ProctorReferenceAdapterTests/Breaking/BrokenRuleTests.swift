import ProctorEvents
import ProctorExam
import ProctorGrading
import ProctorReferenceAdapter
import ProctorReport
import ProctorRules
import ProctorScenario
import ProctorServer
import ProctorTestSupport
import Testing

/// The grader catches who breaks a rule: each broken variant is refused, with the number of its own rule and no other.
@Suite(.serialized, .limit(minutes: 10))
struct BrokenRuleTests {
    // MARK: The table

    @Test(arguments: Rules.all.map(\.number)) func `a rule has a variant and a proof, or a reason why not`(
        rule: RuleNumber
    ) {
        let variants = Breakage.rules.filter { $0.rule == rule }.map(\.label)
        let proofs = BrokenProof.all.filter { $0.rule == rule.value }.map(\.label)
        let isExcepted = BrokenProof.exceptions[rule.value] != nil
        #expect(variants.isEmpty == isExcepted)
        #expect(variants == proofs)
        #expect(variants.isEmpty || variants.first == "\(rule)")
    }

    @Test func `nothing stands in the tables that is no rule`() {
        let rules = Set(Rules.all.map(\.number))
        for variant in Breakage.rules { #expect(variant.rule.map(rules.contains) == true, "\(variant.label)") }
        for number in BrokenProof.all.map(\.rule) + BrokenProof.exceptions.keys {
            #expect(rules.contains(RuleNumber(number)), "R\(number)")
        }
        let numbers = Breakage.rules.compactMap(\.rule)
        #expect(numbers == numbers.sorted())
        #expect(Breakage.wire.allSatisfy { $0.rule == nil })
        #expect(Set(Breakage.rules.map(\.name)).count == Breakage.rules.count)
    }

    // MARK: The proofs

    @Test(arguments: Extent.of(BrokenProof.all + BrokenProof.further, stride: 4))
    func `the whole client passes the case`(proof: BrokenProof)
        async throws
    {
        let variant = try #require(Breakage.rules.first { $0.label == proof.label })
        let (verdict, timeline) = try await sit(proof, as: variant.shape, breaking: nil)
        #expect(verdict.outcome == .pass, "\(verdict)\n\(timeline)")
        #expect(verdict.brokenRules == [], "\(verdict)\n\(timeline)")
    }

    @Test(arguments: Extent.of(BrokenProof.all + BrokenProof.further, stride: 4))
    func `the broken client is refused with its own rule alone`(
        proof: BrokenProof
    ) async throws {
        let variant = try #require(Breakage.rules.first { $0.label == proof.label })
        let (verdict, timeline) = try await sit(proof, as: variant.shape, breaking: variant)
        let rule = try #require(variant.rule)
        let said: Comment = "\(variant.name): \(verdict)\n\(timeline)"
        #expect(verdict.outcome == (proof.deadline == nil ? .fail : .hang), said)
        #expect(verdict.brokenRules == [rule], said)
        #expect(verdict.findings.contains { $0.weight == .failure && $0.rules == [rule] }, said)
        let told = BrokenProof.consequences[proof.label, default: []].union([rule])
        for finding in verdict.findings { #expect(Set(finding.rules).isSubset(of: told), said) }
    }

    private func sit(
        _ proof: BrokenProof, as shape: ReferenceShape, breaking variant: Breakage?
    ) async throws -> (verdict: CaseVerdict, timeline: Timeline) {
        let exam = try await proof.id.hasPrefix("own/") ? OwnScenario.exam.value : ExamServer.shared.value
        let found = exam.scenarios.flatMap { scenario in
            scenario.sittings.map { ExamEntry(scenario: scenario, item: $0) }
        }.first { "\($0.id)" == proof.id }
        let entry = try #require(found, "there is no case \(proof.id)")
        // The whole client needs no shorter time: it ends.
        return try await exam.sit(
            entry, as: proof.shape ?? shape, breaking: variant, dataIsDownloaded: proof.isDownload, on: proof.platform,
            deadline: variant == nil ? nil : proof.deadline)
    }

    // MARK: The program

    @Test func `the program can be told to break a rule, and the exam notices`() async throws {
        let exam = try await ExamServer.shared.value
        let examiner = Examiner(
            server: exam.server,
            adapter: Adapter(
                command: [BuiltProduct.referenceClient, "--break", "R12"],
                environment: ["PATH": "/usr/bin:/bin", "HOME": "/tmp"]),
            platform: .neutral)
        let report = await ExamWalk(examiner).run(
            try CaseSelection(["auth/basic/every-answer#use"], among: exam.scenarios))
        #expect(report.clientVersion == "1 breaking R12")
        let verdict = try #require(report.verdicts.first)
        #expect(verdict.outcome == .fail, "\(verdict)")
        #expect(verdict.brokenRules == [RuleNumber(12)], "\(verdict)")
    }

    @Test func `a rule is broken as the API in which it shows`() async throws {
        let exam = try await ExamServer.shared.value
        let examiner = Examiner(
            server: exam.server,
            adapter: Adapter(
                command: [BuiltProduct.referenceClient, "--break", "R48"],
                environment: ["PATH": "/usr/bin:/bin", "HOME": "/tmp"]),
            platform: .neutral)
        let report = await ExamWalk(examiner).run(try CaseSelection(["plain/get#get"], among: exam.scenarios))
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
