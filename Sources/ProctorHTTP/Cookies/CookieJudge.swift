/// Tells which Cookie field a conforming client sends, and why the one that came differs.
///
/// Keeps what was set by RFC 6265 and by its revision side by side, for a client may follow either. Where the
/// standards leave a choice, both ways are right: the order of cookies of one response, a loopback host without TLS
/// taken for secure (the revision), a cookie in the seconds around its expiry, and what goes beyond the least that
/// RFC 6265 §6.1 asks a client to keep, and what a response sets that may still have been under way.
public struct CookieJudge: Sendable {
    /// The first of those that come equally near is told of.
    private var models = [
        CookieModel(.rfc6265), CookieModel(.rfc6265bis), CookieModel(.rfc6265bis, trustsLoopback: true),
    ]
    /// Responses taken so far; the number of the last one, for they count up from 1.
    public private(set) var responseCount = 0

    /// Nothing has been set.
    public init() {}

    /// Judges the values of the Cookie fields of one request; empty: it has none.
    ///
    /// `undecided` are the numbers of responses that the client perhaps had not read when it made up the request: what
    /// it sends may be as if none, some or all of them had come. Effort and memory grow with the cookies kept, at most
    /// 3,000 by each model, and with the pairs of the request, of which 1,024 are looked at.
    public mutating func judge(
        _ fields: [[UInt8]], to place: CookieURL, at unixSeconds: Int, undecided: Set<Int> = []
    ) -> CookieVerdict {
        let sent = SentCookies(fields)
        let comparisons = models.indices.map {
            models[$0].compare(sent, to: place, at: unixSeconds, undecided: undecided)
        }
        let nearest = comparisons.min { $0.distance < $1.distance }
        let other = comparisons.filter { $0.edition != nearest?.edition }.min { $0.distance < $1.distance }
        return CookieVerdict(
            sent: fields, expected: nearest?.expected,
            conformsTo: CookieEdition.allCases.filter { edition in
                comparisons.contains { $0.edition == edition && $0.conforms }
            },
            differences: nearest?.differences ?? [], undecidedCount: undecided.count,
            otherwise: other?.reading(unlike: nearest))
    }

    /// Takes the values of the Set-Cookie fields of one response, whose number is ``responseCount`` then.
    ///
    /// `others` are the numbers of responses that the client may read before it or behind it, for they were under way
    /// on other connections; what it keeps of cookies that several of them set is left open for good.
    public mutating func set(
        _ fields: [[UInt8]], by place: CookieURL, at unixSeconds: Int, beside others: Set<Int> = []
    ) -> [SetCookieNote] {
        responseCount += 1
        for index in models.indices { models[index].beginResponse(beside: others) }
        return fields.map { field in
            let results = models.indices.map { models[$0].take(field, by: place, at: unixSeconds) }
            return SetCookieNote(field, revised: results[1], first: results[0], trusting: results[2])
        }
    }
}

extension SetCookieNote {
    /// What both editions make of a field, in words.
    fileprivate init(_ field: [UInt8], revised: SetCookieResult, first: SetCookieResult, trusting: SetCookieResult) {
        var remarks: [String] = []
        if let refusal = first.refusal, refusal == revised.refusal {
            remarks.append("it is ignored, for \(refusal.reason) (\(refusal.section(.rfc6265)))")
        } else {
            for (result, edition) in [(first, CookieEdition.rfc6265), (revised, .rfc6265bis)] {
                guard let refusal = result.refusal else { continue }
                remarks.append("it is ignored, for \(refusal.reason) (\(refusal.section(edition)))")
            }
        }
        if revised.refusal != nil, revised.refusal != trusting.refusal {
            remarks.append("a client that takes a loopback host for secure keeps it (RFC 6265bis §5.7)")
        }
        if first.outcome == .ignored, first.refusal == nil || revised.outcome == .ignored && revised.refusal == nil {
            remarks.append(
                "its time is over as it comes, and there is no cookie of its name, domain and path to delete "
                    + "(RFC 6265 §5.3)")
        }
        if let long = first.cookie?.expiry, let short = revised.cookie?.expiry, short < long {
            remarks.append("its life is cut to 400 days (RFC 6265bis §5.5)")
        }
        let violations = SetCookie.violations(of: field)
        remarks += violations.prefix(Self.violationLimit).map(\.description)
        if violations.count > Self.violationLimit {
            remarks.append("and \(violations.count - Self.violationLimit) more departures from the grammar")
        }
        self.init(
            field: field, outcome: first.outcome,
            revisedOutcome: revised.outcome == first.outcome ? nil : revised.outcome, remarks: remarks)
    }

    private static var violationLimit: Int { 4 }
}

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
    /// The document whose algorithm it is.
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
    /// What becomes of the field by RFC 6265.
    public let outcome: Outcome
    /// What becomes of the field by the revision, where that differs.
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
