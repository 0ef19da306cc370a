import ProctorGrading
import ProctorReferenceAdapter
import ProctorRules
import ProctorScenario
import ProctorTestSupport
import Testing

@testable import ProctorEvents

/// The exam can be passed: by the reference client, in every shape that it has.
@Suite(.serialized, .limit(minutes: 10))
struct ReferenceExamTests {
    @Test(arguments: FamilyExam.core)
    func `every case of the core is passed`(family: FamilyExam) async throws {
        let verdicts = try await family.verdicts()
        for verdict in verdicts {
            let isDeclined = family.shape != .session && verdict.outcome.isDeclined
            if !isDeclined { judge(verdict, family) }
        }
    }

    @Test(arguments: FamilyExam.downloads)
    func `what the core asks of the wire is done by downloads too`(family: FamilyExam) async throws {
        let verdicts = try await family.verdicts()
        #expect(verdicts.count > (Extent.isWhole ? 30 : 2))
        for verdict in verdicts { judge(verdict, family) }
    }

    @Test(arguments: FamilyExam.challengedDownloads)
    func `challenges of downloads are answered`(family: FamilyExam) async throws {
        let verdicts = try await family.verdicts()
        #expect(verdicts.count > (Extent.isWhole ? 100 : 3))
        for verdict in verdicts {
            let isDeclined = family.shape != .session && verdict.outcome.isDeclined
            if !isDeclined { judge(verdict, family) }
        }
    }

    @Test(arguments: FamilyExam.others)
    func `every case of the other families is passed`(family: FamilyExam) async throws {
        let verdicts = try await family.verdicts()
        for verdict in verdicts {
            // What only a session can do is declined by the others, with the reason.
            let isDeclined = family.shape != .session && verdict.outcome.isDeclined
            if !isDeclined { judge(verdict, family) }
        }
    }

    @Test(arguments: ReferenceShape.allCases)
    func `there is something to sit in every shape`(shape: ReferenceShape) async throws {
        let exam = try await ExamServer.shared.value
        let count = ["plain", "redirect", "canonical", "shape"].flatMap { exam.cases(of: $0) }.count {
            $0.applies(to: shape)
        }
        #expect(count >= (shape == .session ? 170 : 1), "\(count)")
    }

    @Test(arguments: ["301", "302", "303", "307", "308"])
    func `a refused redirect is what a download gets on a platform that delivers it`(status: String) async throws {
        let exam = try await ExamServer.shared.value
        let id = "redirect/\(status)-get-stays-get#refuse"
        let entry = try #require(exam.cases(of: "redirect").first { "\($0.id)" == id })
        var platform = Platform.neutral
        platform.refusedDownloadRedirect = .deliver
        let (verdict, timeline) = try await exam.sit(entry, as: .download, dataIsDownloaded: true, on: platform)
        #expect(verdict.outcome == .pass && verdict.notJudged.isEmpty, "\(verdict)\n\(timeline)")
    }

    @Test func `every known difference is a case that is there`() async throws {
        let exam = try await ExamServer.shared.value
        let ids = Set(exam.scenarios.flatMap { scenario in scenario.cases.map { "\(scenario.id)#\($0.name)" } })
        for known in KnownDifference.all { #expect(ids.contains(known.id), "\(known.id)") }
    }

    /// What is asked is done, and done rightly; of a case that only observes, that it has an end.
    private func judge(_ verdict: CaseVerdict, _ family: FamilyExam) {
        let shape = family.shape.rawValue
        let isPassed =
            switch verdict.outcome {
            case .pass: true
            case .observed: verdict.kind == .observes
            // Its rules are those of Foundation.
            case .lacks(.fetch): true
            // NSURLConnection's download tells of no trailers.
            case .lacks(.responseTrailers): family.shape == .connectionDownload
            // One process of the test does all steps; BreakagesPageTests starts the client again.
            case .lacks(.secondLaunch): true
            // A download that a refused redirect has cancelled tells nothing of the reply.
            // A URLProtocol's response is Foundation's own, which on Linux reads some of its facts wrongly; the adapter
            // reports none of these.
            case .partly: (family.dataIsDownloaded || family.shape == .urlProtocol) && verdict.failures.isEmpty
            default: false
            }
        switch (isPassed, KnownDifference.of(verdict, as: family.shape)) {
        case (true, nil), (false, _?): break
        case (true, let known?):
            // A case for the Fetch standard shows no difference.
            if verdict.outcome == .lacks(.fetch) { break }
            Issue.record("\(verdict.id) is passed as \(shape) and listed all the same: \(known.reason)")
        case (false, nil): Issue.record("as \(shape): \(verdict)")
        }
    }
}

extension CaseVerdict.Outcome {
    /// Whether the client lacks something, or its adapter cannot say what it is to do.
    var isDeclined: Bool {
        switch self {
        case .lacks, .notInThisAdapter: true
        default: false
        }
    }
}
