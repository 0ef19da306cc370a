public import ProctorTrace

/// Proposes, from what a client did, the expressions that a case could ask for; to be read and cut by a person.
///
/// Each proposal accepts the trace it came from. Events whose number is never asserted become `+`, other runs keep their
/// count, groups that come three times or more are folded, ambient events are left out.
public enum ExpressionRecorder {
    /// One line for a case.
    public struct Proposal: Sendable, Equatable {
        /// As the case names it: `wire`, `task[1]`, `download`.
        public let key: String
        /// The expression.
        public let text: String

        /// The lines of YAML that can stand under a case, indented by that many spaces.
        public func yaml(indentation: Int = 4) -> String {
            "\(String(repeating: " ", count: max(0, indentation)))\(key): \(YAMLText.scalar(text))"
        }
    }

    /// Groups of an expression; in place of the middle of a longer one stands `...`.
    static let mostGroups = 400

    /// One for each lane in which something happened: the wire first, then by lane and number.
    public static func proposals(for events: [TraceEvent], journal: [JournalEntry] = []) -> [Proposal] {
        var proposals: [Proposal] = []
        let requests = WireRecord(journal).requests.map(\.symbol)
        if let text = RunFolding.expression(of: requests, lane: .wire) {
            proposals.append(Proposal(key: "wire", text: text))
        }
        let events = MergedTrace(events, record: nil, programs: []).events.filter(\.isCallback)
        var families: [LaneID: CallbackFamily] = [:]
        for event in events where families[event.laneID] == nil { families[event.laneID] = event.family }
        var lanes: [CaseLane: [TraceEventSymbol]] = [:]
        for event in events {
            let lane = CaseLane(CaseLane.key(event.laneID, family: families[event.laneID]))
            guard let lane, !lane.ignored.contains(event.name.rawValue) else { continue }
            lanes[lane, default: []].append(event.symbol)
        }
        for lane in lanes.keys.sorted() {
            guard let symbols = lanes[lane], let text = RunFolding.expression(of: symbols, lane: lane.lane) else {
                continue
            }
            proposals.append(Proposal(key: lane.key, text: text))
        }
        return proposals
    }

    /// The lines of YAML that can stand under a case, one for each lane.
    public static func yaml(_ proposals: [Proposal], indentation: Int = 4) -> String {
        proposals.map { $0.yaml(indentation: indentation) + "\n" }.joined()
    }
}
