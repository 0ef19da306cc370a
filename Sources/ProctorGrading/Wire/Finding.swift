public import ProctorBase
public import ProctorEvents
package import ProctorHTTP
package import ProctorJournal
package import ProctorNotation
package import ProctorRules
package import ProctorScenario

/// One statement of grading about a case, for a person and for a program.
public struct Finding: Sendable, Equatable, CustomStringConvertible {
    package let subject: Subject
    /// Whether the finding fails the case.
    public internal(set) var weight = Weight.failure
    /// One line that says what was wanted and what came.
    public let sentence: String
    /// The same in words alone: what the client did, and what was wanted; nil where the sentence is in words already.
    public internal(set) var plain: String?
    /// Further lines: the expression with its carets, the rule that explains it.
    public internal(set) var details: [String] = []
    /// How many of the first details are notation.
    var notationLineCount = 0
    /// What the case asks for, where a few words can say it.
    public internal(set) var wanted: String?
    /// The measured value; nil where there is none.
    public internal(set) var got: String?
    /// The sequence of the journal entry; nil for what never came, or came from the client.
    public internal(set) var sequence: UInt64?
    /// The request that the finding is about; nil where it is about none, or about several.
    package internal(set) var request: Request?
    /// The place in the fixture that asks for it; nil for rules that always apply.
    public internal(set) var location: SourceLocation?
    /// The rules that broke there, or that explain the finding; by number.
    public internal(set) var rules: [RuleNumber] = []
    /// The client's lane; nil for the wire and for the case as a whole.
    public internal(set) var lane: LaneID?
    /// The number of the client's event; nil for an event that never came.
    public internal(set) var event: Int?
    /// The reason in the client's ledger for a known deviation; nil when it is not listed.
    public internal(set) var known: String?
    var laneKey: String?
    /// How the value or the end departs from the wanted one, without the values; nil where the subject says it.
    var mismatch: Mismatch?
    /// Whether two reports of the client's own recorder differ, which says nothing of the bytes that were sent.
    var isOfOwnReports = false
    /// Whether the case only recommends it (`kind: should`).
    public internal(set) var isRecommendation = false

    /// A request of the run.
    package struct Request: Sendable, Equatable {
        /// From 0, in the order in which they came.
        package let number: Int
        /// `GET /a`, as expressions write it.
        package let name: String
    }

    package enum Subject: Sendable, Equatable {
        /// The order of a lane, or of the requests.
        case expression(NotationDiagnosis)
        case fact(FactName)
        case miss(Miss)
        case violation(Violation)
        /// The client's frames departed from HTTP/2.
        case frameViolation(FrameViolationNote)
        /// Bytes that the fixture expects after the end of HTTP on a connection, and that did not come.
        case opaque(ExpectedBytes)
        /// A credential that a guard refused; by itself it fails nothing.
        case credential(GuardVerdict)
        case cookies(CookieVerdict)
        case rule(RuleHit)
        case grammar(CallbackFamily, NotationDiagnosis)
        /// A fact of a callback that differs from what the server sent, or from the sum; `field` is its name in
        /// traces.
        case content(field: String)
        /// The order of two events of different lanes; the text is the case's or this module's.
        case edge(String)
        case ending(ClientEnding)
        /// A rule that the case breaks on purpose and that no monitor reported.
        case unreportedRule(RuleNumber)
        /// The `result` of a client without callbacks, about the end of a step.
        case result(step: Int)
        /// A difference when the server cut its replies by that seed.
        case slices(seed: UInt64)
        /// The client repeated requests until it reached a bound of the run.
        case bound(ReachedBound)
        /// A change of the run's state that was not possible.
        case state(StateRefusal)
        /// A reply of the fixture that could not be made.
        case reply(FailedReply)
        /// The client departed from an RFC in a way that leaves one meaning, and that the case is not about.
        case tolerated(Departure)
        /// Fewer requests came for an exchange than the scenario expects.
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

    /// Findings in words, each with its place and without notation; what an earlier one says already is left out.
    package static func inWords(_ findings: [Finding]) -> [String] {
        var told: Set<String> = []
        return findings.flatMap { finding in
            let sentence = finding.plain ?? finding.sentence
            return (told.insert(sentence).inserted ? [finding.line(sentence)] : []) + finding.wordLines
        }
    }

    /// Below the sentence in words.
    private var wordLines: [String] {
        var lines: [String] = []
        switch subject {
        case .miss(let miss): lines = LabelledText.lines("404", [MissWords.note(of: miss)])
        // Their sentences in words say the same.
        case .credential, .cookies: break
        default: lines += details.dropFirst(notationLineCount)
        }
        return lines + reasonLines
    }

    private var firstLine: String { line(sentence) }

    private var reasonLines: [String] { known.map { LabelledText.lines("because", [$0]) } ?? [] }

    private func line(_ sentence: String) -> String {
        let place = location.map { "\($0): " } ?? ""
        let note =
            if weight == .observation { "observed: " } else if known != nil { "known: " } else if isRecommendation {
                "should: "
            } else { "" }
        return "\(place)\(note)\(sentence)"
    }
}
