import ProctorEvents
import ProctorJournal
import ProctorNotation
import ProctorRules
import ProctorScenario

/// Where the first failure of a verdict shows, and what was wanted there.
struct TimelineMark {
    private var event: (sequence: Int, wanted: String)?
    private var entry: (sequence: UInt64, wanted: String)?
    /// Behind the last line, for what never came.
    private(set) var end: (text: String, wanted: String)?

    init(_ verdict: CaseVerdict?, _ trace: MergedTrace, journal: [JournalEntry]) {
        let failures = (verdict?.findings ?? []).filter { $0.weight == .failure }
        var best: (time: Int, rank: Int, finding: Finding)?
        for finding in failures where !finding.isAtEnd {
            guard let time = Self.place(of: finding, trace, journal) else { continue }
            let rank = finding.markRank
            if best.map({ (time, rank) < ($0.time, $0.rank) }) ?? true { best = (time, rank, finding) }
        }
        if let finding = best?.finding {
            if let sequence = finding.event {
                event = (sequence, finding.markText)
            } else if let sequence = finding.sequence {
                entry = (sequence, finding.markText)
            }
        }
        // Nothing is owed after the first thing that went wrong, unless the client stopped.
        if let ending = failures.first(where: \.isEnding) {
            end = (ending.endText, failures.first { $0.isAtEnd && !$0.isEnding }?.markText ?? "its end")
        } else if best == nil, let missing = failures.first(where: \.isAtEnd) {
            end = ("the end", missing.markText)
        }
    }

    func wanted(atEvent sequence: Int) -> String? { event?.sequence == sequence ? event?.wanted : nil }

    func wanted(atEntry sequence: UInt64) -> String? { entry?.sequence == sequence ? entry?.wanted : nil }

    /// An order of places over both sides: the index in the merged trace, or in the journal when there is no trace.
    private static func place(of finding: Finding, _ trace: MergedTrace, _ journal: [JournalEntry]) -> Int? {
        if let sequence = finding.event { return trace.items.firstIndex { $0.event.sequence == sequence } }
        guard let sequence = finding.sequence else { return nil }
        guard trace.isMerged else {
            // After all callbacks, as they are printed.
            return journal.firstIndex { $0.sequence == sequence }.map { trace.items.count + $0 }
        }
        guard let entry = journal.first(where: { $0.sequence == sequence }) else { return nil }
        return trace.items.firstIndex { item in
            if case .monotonic(let time)? = item.event.time { time >= entry.nanoseconds } else { false }
        } ?? trace.items.count
    }
}

extension Finding {
    fileprivate var isEnding: Bool {
        if case .ending = subject { true } else { false }
    }

    /// Whether it is about what never came.
    fileprivate var isAtEnd: Bool {
        switch subject {
        case .ending: true
        case .expression(let diagnosis), .grammar(_, let diagnosis): diagnosis.got == nil && diagnosis.overflow == nil
        case .fact, .miss, .violation, .opaque, .credential, .cookies, .rule, .content, .edge, .unreportedRule,
            .result, .slices, .bound:
            false
        }
    }

    /// At one place, what the case says is told before what the rules say.
    fileprivate var markRank: Int {
        switch subject {
        case .expression: 0
        case .edge: 1
        case .rule: 2
        case .content, .fact: 3
        case .cookies: 4
        case .miss: 5
        case .violation, .opaque: 6
        case .grammar: 7
        case .credential, .ending, .unreportedRule, .result, .slices, .bound: 8
        }
    }

    /// What was wanted, in few words.
    fileprivate var markText: String {
        switch subject {
        case .expression(let diagnosis), .grammar(_, let diagnosis):
            if diagnosis.got == nil, !diagnosis.missing.isEmpty {
                return diagnosis.missing.prefix(3).map(\.description).joined(separator: ", ")
            }
            var texts = diagnosis.wanted.prefix(4).map(\.description)
            if diagnosis.endIsWanted { texts.append("the end") }
            return texts.isEmpty ? "nothing" : texts.joined(separator: " or ")
        case .rule(let hit):
            return "\(hit.rule)" + (Rules.rule(hit.rule).map { " \($0.title)" } ?? "")
        case .content(let field): return "\(field) \(wanted ?? "")"
        case .fact(let name): return "\(name.text) \(wanted ?? "")"
        case .edge(let text): return text
        case .miss: return "a request that an exchange answers"
        case .violation: return "a request without that"
        case .opaque: return wanted ?? "bytes"
        case .credential: return "a credential that is right"
        case .cookies(let verdict): return CookieText.expected(verdict)
        case .ending, .unreportedRule: return "its end"
        case .result: return wanted ?? "its end"
        case .slices: return "the same as in one piece"
        case .bound: return "an end of its repeating"
        }
    }

    fileprivate var endText: String {
        guard case .ending(let ending) = subject else { return "the end" }
        switch ending {
        case .crashed(let signal, _): return "crash: \(EventText.printable(signal, limit: 40))"
        case .exited(let code, _): return "exit with code \(code)"
        case .hung(let milliseconds, _): return "hung for \(milliseconds) ms"
        case .finished, .couldNotStart: return "the end"
        }
    }
}
