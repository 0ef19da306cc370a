import ProctorTrace

/// Writes a sequence of events as a short expression that it satisfies.
enum RunFolding {
    /// Groups that are tried for a period; longer ones are rarely meant.
    private static let longestPeriod = 12
    /// Fewer turns may be chance.
    private static let fewestTurns = 3

    /// Events whose number depends on timing or on the loader, so that it says nothing.
    static let uncounted: Set<String> = ["data", "progress", "bodySent", "canonicalize"]

    /// nil when there is no event.
    static func expression(of events: some Collection<TraceEventSymbol>, lane: Lane) -> String? {
        guard !events.isEmpty else { return nil }
        var groups = periods(in: runs(of: events, lane: lane))
        let limit = ExpressionRecorder.mostGroups
        if groups.count > limit {
            groups.replaceSubrange((limit / 2)..<(groups.count - limit / 2), with: ["..."])
        }
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

    /// With `+` where an expression can't say the number.
    private static func repeated(_ text: String, _ count: Int) -> String {
        count <= Notation.largestCount ? "\(text){\(count)}" : "\(text)+"
    }

    /// With its argument where an expression can say it.
    private static func written(_ event: TraceEventSymbol, lane: Lane) -> String {
        let text = NotationSymbol(event).description
        guard text.utf8.count <= 2_000, let notation = try? Notation(parsing: text, lane: lane),
            notation.diagnosis(of: [event], terminals: []) == nil
        else { return event.name }
        return text
    }

    /// `(a b){3}` for `a b a b a b`; from the left, the period that covers most.
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
