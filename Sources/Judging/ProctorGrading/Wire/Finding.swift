public import ProctorBase
public import ProctorEvents
package import ProctorHTTP
package import ProctorJournal
package import ProctorNotation
package import ProctorRules
package import ProctorScenario

/// One statement of the grader about a case, for a person and for a program.
public struct Finding: Sendable, Equatable, CustomStringConvertible {
    package let subject: Subject
    /// Whether the finding fails the case.
    public internal(set) var weight = Weight.failure
    /// One line with the wanted value and the actual one.
    public let sentence: String
    /// The finding in plain words: what the client did, and what was wanted; nil when the sentence is in plain words
    /// already.
    public internal(set) var plain: String?
    /// Further lines, such as the expression with its carets and the rule that explains it.
    public internal(set) var details: [String] = []
    /// How many of the first details are notation.
    var notationLineCount = 0
    /// The wanted value, when a few words can express it.
    public internal(set) var wanted: String?
    /// The measured value; nil when there is none.
    public internal(set) var got: String?
    /// The sequence of the journal entry; nil when no entry shows it, or when the client reported it.
    public internal(set) var sequence: UInt64?
    /// The request that the finding is about; nil when it is about none, or about several.
    package internal(set) var request: Request?
    /// The place in the fixture that requires it; nil for rules that always apply.
    public internal(set) var location: SourceLocation?
    /// The rules that were broken there, or that explain the finding; by number.
    public internal(set) var rules: [RuleNumber] = []
    /// The client's lane; nil for the wire and for the case as a whole.
    public internal(set) var lane: LaneID?
    /// The number of the client's event; nil for an event that never came.
    public internal(set) var event: Int?
    /// The reason in the client's ledger for a known deviation; nil when the ledger does not list it.
    public internal(set) var known: String?
    var laneKey: String?
    /// How the value or the end differs from the wanted one, without the values; nil when the subject already says it.
    var mismatch: Mismatch?
    /// What is wrong by the journal, of a fact that lists violations or faults; nil for all other findings.
    var fault: ListedFault?
    /// The error that the client told the server and did not act on, where the finding shows that; nil: none.
    var unheeded: ToldError?
    /// Whether two reports of the client's own recorder differ, which shows nothing about the sent bytes.
    var isOfOwnReports = false
    /// Whether the case only recommends it (`kind: should`).
    public internal(set) var isRecommendation = false

    /// A request of the run.
    package struct Request: Sendable, Equatable {
        /// The number of the request, from 0, in the order of arrival.
        package let number: Int
        /// `GET /a`, as expressions write it.
        package let name: String
    }

    package enum Subject: Sendable, Equatable {
        /// The order of a lane's events, or of the requests.
        case expression(NotationDiagnosis)
        case fact(FactName)
        case miss(Miss)
        /// A request was answered by an exchange that exists to notice a mistake; the text is what was wrong.
        case caught(String)
        case violation(Violation)
        /// The client's frames violate HTTP/2.
        case frameViolation(FrameViolationNote)
        /// Bytes that the fixture expects on a connection that is no longer HTTP, and that did not arrive.
        case opaque(ExpectedBytes)
        /// A departure on the wire of a module above, or something that the fixture expects there and did not come.
        case gathered(GatheredDeparture)
        /// A credential that a guard refused; it fails no case by itself.
        case credential(GuardVerdict)
        case cookies(CookieVerdict)
        case rule(RuleHit)
        case grammar(CallbackFamily, NotationDiagnosis)
        /// A fact of a callback that differs from what the server sent, or from the computed sum; `field` is its name
        /// in traces.
        case content(field: String)
        /// The order of two events in different lanes; the text is that of the case or of this module.
        case edge(String)
        case ending(ClientEnding)
        /// A rule that the case breaks on purpose and that no monitor reported.
        case unreportedRule(RuleNumber)
        /// The `result` of a client without callbacks, about the end of a step.
        case result(step: Int)
        /// A difference when the server sliced its replies by that seed.
        case slices(seed: UInt64)
        /// The client repeated requests until it reached a bound of the run.
        case bound(ReachedBound)
        /// A change of the run's state that was not possible.
        case state(StateRefusal)
        /// A reply of the fixture that could not be made.
        case reply(FailedReply)
        case description(DescriptionNote)
        /// The client's listener answered otherwise than it should.
        case webhook(WebhookNote)
        /// The client departed from an RFC in a way that keeps one meaning, in a case that is not about that departure.
        case tolerated(Departure)
        /// An exchange was used by fewer requests than the scenario expects.
        case unasked(exchange: Int)
    }

    /// Whether a finding fails the case.
    public enum Weight: String, Sendable {
        /// The finding fails the case.
        case failure
        /// The finding is reported, and the verdict does not depend on it.
        case observation
    }

    var observed: Finding {
        var copy = self
        copy.weight = .observation
        return copy
    }

    /// The sentence, with its place and its details below it.
    public var description: String { ([firstLine] + details + reasonLines).joined(separator: "\n") }

    /// Findings in plain words, each with its place and without notation; sentences that an earlier finding contains
    /// are left out.
    ///
    /// Of the finding whose sentence the text has as its `opening`, with its section or without, the place alone stands here.
    package static func inWords(_ findings: [Finding], after opening: String?) -> [String] {
        var sentences: Set<String> = []
        return findings.flatMap { finding in
            let sentence = finding.plain ?? finding.sentence
            guard sentences.insert(sentence).inserted else { return finding.wordLines }
            let isSaid = opening.map { $0 == sentence || $0.hasPrefix(sentence + PlainSentences.sectionMark) } ?? false
            return (isSaid ? finding.placeLines : [finding.line(sentence)]) + finding.wordLines
        }
    }

    /// The lines below the sentence in plain words.
    private var wordLines: [String] {
        var lines: [String] = []
        switch subject {
        case .miss(let miss): lines = LabelledText.lines("404", MissWords.remarks(on: miss, request?.name))
        // Their sentences in plain words contain the same.
        case .credential, .cookies: break
        default: lines += details.dropFirst(notationLineCount)
        }
        return lines + reasonLines
    }

    private var firstLine: String { line(sentence) }

    private var reasonLines: [String] { known.map { LabelledText.lines("because", [$0]) } ?? [] }

    private var placeLines: [String] { location.map { LabelledText.lines("place", ["\($0)"]) } ?? [] }

    private func line(_ sentence: String) -> String {
        let place = location.map { "\($0): " } ?? ""
        let note =
            if weight == .observation { "observed: " } else if known != nil { "known: " } else if isRecommendation {
                "should: "
            } else { "" }
        return "\(place)\(note)\(sentence)"
    }
}

/// Lines below a finding, in the form that the diagnosis of an expression uses.
package enum LabelledText {
    /// `  label   : text`, with further lines below the first.
    package static func lines(_ label: String, _ lines: [String]) -> [String] {
        lines.enumerated().map { index, line in
            let head = index == 0 ? label : ""
            let gap = String(repeating: " ", count: max(0, 8 - head.count))
            return "  \(head)\(gap)\(index == 0 ? ": " : "  ")\(line)"
        }
    }
}
