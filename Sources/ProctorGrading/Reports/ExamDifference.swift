package import ProctorScenario

/// What changed from one exam to another: of one client and a later version of it, or of two clients.
package struct ExamDifference: Sendable {
    /// A case that both exams have, or one of them.
    package struct Entry: Sendable, Equatable {
        package let id: CaseID
        package let kind: Case.Kind
        /// Outcome words; nil where that exam does not have the case.
        package let before: String?
        package let after: String?
        /// The reason of the later outcome; the earlier one's where there is none.
        package let reason: String
    }

    package private(set) var better: [Entry] = []
    package private(set) var worse: [Entry] = []
    /// Cases that fail in both, for another cause.
    package private(set) var otherwise: [Entry] = []
    /// Cases that one of the exams could not judge, and other changes that are neither better nor worse.
    package private(set) var changed: [Entry] = []
    /// Cases of the later exam alone.
    package private(set) var new: [Entry] = []
    /// Cases of the earlier exam alone.
    package private(set) var gone: [Entry] = []
    package private(set) var sameCount = 0
    /// Causes of the later exam alone.
    package private(set) var cameCauses: [ExamCause] = []
    /// Causes of the earlier exam alone.
    package private(set) var wentCauses: [ExamCause] = []

    package init(from before: ExamRecord, to after: ExamRecord) {
        let earlier = Dictionary(before.cases.map { ($0.id, $0) }, uniquingKeysWith: { $1 })
        let ids = Set(after.cases.map(\.id))
        for record in after.cases {
            guard let former = earlier[record.id] else {
                new.append(Entry(record.id, record.kind, nil, record))
                continue
            }
            take(former, record)
        }
        let causes = (before: ExamCause.all(of: before.cases), after: ExamCause.all(of: after.cases))
        let (old, now) = (Set(causes.before.map(\.cause)), Set(causes.after.map(\.cause)))
        cameCauses = causes.after.filter { !old.contains($0.cause) }
        wentCauses = causes.before.filter { !now.contains($0.cause) }
        gone = before.cases.filter { !ids.contains($0.id) }.map { Entry($0.id, $0.kind, $0, nil) }
    }

    private mutating func take(_ former: CaseRecord, _ record: CaseRecord) {
        let entry = Entry(record.id, record.kind, former, record)
        if former.outcome == record.outcome {
            if record.isFailure, former.cause != record.cause { otherwise.append(entry) } else { sameCount += 1 }
        } else if let old = former.rank, let rank = record.rank {
            if rank == old {
                changed.append(entry)
            } else if rank < old {
                better.append(entry)
            } else {
                worse.append(entry)
            }
        } else {
            changed.append(entry)
        }
    }
}

extension ExamDifference.Entry {
    fileprivate init(_ id: CaseID, _ kind: Case.Kind, _ before: CaseRecord?, _ after: CaseRecord?) {
        self.init(
            id: id, kind: kind, before: before?.outcome, after: after?.outcome,
            reason: (after?.reason).flatMap { $0.isEmpty ? nil : $0 } ?? before?.reason ?? "")
    }
}

extension CaseRecord {
    /// The lower the better; nil for an outcome that says nothing of the client.
    package var rank: Int? {
        switch outcome {
        case "pass", "observed", "fixed": 0
        case "partly": 1
        case "known": 2
        case "not-judged", "fail": 3
        case "hang": 4
        case "crash": 5
        default: nil
        }
    }

    /// Whether it is worse than a baseline's record of the same case; a case that the baseline lacks is.
    package func isWorse(than former: CaseRecord?) -> Bool {
        guard let former else { return true }
        // What says nothing of the client is worse only where it was not so before.
        guard let rank, let old = former.rank else { return outcome != former.outcome }
        return rank > old
    }
}

extension ExamDifference {
    /// For a person; `isComplete` also lists what changed without getting better or worse.
    package func lines(isComplete: Bool = false) -> [String] {
        var lines: [String] = []
        let lists: [(word: String, entries: [Entry], isShown: Bool)] = [
            ("worse", worse, true), ("better", better, true), ("otherwise", otherwise, isComplete),
            ("changed", changed, isComplete), ("new", new, isComplete), ("gone", gone, isComplete),
        ]
        for list in lists where list.isShown {
            for entry in list.entries {
                let change = "\(entry.before ?? "none") -> \(entry.after ?? "none")"
                let kind = entry.kind == .must ? "" : " (\(entry.kind.rawValue))"
                let reason = EventText.printable(entry.reason, limit: 200)
                let id = EventText.printable(entry.id.description)
                lines.append(
                    "  \(list.word.leftAligned(9))  \(change.leftAligned(18))  \(id)\(kind)  \(reason)"
                        .withoutTrailingBlanks)
            }
        }
        // New cases that fail are worth a line each in any case.
        for entry in new where !isComplete && ["fail", "hang", "crash"].contains(entry.after) {
            lines.append("  new        \(entry.after ?? "")  \(EventText.printable(entry.id.description))")
        }
        for (words, causes) in [("a new cause", cameCauses), ("no cause any more", wentCauses)] {
            for cause in causes {
                let text = EventText.printable(cause.cause.sentence, limit: 300)
                let example = EventText.printable(cause.example.description)
                lines.append("  \(words): \(text): \(cause.counts), such as \(example)")
            }
        }
        let counts = lists.map { "\($0.entries.count) \($0.word)" } + ["\(sameCount) the same"]
        return lines + [counts.joined(separator: ", ")]
    }
}
