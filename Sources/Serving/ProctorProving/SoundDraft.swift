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
    package let scenario: Scenario
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
            let text = ScenarioText(draft, name: name, head: form.head, isAlone: form.stage == nil)
            var folder: String?
            do throws(CallFailure) { folder = try form.stage?(text.files) } catch { throw .call(error) }
            let bytes = Array(text.text.utf8)
            let (scenario, diagnostics) = ScenarioLoader.parse(
                bytes, id: form.id, file: "\(name).yaml", folder: folder)
            guard let scenario else {
                draft = try Self.removeRefused(diagnostics, bytes, from: draft)
                continue
            }
            let proof: (differences: ImportRemarks, gap: ImportRemark?)
            do throws(SpentBudget) {
                proof = try ImportProof.differences(of: scenario, draft, within: budget, progress: progress)
            } catch {
                throw .spent(error)
            }
            if let gap = proof.gap { draft.remarks.append(gap) }
            (self.draft, self.text, self.scenario, differences) = (draft, text, scenario, proof.differences)
            return
        }
        throw .unloadable([])
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
