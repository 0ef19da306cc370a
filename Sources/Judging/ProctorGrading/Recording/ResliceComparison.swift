internal import ProctorBase
import ProctorEvents
import ProctorJournal
import ProctorProgram
package import ProctorScenario

/// Compares runs of one case in which the server sliced its replies at different offsets.
///
/// Slices have no meaning in TCP, so requests, verdicts of guards, folded callbacks and results must be the same. The
/// number of events about bytes may differ, and so may the run's ports in redirects and URLs. Credentials are not
/// compared, since nonces, and all values computed from them, are new in each run.
package struct ResliceComparison: Sendable {
    private let first: [RunOutline.Part]

    /// Uses the run without slices; `context` has the addresses of that run.
    package init(_ evidence: CaseEvidence, context: TemplateContext) {
        first = RunOutline(evidence, context: context).parts
    }

    /// The differences in another run, whose replies were sliced by `seed`.
    package func findings(seed: UInt64, _ evidence: CaseEvidence, context: TemplateContext) -> [Finding] {
        let second = RunOutline(evidence, context: context).parts
        var names: [String] = []
        for part in first + second where !names.contains(part.name) { names.append(part.name) }
        return names.compactMap { name in
            let (before, after) = (first.first { $0.name == name }, second.first { $0.name == name })
            guard before?.text != after?.text else { return nil }
            let (wanted, got) = (before?.text ?? "nothing", after?.text ?? "nothing")
            return Finding(
                subject: .slices(seed: seed),
                sentence:
                    "with other slices (seed \(seed)) \(name) \(Self.verb(of: name)) '\(Self.short(got))' and not "
                    + "'\(Self.short(wanted))'",
                details: LabelledText.lines("before", [EventText.printable(wanted, limit: 2_000)])
                    + LabelledText.lines("sliced", [EventText.printable(got, limit: 2_000)]),
                wanted: EventText.printable(wanted, limit: 2_000), got: EventText.printable(got, limit: 2_000),
                lane: (before ?? after)?.lane)
        }
    }

    /// Why the runs can't be compared, half a sentence; nil when they can.
    ///
    /// When a client acts at the n-th `data`, or loses bytes that it has not read, the slices change the result.
    package static func obstacle(to item: Case, of scenario: Scenario) -> String? {
        for (step, program) in item.client.enumerated() {
            let moments = program.step.moments + (program.session?.setup.moments ?? [])
            if let event = moments.lazy.compactMap(\.moment.countedBytes).first {
                return "step \(step) acts at a certain number of '\(event)', which is how bytes were cut"
            }
        }
        if let point = scenario.syncPoints.first(where: { $0.count > 1 && RunFolding.uncounted.contains($0.event) }) {
            return "a reply waits for a certain number of '\(point.event)', which is how bytes were cut"
        }
        let resets = scenario.actions.contains { $0.verb == .reset }
        return resets ? "a reset destroys what the client has not read yet" : nil
    }

    // MARK: Words

    private static func verb(of name: String) -> String {
        name.hasPrefix("the requests") || name.hasPrefix("the callbacks") ? "were" : "was"
    }

    private static func short(_ text: String) -> String { EventText.printable(text, limit: 160) }
}

extension Moment {
    /// The event whose count depends on the slices, when an event after the first one is meant.
    fileprivate var countedBytes: String? {
        guard case .event(let name, count: let count) = self, count > 1, RunFolding.uncounted.contains(name) else {
            return nil
        }
        return name
    }
}
