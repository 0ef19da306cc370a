import Foundation
import ProctorBase
import ProctorDocument
import ProctorEvents
import ProctorJournal
import ProctorNotation
import ProctorReport
import ProctorScenario

@testable import ProctorGrading

extension VerdictRunner {
    /// Of a case, a journal and a trace.
    static let verdicts: [String: @Sendable (Scene, Block) throws -> [String]] = [
        "verdict": { scene, _ in VerdictText.lines(try caseVerdict(scene)) },
        "outcome": { scene, _ in VerdictText.brief(try caseVerdict(scene)) },
        "claims": { scene, _ in VerdictText.claims(try caseVerdict(scene).claims) },
        "content": { scene, _ in VerdictText.content(try caseVerdict(scene)) },
        "cause": { scene, _ in [try caseVerdict(scene).cause?.key ?? "none"] },
        "json": { scene, _ in [String(decoding: try caseVerdict(scene).json, as: UTF8.self)] },
        // Of the journal alone, and of the end of a command where there is one.
        "wire": { scene, _ in VerdictText.lines(try wireVerdict(scene)) },
        "wire-outcome": { scene, _ in VerdictText.brief(try wireVerdict(scene)) },
        "fact": { scene, block in
            try FactCase(scene.given.first ?? "", line: block.line).lines(scene)
        },
        "measure": { scene, _ in
            [measured(WireRecord(try scene.journal() ?? []).measure(try FactName(parsing: scene.given.joined())).value)]
        },
        "timeline": { scene, block in
            let evidence = try scene.evidence()
            let verdict = try scene.block("case").map { _ in try scene.grader(try scene.item()).grade(evidence) }
            return Timeline(
                evidence, verdict: verdict, width: try block.number(of: "width") ?? 120,
                limit: try block.number(of: "limit") ?? 200
            ).lines
        },
        "wire-timeline": { scene, _ in
            WireTimeline(try scene.journal() ?? [], droppedCount: try scene.client().droppedCount).lines
        },
        "proposals": { scene, _ in
            ExpressionRecorder.proposals(for: try scene.events(), journal: try scene.journal() ?? []).map {
                "\($0.key): \($0.text)"
            }
        },
    ]

    private static func caseVerdict(_ scene: Scene) throws -> CaseVerdict {
        try scene.grader(try scene.item()).grade(try scene.evidence())
    }

    private static func wireVerdict(_ scene: Scene) throws -> WireVerdict {
        let client = try scene.client()
        return WireGrader(try scene.item(), context: try scene.context()).grade(
            try scene.journal() ?? [], droppedCount: client.droppedCount, result: client.result)
    }

    private static func measured(_ value: ProctorScenario.Measurement) -> String {
        switch value {
        case .absent: "absent"
        case .number(let number): number == number.rounded() ? "\(Int(number))" : "\(number)"
        case .text(let bytes): "\"\(ByteText.inLine(bytes))\""
        case .list(let texts): "[" + texts.map { "\"\(ByteText.inLine($0))\"" }.joined(separator: ", ") + "]"
        case .unknown(let reason): "unknown: \(reason)"
        case .notKept(let reason): "not kept: \(reason)"
        case .untold: "untold"
        }
    }
}
