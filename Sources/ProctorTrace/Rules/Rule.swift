/// The number of a universal rule: `R12`.
public struct RuleNumber: Sendable, Hashable, Comparable, CustomStringConvertible {
    /// 1 to 58.
    public let value: Int

    /// Takes any number; ``Rules/all`` knows which exist.
    public init(_ value: Int) { self.value = value }

    /// `R12`, upper or lower case; nil for anything else.
    public init?(parsing text: String) {
        let bytes = text.utf8
        guard bytes.first == UInt8(ascii: "R") || bytes.first == UInt8(ascii: "r"), bytes.count <= 4,
            bytes.dropFirst().allSatisfy({ 0x30...0x39 ~= $0 }), let value = Int(text.dropFirst()), value > 0
        else { return nil }
        self.value = value
    }

    /// By number.
    public static func < (left: RuleNumber, right: RuleNumber) -> Bool { left.value < right.value }

    /// `R12`.
    public var description: String { "R\(value)" }
}

/// What breaking a rule counts.
public enum RuleWeight: String, Sendable, CaseIterable {
    /// The client deviates.
    case failure
    /// Worth telling; decides nothing.
    case observation
    /// The test's own code is wrong (R53); not the client's.
    case harnessFault
}

/// A universal rule of callback order, as a person reads it.
public struct Rule: Sendable {
    /// By which findings and ledgers name it.
    public let number: RuleNumber
    /// A few words.
    public let title: String
    /// What must hold, in one or two sentences.
    public let statement: String
    /// Where it comes from.
    public let source: String
    /// How well it is founded.
    public let confidence: Confidence
    /// The families it holds for.
    public let families: [CallbackFamily]
    /// Why a trace cannot decide it, or what more than a trace it needs; nil when a trace alone decides.
    public let limits: String?
    /// A legal trace in the notation, for the person who asks.
    public let legal: String
    /// An illegal one.
    public let illegal: String

    /// The ground a rule stands on.
    public enum Confidence: String, Sendable {
        /// Said in Apple's documentation or a header comment.
        case documented
        /// Said by sample code or implemented alike by several loaders.
        case sample
        /// Our own conclusion: an observation until a platform turns it on.
        case inferred
    }
}

/// One place where a trace breaks a rule.
public struct RuleHit: Sendable, Equatable {
    /// The rule that is broken.
    public let rule: RuleNumber
    /// After the platform's weights.
    public let weight: RuleWeight
    /// The lane it shows in.
    public let lane: LaneID
    /// The event it shows at; nil at the end of the trace.
    public let sequence: Int?
    /// That event.
    public let event: TraceEventSymbol?
    /// What came and what the rule wants, in one sentence.
    public let sentence: String
}
