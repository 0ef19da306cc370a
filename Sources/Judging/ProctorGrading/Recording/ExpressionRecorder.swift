internal import ProctorBase
internal import ProctorDocument
package import ProctorEvents
package import ProctorJournal
import ProctorNotation

/// Proposes expressions for a case from a recorded run; a person reads and shortens them.
///
/// Each proposal accepts the trace it was made from. Events whose number is not specified get `+`, other repetitions
/// keep their count, groups that occur three times or more are folded, and ambient events are left out.
package enum ExpressionRecorder {
    package struct Proposal: Sendable, Equatable {
        /// The lane as the case names it: `wire`, `task[1]`, `download`.
        package let key: String
        package let text: String

        /// The line in YAML for a case.
        package var yaml: String { "    \(key): \(YAMLText.scalar(text))" }
    }

    /// The most groups of an expression; in a longer one, `...` stands in place of the middle.
    static let mostGroups = 400

    /// One proposal for each lane with events: the wire first, then by lane and number.
    package static func proposals(for events: [TraceEvent], journal: [JournalEntry] = []) -> [Proposal] {
        var proposals: [Proposal] = []
        let requests = WireRecord(journal).exchanges.map(\.symbol)
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

    package static func yaml(_ proposals: [Proposal]) -> String { proposals.map { $0.yaml + "\n" }.joined() }
}

/// Writes a sequence of events as a short expression that accepts it.
enum RunFolding {
    /// The most events of a repeated group.
    private static let longestPeriod = 12
    /// The fewest repetitions that are folded, since fewer may be accidental.
    private static let fewestTurns = 3

    /// Events whose number depends on timing or on the loader.
    static let uncounted: Set<String> = ["data", "progress", "bodySent", "canonicalize"]

    static func expression(of events: some Collection<TraceEventSymbol>, lane: Lane) -> String? {
        guard !events.isEmpty else { return nil }
        var groups = periods(in: runs(of: events, lane: lane))
        let limit = ExpressionRecorder.mostGroups
        if groups.count > limit { groups.replaceSubrange((limit / 2)..<(groups.count - limit / 2), with: ["..."]) }
        return groups.joined(separator: " ")
    }

    private static func runs(of events: some Collection<TraceEventSymbol>, lane: Lane) -> [String] {
        var known: [TraceEventSymbol: String] = [:]
        var runs: [(text: String, isCounted: Bool, count: Int)] = []
        for event in events {
            let text = known[event] ?? written(event, lane: lane)
            known[event] = text
            if runs.last?.text == text {
                runs[runs.count - 1].count += 1
            } else {
                runs.append((text, !uncounted.contains(event.name), 1))
            }
        }
        return runs.map { run in
            run.isCounted ? run.count == 1 ? run.text : repeated(run.text, run.count) : "\(run.text)+"
        }
    }

    /// The event with its count, or with `+` when the number is not specified.
    private static func repeated(_ text: String, _ count: Int) -> String {
        count <= Notation.largestCount ? "\(text){\(count)}" : "\(text)+"
    }

    /// The event with its argument, when an expression can contain the argument.
    private static func written(_ event: TraceEventSymbol, lane: Lane) -> String {
        let text = NotationSymbol(event).description
        guard text.utf8.count <= 2_000, let notation = try? Notation(parsing: text, lane: lane),
            notation.diagnosis(of: [event], terminals: []) == nil
        else { return event.name }
        return text
    }

    /// Folds `a b a b a b` to `(a b){3}`; from the left, with the period that covers most events.
    private static func periods(in groups: [String]) -> [String] {
        var result: [String] = []
        var start = 0
        while start < groups.count {
            var best: (period: Int, turns: Int)?
            for period in 2...longestPeriod where start + period * fewestTurns <= groups.count {
                let turns = self.turns(of: period, in: groups, from: start)
                guard turns >= fewestTurns, period * turns > (best.map { $0.period * $0.turns } ?? 0) else { continue }
                best = (period, turns)
            }
            guard let best else {
                result.append(groups[start])
                start += 1
                continue
            }
            let turn = groups[start..<(start + best.period)].joined(separator: " ")
            result.append(repeated("(\(turn))", best.turns))
            start += best.period * best.turns
        }
        return result
    }

    private static func turns(of period: Int, in groups: [String], from start: Int) -> Int {
        var end = start + period
        while end + period <= groups.count, groups[end..<(end + period)] == groups[start..<(start + period)] {
            end += period
        }
        return (end - start) / period
    }
}
