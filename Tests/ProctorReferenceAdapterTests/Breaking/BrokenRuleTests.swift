import ProctorEvents
import ProctorExam
import ProctorGrading
import ProctorReferenceAdapter
import ProctorRules
import ProctorScenario
import ProctorServer
import ProctorTestSupport
import Testing

/// What variants there are, and how the program is told of one; ``BreakagesPageTests`` shows what catches each.
@Suite(.serialized, .limit(minutes: 10))
struct BrokenRuleTests {
    // MARK: The table

    /// Rules that no trace of this client can break, and why.
    static let exceptions: [Int: String] = [
        53: "about the test's own code: it is the program that answers, not the client",
        58: "of stream tasks, which this client does not have",
        66: "of background sessions, which this client does not have",
    ]

    @Test(arguments: Rules.all.map(\.number)) func `a rule has a variant, or a reason why not`(rule: RuleNumber) {
        let variants = Breakage.rules.filter { $0.rule == rule }.map(\.label)
        #expect(variants.isEmpty == (Self.exceptions[rule.value] != nil))
        #expect(variants.isEmpty || variants.first == "\(rule)")
    }

    @Test func `nothing stands in the tables that is no rule`() {
        let rules = Set(Rules.all.map(\.number))
        for variant in Breakage.rules { #expect(variant.rule.map(rules.contains) == true, "\(variant.label)") }
        for number in Self.exceptions.keys { #expect(rules.contains(RuleNumber(number)), "R\(number)") }
        let numbers = Breakage.rules.compactMap(\.rule)
        #expect(numbers == numbers.sorted())
        #expect(Breakage.wire.allSatisfy { $0.rule == nil })
        for breakages in [Breakage.rules, Breakage.wire] {
            #expect(Set(breakages.map(\.name)).count == breakages.count)
        }
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
