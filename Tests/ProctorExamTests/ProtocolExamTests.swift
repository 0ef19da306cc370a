import Foundation
import ProctorBase
import ProctorExam
import ProctorFixtures
import ProctorGrading
import ProctorProgram
import ProctorScenario
import ProctorServer
import ProctorTestSupport
import Testing

@testable import ProctorEvents
@testable import ProctorRules

/// The cases of `fixtures/protocol`, set to the adapter that plays their scripts without URLSession.
@Suite(.limit(minutes: 4))
struct ProtocolExamTests {
    private static let adapter = Adapter(
        command: [
            URL(fileURLWithPath: BuiltProduct.proctor).deletingLastPathComponent()
                .appendingPathComponent("proctor-client-urlsession").path,
            "--drive-protocols",
        ], environment: ProcessInfo.processInfo.environment)

    private static let folder = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
        .appendingPathComponent("../../fixtures/protocol").standardized.path

    /// A case, what became of it, and the text for a failed expectation.
    private struct Result {
        let item: Case
        let verdict: CaseVerdict
        let text: String
    }

    private func results(of scenarios: [Scenario], retries: Int) async throws -> [Result] {
        let server = try await Server.start(Catalogue(scenarios))
        let sittings = Locked<[String: Sitting]>([:])
        let examiner = Examiner(server: server, adapter: Self.adapter, platform: .neutral)
        let selection = try CaseSelection([], among: scenarios)
        let report = await ExamWalk(examiner, retries: retries).run(selection, isWhole: true) { sitting in
            sittings.withLock { $0[sitting.verdict.id.description] = sitting }
        }
        await server.stop(grace: .zero)
        #expect(report.verdicts.count == selection.cases.count)
        return zip(selection.cases, report.verdicts).map { entry, verdict in
            let sitting = sittings.withLock { $0[verdict.id.description] }
            let timeline = sitting.map { "\($0.timeline)\n" } ?? ""
            return Result(item: entry.item, verdict: verdict, text: "\(timeline)\(verdict)")
        }
    }

    // MARK: The fixtures

    /// Broken by a script of ours in at least one case; R49, R51 and R52 are about the loading system, which is the
    /// driver and breaks none.
    private static let broken: Set<Int> = [1, 2, 3, 10, 11, 20, 25, 26, 33, 39, 40, 48, 50]
    /// Asked for by at least one scenario.
    private static let covered = broken.union([49, 51, 52])

    @Test func `every case passes with the driver, and breaks exactly the rules it says`() async throws {
        let scenarios = try ScenarioLoader.load(paths: [Self.folder]).get()
        let results = try await results(of: scenarios, retries: 2)
        #expect(results.count >= 45)
        for result in results {
            let (item, verdict, text) = (result.item, result.verdict, result.text)
            // What needs protocol classes, or an object that loads, is for other clients.
            guard item.isScript else {
                #expect(verdict.outcome == .notInThisAdapter, "\(text)")
                continue
            }
            #expect(verdict.outcome == (item.kind == .observes ? .observed : .pass), "\(text)")
            #expect(Set(verdict.brokenRules) == Set(item.breaks), "\(text)")
            // What is only observed is as the fixture says, too.
            #expect(!verdict.findings.contains { $0.subject.isOfCase }, "\(text)")
            #expect(verdict.undecidedFacts.isEmpty, "\(text)")
        }
        let seen = Set(results.flatMap(\.verdict.brokenRules).map(\.value))
        #expect(seen.isSuperset(of: Self.broken), "not broken by any case: \(Self.broken.subtracting(seen).sorted())")
        let asked = Set(scenarios.flatMap(\.spec).compactMap { $0.split(separator: " R").last.flatMap { Int($0) } })
        #expect(asked.isSuperset(of: Self.covered), "in no scenario: \(Self.covered.subtracting(asked).sorted())")
    }

    // MARK: That it can fail

    private static let mistaken = """
        summary: Cases that are wrong on purpose
        spec: callback rule R39
        exchanges:
          - request: "* /*"
            reply: { status: 500 }
        cases:
          another-order:
            client: { url: /, protocol: [response 200, data x, finish] }
            protocolClient: data response(200) complete(ok)
          another-life:
            client: { url: /, protocol: [response 200, finish] }
            proto: p.init p.start p.deinit
          not-broken:
            client: { url: /, protocol: [response 200, finish] }
            breaks: R39
          not-announced:
            client: { url: /, protocol: [response 200, finish, finish] }
          another-rule:
            client: { url: /, protocol: [response 200, finish, finish] }
            breaks: R40
          another-body:
            client: { url: /, protocol: [response 200, data x, finish] }
            facts: { body: y }
          no-script:
            client: { url: / }
          never-ends:
            client: { url: /, protocol: [response 200], timeout: 4s }
          right:
            client: { url: /, protocol: [response 200, finish] }
            protocolClient: response(200) complete(ok)
        """

    @Test func `a case that says otherwise than its script fails, each for its own reason`() async throws {
        let (scenario, diagnostics) = ScenarioLoader.parse(
            Array(Self.mistaken.utf8), id: "mistaken", file: "mistaken.yaml")
        #expect(diagnostics.isEmpty)
        let results = try await results(of: [try #require(scenario)], retries: 0)
        let outcomes = Dictionary(uniqueKeysWithValues: results.map { ($0.item.name, $0) })
        for (name, words) in [
            ("another-order", "got response(200), wanted data"), ("another-life", "wanted p.deinit"),
            ("not-broken", "the grader did not see it"), ("not-announced", "R39"),
            ("another-rule", "R39"), ("another-body", "wanted \"y\""), ("never-ends", "R39"),
        ] {
            let result = try #require(outcomes[name])
            #expect(result.verdict.outcome == .fail, "\(name)\n\(result.text)")
            #expect(result.verdict.description.contains(words), "\(name)\n\(result.text)")
        }
        #expect(outcomes["no-script"]?.verdict.outcome == .notInThisAdapter)
        #expect(outcomes["right"]?.verdict.outcome == .pass)
    }
}

extension Finding.Subject {
    /// Whether it is about what the case says, and not about a rule.
    fileprivate var isOfCase: Bool {
        switch self {
        case .expression, .fact, .edge: true
        default: false
        }
    }
}

extension Case {
    /// Whether the driver can play it: every step has a script, and the session asks for nothing of the loading system.
    fileprivate var isScript: Bool {
        client.allSatisfy { program in
            program.protocolScript != nil && program.session?.protocols.isEmpty ?? true
                && program.session?.keepsObjects != true && program.session?.callsAtOnce != true
        }
    }
}
