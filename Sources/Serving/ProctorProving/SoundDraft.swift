package import ProctorBase
package import ProctorDocument
internal import ProctorFixtures
package import ProctorImport
package import ProctorScenario

/// A draft as a scenario that loads, without what the loader refuses, and held to its source.
package struct SoundDraft {
    /// Without the exchanges that can't be loaded, which its remarks tell.
    package private(set) var draft: Draft
    package private(set) var text: ScenarioText
    package private(set) var scenario: Scenario
    /// What is not as the source says.
    package let differences: ImportRemarks

    /// How a draft is written.
    package struct Form {
        /// The id of the scenario.
        let id: String
        let head: String
        /// Writes the files of the text, and returns the folder that they stand in; nil: all stands in the text.
        let stage: (([(path: String, content: DraftFile)]) throws(CallFailure) -> String)?

        package init(
            id: String, head: String,
            staging stage: (([(path: String, content: DraftFile)]) throws(CallFailure) -> String)? = nil
        ) {
            (self.id, self.head, self.stage) = (id, head, stage)
        }
    }

    package enum Failure: Error, CustomStringConvertible {
        case unloadable([Diagnostic])
        case spent(SpentBudget)
        case call(CallFailure)

        package var description: String {
            switch self {
            case .unloadable(let diagnostics):
                "nothing was written, since the scenario would have these mistakes:"
                    + diagnostics.map { "\n\($0)" }.joined()
            case .spent(let budget): "the import was not finished: \(budget)"
            case .call(let failure): "\(failure)"
            }
        }
    }

    /// One mistake may hide another, so that the text is read again without what was refused.
    private static let roundLimit = 20

    package init(
        _ draft: Draft, as form: Form, within budget: WorkBudget, progress: ImportProgress? = nil
    ) throws(Failure) {
        var draft = draft
        let name = form.id.split(separator: "/").last.map { String($0) } ?? form.id
        for _ in 0..<Self.roundLimit {
            let read = try Read(draft, as: form, name: name)
            guard let scenario = read.scenario else {
                draft = try Self.removeRefused(read.diagnostics, Array(read.text.text.utf8), from: draft)
                continue
            }
            let proof: ImportProof.Findings
            do throws(SpentBudget) {
                proof = try ImportProof.findings(of: scenario, draft, within: budget, progress: progress)
            } catch {
                throw .spent(error)
            }
            if let gap = proof.gap { draft.remarks.append(gap) }
            (self.draft, text, self.scenario, differences) = (draft, read.text, scenario, proof.differences)
            try expectDescription(proof, as: form, name: name)
            return
        }
        throw .unloadable([])
    }

    /// A draft that was written and read.
    private struct Read {
        let text: ScenarioText
        let scenario: Scenario?
        let diagnostics: [Diagnostic]

        init(_ draft: Draft, as form: Form, name: String) throws(Failure) {
            text = ScenarioText(draft, name: name, head: form.head, isAlone: form.stage == nil)
            var folder: String?
            do throws(CallFailure) { folder = try form.stage?(text.files) } catch { throw .call(error) }
            (scenario, diagnostics) = ScenarioLoader.parse(
                Array(text.text.utf8), id: form.id, file: "\(name).yaml", folder: folder)
        }
    }

    /// Holds the runs of the scenario to its description, and its replies where all of them are as it says.
    private mutating func expectDescription(
        _ proof: ImportProof.Findings, as form: Form, name: String
    ) throws(Failure) {
        guard let description = draft.description, description.isExpected, proof.hasJudge else { return }
        guard form.stage != nil else {
            draft.remarks.add(
                at: description.file,
                "requests are not held to the description, which needs a file of its own; proctor import openapi writes one"
            )
            return
        }
        var reason: String?
        for holdsReplies in proof.faultyReplyCount == 0 ? [true, false] : [false] {
            var expecting = draft
            expecting.expectation = Draft.Expectation(replies: holdsReplies)
            let read = try Read(expecting, as: form, name: name)
            guard let scenario = read.scenario else {
                reason = reason ?? read.diagnostics.first { $0.level == .error }?.sentence
                continue
            }
            if !holdsReplies {
                let count = Plural.count(proof.faultyReplyCount, "reply is", plural: "replies are")
                expecting.remarks.add(
                    at: description.file,
                    "runs hold requests to the description and no replies: "
                        + (reason ?? "\(count) not as it says"))
            }
            (draft, text, self.scenario) = (expecting, read.text, scenario)
            return
        }
        draft.remarks.add(
            at: description.file,
            "runs are not held to the description: \(reason ?? "it can't be read beside a scenario")")
    }

    /// The warnings of the scenario itself; those of the description are a remark of the import.
    package var warnings: [Diagnostic] {
        scenario.warnings.filter { warning in
            guard let description = draft.description else { return true }
            return !warning.location.file.hasSuffix(description.nameEnding)
        }
    }

    /// The draft without the exchanges that hold the mistakes, each told with its place in the source.
    private static func removeRefused(
        _ diagnostics: [Diagnostic], _ bytes: [UInt8], from draft: Draft
    ) throws(Failure) -> Draft {
        let starts =
            Document.parse(bytes, file: "").root?.entries?.first { $0.key == "exchanges" }?.value.items?.map(
                \.location.line) ?? []
        var reasons: [Int: Diagnostic] = [:]
        for diagnostic in diagnostics where diagnostic.level == .error {
            guard let index = starts.lastIndex(where: { $0 <= diagnostic.location.line }) else {
                throw .unloadable(diagnostics)
            }
            if reasons[index] == nil { reasons[index] = diagnostic }
        }
        guard starts.count == draft.exchanges.count, !reasons.isEmpty, reasons.count < starts.count else {
            throw .unloadable(diagnostics)
        }
        var kept = draft
        kept.exchanges = []
        for (index, exchange) in draft.exchanges.enumerated() {
            guard let reason = reasons[index] else {
                kept.exchanges.append(exchange)
                continue
            }
            kept.remarks.add(
                at: exchange.place,
                "a fixture can't say this, and it is left out: \(reason.sentence)"
                    + (reason.hint.map { "; \($0)" } ?? ""))
            kept.claims.removeAll { $0.place == exchange.place }
        }
        return kept
    }
}
