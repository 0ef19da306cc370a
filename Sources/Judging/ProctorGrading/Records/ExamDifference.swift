package import ProctorScenario

/// The differences between two exams: of one client in two versions, or of two clients.
package struct ExamDifference: Sendable {
    /// A case of both exams, or of one of them.
    package struct Entry: Sendable, Equatable {
        package let id: CaseID
        package let kind: Case.Kind
        /// The outcome; nil when that exam does not contain the case.
        package let before: String?
        package let after: String?
        /// The reason of the later outcome, or of the earlier one when the later has none.
        package let reason: String
    }

    package private(set) var better: [Entry] = []
    package private(set) var worse: [Entry] = []
    /// Cases that fail in both exams, for different causes.
    package private(set) var otherwise: [Entry] = []
    /// Cases that one of the exams could not judge, and other changes that are neither better nor worse.
    package private(set) var changed: [Entry] = []
    /// Cases in the later exam only.
    package private(set) var new: [Entry] = []
    /// Cases in the earlier exam only.
    package private(set) var gone: [Entry] = []
    package private(set) var sameCount = 0
    /// Causes in the later exam only.
    package private(set) var cameCauses: [ExamCause] = []
    /// Causes in the earlier exam only.
    package private(set) var wentCauses: [ExamCause] = []

    package init(from before: ExamRecord, to after: ExamRecord) {
        let earlier = Dictionary(before.cases.map { ($0.id, $0) }, uniquingKeysWith: { $1 })
        let ids = Set(after.cases.map(\.id))
        for record in after.cases {
            guard let former = earlier[record.id] else {
                new.append(Entry(record.id, record.kind, nil, record))
                continue
            }
            compare(former, record)
        }
        let causes = (before: ExamCause.all(of: before.cases), after: ExamCause.all(of: after.cases))
        let (old, now) = (Set(causes.before.map(\.cause)), Set(causes.after.map(\.cause)))
        cameCauses = causes.after.filter { !old.contains($0.cause) }
        wentCauses = causes.before.filter { !now.contains($0.cause) }
        gone = before.cases.filter { !ids.contains($0.id) }.map { Entry($0.id, $0.kind, $0, nil) }
    }

    private mutating func compare(_ former: CaseRecord, _ record: CaseRecord) {
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
    /// The rank of an outcome, lower is better; nil for an outcome without a judgement of the client.
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

    /// Whether the record is worse than the baseline's record of the same case; true when the baseline lacks the case.
    package func isWorse(than former: CaseRecord?) -> Bool {
        guard let former else { return true }
        // An outcome without a judgement is worse only when the former outcome had another word.
        guard let rank, let old = former.rank else { return outcome != former.outcome }
        return rank > old
    }
}

extension ExamDifference {
    /// Lines for a person; `isComplete` adds the changes that are neither better nor worse.
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
        // New cases that fail are always listed.
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
