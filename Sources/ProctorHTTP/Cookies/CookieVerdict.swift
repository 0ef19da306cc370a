/// What the cookies of one request look like to the reference model.
public struct CookieVerdict: Sendable, Equatable {
    /// The values of the request's Cookie fields, as they came; empty: there was none.
    public let sent: [[UInt8]]
    /// The field a conforming client sends by the edition that comes nearest; nil: none.
    public let expected: [UInt8]?
    /// The editions by which nothing but perhaps the order differs.
    public let conformsTo: [CookieEdition]
    /// By the edition that comes nearest; empty where the field is exactly right.
    public let differences: [CookieDifference]
    /// How many responses that set cookies the client perhaps had not read when it made up the request.
    ///
    /// ``expected`` is what is sent by one that has; another field conforms as well where they explain it.
    public let undecidedCount: Int
    /// What the other edition makes of the request; nil where it finds the same differences.
    public let otherwise: CookieReading?

    /// Parts as they are.
    public init(
        sent: [[UInt8]], expected: [UInt8]?, conformsTo: [CookieEdition], differences: [CookieDifference],
        undecidedCount: Int = 0, otherwise: CookieReading? = nil
    ) {
        self.otherwise = otherwise
        self.sent = sent
        self.expected = expected
        self.conformsTo = conformsTo
        self.differences = differences
        self.undecidedCount = undecidedCount
    }

    /// The same as that edition has it: with its expected field and its differences.
    public func read(by edition: CookieEdition) -> CookieVerdict {
        guard let otherwise, otherwise.edition == edition else { return self }
        return CookieVerdict(
            sent: sent, expected: otherwise.expected, conformsTo: conformsTo, differences: otherwise.differences,
            undecidedCount: undecidedCount)
    }
}

/// What one edition makes of a request's cookies.
public struct CookieReading: Sendable, Equatable {
    /// Whose algorithm it is.
    public let edition: CookieEdition
    /// The field that a client sends by it; nil: none.
    public let expected: [UInt8]?
    /// Empty where the field is exactly right.
    public let differences: [CookieDifference]

    /// Parts as they are.
    public init(_ edition: CookieEdition, expected: [UInt8]?, differences: [CookieDifference]) {
        self.edition = edition
        self.expected = expected
        self.differences = differences
    }
}

/// What the reference model makes of one Set-Cookie field.
public struct SetCookieNote: Sendable, Equatable {
    /// The field's value as it was sent.
    public let field: [UInt8]
    /// By RFC 6265.
    public let outcome: Outcome
    /// By its revision, where that differs.
    public let revisedOutcome: Outcome?
    /// Why it is ignored, or what else there is to know, as whole sentences with sections; may be empty.
    public let remarks: [String]

    /// What becomes of a field.
    public enum Outcome: String, Sendable, CaseIterable {
        case stored, replaced, deleted, ignored
    }

    /// Parts as they are.
    public init(field: [UInt8], outcome: Outcome, revisedOutcome: Outcome?, remarks: [String]) {
        self.field = field
        self.outcome = outcome
        self.revisedOutcome = revisedOutcome
        self.remarks = remarks
    }
}
