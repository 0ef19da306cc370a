package import ProctorEvents
internal import ProctorFixtures

/// The chapter of each thing that pages name.
package enum BookTopics {
    /// A path of the book, and behind `#` a heading.
    package typealias Chapter = String

    /// nil for a number that no rule has.
    package static func chapter(of rule: RuleNumber) -> Chapter? { RuleChapters.chapters[rule] }

    /// The chapter of the outcomes of a case.
    package static let outcomes: Chapter = "judging/verdicts#outcomes"

    package static let outcomeWords: Set<String> = [
        "pass", "fail", "hang", "crash", "known", "fixed", "observed", "partly", "not-judged", "lacks",
        "not-in-this-adapter", "skipped", "setup-failed", "adapter-error",
    ]

    /// The chapter of a rule or an outcome; nil for other words.
    package static func chapter(about word: String) -> Chapter? {
        outcomeWords.contains(word) ? outcomes : RuleNumber(parsing: word).flatMap(chapter)
    }

    /// All chapters that this table has.
    package static var all: [Chapter] {
        Array(RuleChapters.chapters.values) + [outcomes] + MessageChapters.rows.map(\.chapter)
    }
}
