import Foundation
import ProctorGrading
import ProctorScenario
import ProctorTrace

/// What one client made of one case, where it did not simply pass: a line of `Docs/url-cookie-clients.md`.
struct SurveyRow: Sendable, Equatable {
    let id: String
    let word: Word
    /// One line, without what chance has given.
    let finding: String

    /// What became of the case.
    enum Word: String, Sendable, CaseIterable {
        case departs, crashes, hangs
        /// Not the same each time.
        case sometimes
        /// Judged in part, or not at all.
        case open
        /// Not asked: the client lacks what the case needs, or its adapter does.
        case none = "–"
    }

    init(id: String, word: Word, finding: String) {
        (self.id, self.word, self.finding) = (id, word, finding)
    }

    /// nil where the client passes, where the case asks for nothing, or where this system lacks what it needs.
    init?(_ verdict: CaseVerdict) {
        id = verdict.id.description
        switch verdict.outcome {
        case .pass, .observed, .skipped, .fixed: return nil
        case .lacks, .notInThisAdapter:
            word = .none
            finding = Self.settled(verdict.notJudged.first ?? "")
            return
        case .partly, .notJudged:
            word = .open
            finding = Self.settled(verdict.reason)
            return
        case .setupFailed(let reason):
            word = .departs
            finding = "set-up failed: \(Self.settled(reason))"
            return
        // A rule that the client breaks everywhere is no matter of this case.
        case .known where verdict.deviation == nil: return nil
        case .fail, .hang, .crash, .known: break
        }
        let failures = verdict.findings.filter { $0.weight == .failure && !Self.isOfEveryCase($0) }
        guard let first = failures.first else { return nil }
        word = failures.lazy.compactMap { Word(ending: $0.subject) }.first ?? .departs
        finding = Self.settled(first.sentence)
    }

    /// Without addresses, which are others each time, and without line breaks and bars.
    static func settled(_ sentence: String) -> String {
        let text = sentence.replacing(/127\.\d+\.\d+\.\d+:\d+/, with: "{address}")
            .replacing(/\[::1\]:\d+/, with: "{address}")
            .replacing(/127\.\d+\.\d+\.\d+/, with: "{host}")
            .replacing(/after \d+(\.\d+)? (s|ms|milliseconds|seconds)/, with: "after a while")
            .replacing("\n", with: " ").replacing("|", with: "\\|").replacing("<", with: "&lt;")
        return text.count > 200 ? "\(text.prefix(199))…" : text
    }

    /// URLSession on Linux tells no metrics at all (R41).
    private static func isOfEveryCase(_ finding: Finding) -> Bool { finding.rules == [RuleNumber(41)] }

    /// Whether a fresh sitting fits what the page says.
    func agrees(with other: SurveyRow?) -> Bool {
        if word == .sometimes { return true }
        guard let other, word == other.word else { return false }
        // What stands behind the mark is not the same each time, or is too much.
        return finding.hasSuffix("…") ? other.finding.hasPrefix(finding.dropLast()) : finding == other.finding
    }

    /// What several sittings of a case have in common; nil where all of them passed.
    static func common(to rows: [SurveyRow?]) -> SurveyRow? {
        guard let first = rows.lazy.compactMap({ $0 }).first else { return nil }
        guard rows.allSatisfy({ $0?.word == first.word }) else {
            return SurveyRow(id: first.id, word: .sometimes, finding: first.finding)
        }
        let shared = rows.compactMap { $0?.finding }.reduce(first.finding) { $0.commonPrefix(with: $1) }
        guard shared != first.finding else { return first }
        return SurveyRow(id: first.id, word: first.word, finding: "\(shared)…")
    }

    var line: String { "| `\(id)` | \(word.rawValue) | \(finding) |" }

    init?(line: Substring) {
        let cells = line.replacing("\\|", with: "\u{1F}").split(separator: "|", omittingEmptySubsequences: false)
            .dropFirst().dropLast()
            .map { $0.replacing("\u{1F}", with: "\\|").trimmingCharacters(in: .whitespaces) }
        guard cells.count == 3, let word = Word(rawValue: cells[1]), cells[0].hasPrefix("`") else { return nil }
        self.init(id: cells[0].replacing("`", with: ""), word: word, finding: cells[2])
    }
}

extension SurveyRow.Word {
    fileprivate init?(ending subject: Finding.Subject) {
        guard case .ending(let ending) = subject else { return nil }
        if case .crashed = ending { self = .crashes } else { self = .hangs }
    }
}
