internal import ProctorBase
import ProctorEvents
import ProctorHTTP
import ProctorJournal
import ProctorProgram
package import ProctorScenario

/// Compares runs of one case that differ only in the slices in which the server sent its replies.
///
/// How bytes were cut means nothing in TCP, so that requests, verdicts of guards, folded callbacks and results must be
/// the same. The number of events about bytes may differ, and so may the run's own ports in redirects and URLs.
/// Credentials are not compared, since nonces, and all that is computed from them, are new in each run.
package struct ResliceComparison: Sendable {
    private let first: [Part]

    private struct Part: Sendable, Equatable {
        let name: String
        let text: String
        var lane: LaneID?
    }

    /// Takes the run without slices; `context` has the addresses of that run.
    package init(_ evidence: CaseEvidence, context: TemplateContext) { first = Self.parts(of: evidence, context) }

    /// The differences in another run, whose replies were cut by `seed`.
    package func findings(seed: UInt64, _ evidence: CaseEvidence, context: TemplateContext) -> [Finding] {
        let second = Self.parts(of: evidence, context)
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
    /// Where a client acts at the n-th chunk, or loses bytes that it has not read, the cuts change the result.
    package static func obstacle(to item: Case, of scenario: Scenario) -> String? {
        for (step, program) in item.client.enumerated() {
            let moments = [program.cancelAt, program.suspendAt, program.session?.endAt]
            if let event = moments.lazy.compactMap({ $0?.countedBytes }).first {
                return "step \(step) acts at a certain number of '\(event)', which is how bytes were cut"
            }
        }
        if let point = scenario.syncPoints.first(where: { $0.count > 1 && RunFolding.uncounted.contains($0.event) }) {
            return "a reply waits for a certain number of '\(point.event)', which is how bytes were cut"
        }
        if scenario.resets { return "a reset destroys what the client has not read yet" }
        return nil
    }

    // MARK: Parts

    private static func parts(of evidence: CaseEvidence, _ context: TemplateContext) -> [Part] {
        var parts = [Part(name: "the client's process", text: evidence.ending.word)]
        for proposal in ExpressionRecorder.proposals(for: evidence.events, journal: evidence.journal ?? []) {
            let name = proposal.key == "wire" ? "the requests" : "the callbacks of \(proposal.key)"
            let lane = CaseLane(proposal.key).map { LaneID($0.lane, $0.number) }
            parts.append(
                Part(name: name, text: withoutPorts(proposal.text, context), lane: proposal.key == "wire" ? nil : lane))
        }
        parts += words(of: evidence.journal ?? [])
        for event in evidence.events where event.lane == .harness && event.name == .result {
            let text = result(event)
            parts.append(Part(name: "the result of step \(event.task)", text: withoutPorts(text, context)))
        }
        return parts
    }

    /// The verdict of each guard, in order, without its sentences, which quote nonces.
    private static func words(of journal: [JournalEntry]) -> [Part] {
        WireRecord(journal).verdicts.map(\.verdict).grouped(by: \.guardName).map { name, verdicts in
            let words = verdicts.map { verdict in
                ([verdict.outcome.rawValue] + (verdict.nonceCount.map { ["nc \($0)"] } ?? [])
                    + verdict.faults.map(\.kind.rawValue)).joined(separator: " ")
            }
            return Part(name: "the word of guard \(name)", text: words.joined(separator: ", "))
        }
    }

    /// The client's result; for a load that failed, only that it failed.
    private static func result(_ event: TraceEvent) -> String {
        let keys: [FactKey] =
            event.facts[.error] == nil
            ? [.status, .mime, .textEncodingName, .suggestedName, .expectedLength, .bytes, .body, .bodyBase64]
            : [.status, .error]
        return keys.compactMap { key in event.facts[key].map { "\(key.rawValue)=\(EventText.text(of: $0))" } }.joined(
            separator: " ")
    }

    /// Removes the run's ports, and on Linux its address, which may be part of a file name.
    private static func withoutPorts(_ text: String, _ context: TemplateContext) -> String {
        var text = text[...]
        var result = ""
        let authorities = context.authorities.map { String(decoding: $0, as: UTF8.self) }
        let hosts = authorities.map { String($0[..<($0.lastIndex(of: ":") ?? $0.endIndex)]) }
        while let (index, range) = next(of: authorities + hosts, in: text) {
            result += text[..<range.lowerBound] + (index < authorities.count ? "origin \(index)" : "its host")
            text = text[range.upperBound...]
        }
        return result + text
    }

    private static func next(of authorities: [String], in text: Substring) -> (Int, Range<Substring.Index>)? {
        // Of two that begin alike, such as a port and a longer one, the longer is replaced.
        authorities.enumerated()
            .compactMap { index, authority in text.firstRange(ofText: authority).map { (index, $0) } }
            .min { ($0.1.lowerBound, $1.1.upperBound) < ($1.1.lowerBound, $0.1.upperBound) }
    }

    // MARK: Words

    private static func verb(of name: String) -> String {
        name.hasPrefix("the requests") || name.hasPrefix("the callbacks") ? "were" : "was"
    }

    private static func short(_ text: String) -> String { EventText.printable(text, limit: 160) }
}

extension Moment {
    /// The event whose count depends on how bytes were cut, where one after the first is meant.
    fileprivate var countedBytes: String? {
        guard case .event(let name, count: let count) = self, count > 1, RunFolding.uncounted.contains(name) else {
            return nil
        }
        return name
    }
}

extension Scenario {
    fileprivate var resets: Bool { actions.contains { action in if case .reset = action { true } else { false } } }
}
