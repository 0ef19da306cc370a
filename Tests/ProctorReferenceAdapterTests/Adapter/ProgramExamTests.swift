import ProctorExam
import ProctorGrading
import ProctorReferenceAdapter
import ProctorScenario
import ProctorTestSupport
import ProctorTrace
import Testing

/// The program itself sits the exam, as anybody's adapter does.
@Suite(.serialized, .timeLimit(.minutes(5)))
struct ProgramExamTests {
    /// Cases of each shape that are asked; there may be fewer for downloads.
    private static let mostCases = 12

    @Test(arguments: ReferenceShape.allCases)
    func `a dozen cases are passed in every shape`(shape: ReferenceShape) async throws {
        let room = try await ExamRoom.shared.value
        let entries = ["plain", "redirect"].flatMap { folder in
            room.cases(of: folder).filter { $0.item.kind == .must && $0.applies(to: shape) }.prefix(Self.mostCases / 2)
        }
        let examiner = Examiner(
            server: room.server,
            adapter: Adapter(
                command: [BuiltProduct.referenceClient, "--as", shape.rawValue],
                environment: ["PATH": "/usr/bin:/bin", "HOME": "/tmp"]),
            platform: .neutral)
        let selection = try CaseSelection(entries.map { "\($0.id)" }, among: room.scenarios)
        let report = await ExamWalk(examiner, width: 4).run(selection)
        #expect(report.client == "proctor-reference")
        #expect(report.clientVersion == "1")
        #expect(report.verdicts.count == entries.count && !entries.isEmpty)
        for verdict in report.verdicts where verdict.outcome != .pass {
            Issue.record("as \(shape.rawValue): \(verdict)")
        }
    }
}
