public import ProctorBase
public import ProctorHTTP
public import ProctorScenario
public import ProctorTrace

/// One thing that grading has to say about a case, for a person and for a program.
public struct Finding: Sendable, Equatable, CustomStringConvertible {
    /// What it is about.
    public let subject: Subject
    /// Whether it decides the verdict.
    public let weight: Weight
    /// One line: what was wanted, what came.
    public let sentence: String
    /// Further lines: the expression with its carets.
    public let details: [String]
    /// What the case asks for, where that can be said in a few words.
    public let wanted: String?
    /// What was measured.
    public let got: String?
    /// The journal entry it is about; nil for what never came.
    public let sequence: UInt64?
    /// Where the fixture asks for it; nil for what is always asked.
    public let location: SourceLocation?

    /// What a finding is about.
    public enum Subject: Sendable, Equatable {
        /// The requests in their order.
        case expression(NotationDiagnosis)
        /// A fact of the case.
        case fact(FactName)
        /// A request that no exchange answers.
        case miss(Miss)
        /// What the client's bytes broke.
        case violation(Violation)
    }

    /// Whether a finding fails the case.
    public enum Weight: String, Sendable {
        /// It does.
        case failure
        /// It is told, and no more.
        case observation
    }

    init(
        _ subject: Subject, _ weight: Weight, _ sentence: String, details: [String] = [], wanted: String? = nil,
        got: String? = nil, sequence: UInt64? = nil, location: SourceLocation? = nil
    ) {
        self.subject = subject
        self.weight = weight
        self.sentence = sentence
        self.details = details
        self.wanted = wanted
        self.got = got
        self.sequence = sequence
        self.location = location
    }

    /// The same, told and no more.
    var observed: Finding {
        Finding(
            subject, .observation, sentence, details: details, wanted: wanted, got: got, sequence: sequence,
            location: location)
    }

    /// The sentence, with its place and its details below it.
    public var description: String {
        let place = location.map { "\($0): " } ?? ""
        let note = weight == .observation ? "observed: " : ""
        return (["\(place)\(note)\(sentence)"] + details).joined(separator: "\n")
    }
}
