internal import ProctorBase
import ProctorEvents
import ProctorHTTP
import ProctorJournal
package import ProctorScenario

/// The results of a run as texts without ports, nonces and times: requests, verdicts of guards, folded callbacks and
/// results.
package struct RunOutline: Sendable, Equatable {
    package private(set) var parts: [Part]

    package struct Part: Sendable, Equatable {
        /// The subject of the text: `the requests`, `the callbacks of task`.
        package let name: String
        package let text: String
        var lane: LaneID?
        package var isOfCallbacks = false
    }

    /// `context` has the addresses of the run.
    package init(_ evidence: CaseEvidence, context: TemplateContext) {
        parts = [Part(name: "the client's process", text: evidence.ending.word)]
        for proposal in ExpressionRecorder.proposals(for: evidence.events, journal: evidence.journal ?? []) {
            let isWire = proposal.key == "wire"
            let lane = isWire ? nil : CaseLane(proposal.key).map { LaneID($0.lane, $0.number) }
            parts.append(
                Part(
                    name: isWire ? "the requests" : "the callbacks of \(proposal.key)",
                    text: Self.withoutPorts(proposal.text, context), lane: lane, isOfCallbacks: !isWire))
        }
        parts += Self.words(of: evidence.journal ?? [])
        for event in evidence.events where event.lane == .harness && event.name == .result {
            let text = Self.withoutPorts(Self.result(event), context)
            parts.append(Part(name: "the result of step \(event.task)", text: text))
        }
    }

    /// The verdict of each guard, in order, without its sentences, which contain nonces.
    private static func words(of journal: [JournalEntry]) -> [Part] {
        WireRecord(journal).verdicts.map(\.note).grouped(by: \.guardName).map { name, verdicts in
            let words = verdicts.map { verdict in
                ([verdict.outcome.rawValue] + (verdict.nonceCount.map { ["nc \($0)"] } ?? [])
                    + verdict.faults.map(\.kind.rawValue)).joined(separator: " ")
            }
            return Part(name: "the word of guard \(name)", text: words.joined(separator: ", "))
        }
    }

    /// The result of the client; for a failed load, only that it failed.
    private static func result(_ event: TraceEvent) -> String {
        let keys: [FactKey] =
            event.facts[.error] == nil
            ? [.status, .mime, .textEncodingName, .suggestedName, .expectedLength, .bytes, .body, .bodyBase64]
            : [.status, .error]
        return keys.compactMap { key in event.facts[key].map { "\(key.rawValue)=\(EventText.text(of: $0))" } }.joined(
            separator: " ")
    }

    /// Removes the ports of the run, and on Linux its address, which may be part of a file name.
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
        // When two authorities begin alike, such as with a longer port, the longer one is replaced first.
        authorities.enumerated()
            .compactMap { index, authority in text.firstRange(ofText: authority).map { (index, $0) } }
            .min { ($0.1.lowerBound, $1.1.upperBound) < ($1.1.lowerBound, $0.1.upperBound) }
    }
}
