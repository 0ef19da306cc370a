import Foundation
import ProctorBase
import ProctorDocument
import ProctorEvents
import ProctorJournal
import ProctorNotation
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
            [measured(WireRecord(try scene.journal() ?? []).measure(try FactName(parsing: scene.given[0])).value)]
        },
        "timeline": { scene, block in
            let evidence = try scene.evidence()
            let verdict = try scene.block("case").map { _ in try scene.grader(try scene.item()).grade(evidence) }
            return Timeline(
                evidence, verdict: verdict, width: try block.number(of: "width") ?? 120,
                limit: try block.number(of: "limit") ?? 200
            ).lines.map(exact)
        },
        "wire-timeline": { scene, block in
            // With a case, the fields that it speaks of are shown, and with a failure the replies.
            let shown = try scene.block("case").map { _ in ShownFields(try scene.item()) } ?? ShownFields()
            try checkPieces(of: try scene.journal() ?? [])
            return WireTimeline(
                try scene.journal() ?? [], droppedCount: try scene.client().droppedCount,
                shown: block.has("replies") ? shown.withReplies : shown
            ).lines.map(exact)
        },
        "proposals": { scene, _ in
            let events = try scene.events()
            let proposals = ExpressionRecorder.proposals(for: events, journal: try scene.journal() ?? [])
            for proposal in proposals { try checkReading(of: proposal, isAlone: proposals.count == 1, events) }
            return proposals.isEmpty ? ["none"] : proposals.map { "\($0.key): \(ByteText.inLine($0.text.utf8))" }
        },
    ]

    /// A journal that comes in pieces has one clock and the lines of a whole one.
    private static func checkPieces(of entries: [JournalEntry]) throws {
        // Whether Proctor itself made a reply is not known of a later piece.
        let isOwn = entries.contains { if case .missed = $0.event { true } else { false } }
        guard !isOwn else { return }
        let whole = WireTimeline(entries).lines
        for cut in entries.indices.dropFirst() {
            let rest = WireTimeline(
                Array(entries[cut...]), start: entries[0].nanoseconds, after: entries[cut - 1]
            ).lines
            guard WireTimeline(Array(entries[..<cut])).lines + rest == whole else {
                throw RuleScript.Mistake(description: "the journal cut before entry \(cut) has other lines")
            }
        }
    }

    /// A proposal is one scalar in a file, and accepts the lane that it was made from.
    private static func checkReading(
        of proposal: ExpressionRecorder.Proposal, isAlone: Bool, _ events: [TraceEvent]
    ) throws {
        let document = Document.parse(Array("case:\n\(proposal.yaml)\n".utf8), file: "a.yaml")
        guard document.root?.entries?.first?.value.entries?.first?.value.text == proposal.text else {
            throw RuleScript.Mistake(description: "the proposal is read otherwise: \(proposal.yaml)")
        }
        guard isAlone, let lane = Lane(fixtureKey: proposal.key) else { return }
        let notation = try Notation(parsing: proposal.text, lane: lane)
        let symbols = events.filter { $0.phase == .enter && $0.lane == lane }.map(\.symbol)
        if let refusal = notation.diagnosis(of: symbols, ignoring: EventVocabulary.ambientNames) {
            throw RuleScript.Mistake(description: "\(proposal.text) does not accept its lane: \(refusal)")
        }
    }

    /// A line in which `…` is no wildcard.
    static func exact(_ line: String) -> String {
        line.replacing("…", with: "\\u2026").replacing("\u{FFFE}", with: "\\ufffe")
    }

    static func caseVerdict(_ scene: Scene) throws -> CaseVerdict {
        try scene.grader(try scene.item()).grade(try scene.evidence())
    }

    static func wireVerdict(_ scene: Scene) throws -> WireVerdict {
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
