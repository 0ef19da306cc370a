/// Decides which Cookie field a conforming client sends, and why the received one differs.
///
/// Evaluates RFC 6265 and RFC 6265bis, since a client may follow either. Free choices are accepted: the order of
/// cookies of one response, a loopback host as secure (RFC 6265bis), the seconds around an expiry, cookies beyond the
/// minimum of RFC 6265 §6.1, and responses that may still be in transit.
package struct CookieJudge: Sendable {
    /// If several models are equally near, the first is reported.
    private var models = [
        CookieModel(.rfc6265), CookieModel(.rfc6265bis), CookieModel(.rfc6265bis, trustsLoopback: true),
    ]
    /// The number of responses so far, which is also the number of the last one.
    package private(set) var responseCount = 0

    package init() {}

    /// Judges the Cookie fields of one request; empty for none.
    ///
    /// `undecided` are the numbers of responses that the client may not have read; it may know any of them. Memory is
    /// bounded by 3,000 cookies for each model, the time also by 1,024 pairs of the request.
    package mutating func judge(
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

    /// Stores the Set-Cookie fields of one response, which gets the number ``responseCount``.
    ///
    /// `others` are responses in transit on other connections, which the client may read before or after it; a cookie
    /// that several of them set stays undecided.
    package mutating func set(
        _ fields: [[UInt8]], by place: CookieURL, at unixSeconds: Int, beside others: Set<Int> = []
    ) -> [SetCookieNote] {
        responseCount += 1
        for index in models.indices { models[index].beginResponse(beside: others) }
        return fields.map { field in
            let results = models.indices.map { models[$0].setCookie(field, by: place, at: unixSeconds) }
            return SetCookieNote(field, revised: results[1], first: results[0], trusting: results[2])
        }
    }
}

extension SetCookieNote {
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

/// The judgement of one request's cookies.
public struct CookieVerdict: Sendable, Equatable {
    /// The received values of the request's Cookie fields; empty for none.
    package let sent: [[UInt8]]
    /// The conforming field by the nearest edition; nil for none.
    package let expected: [UInt8]?
    /// The editions from which at most order and separators differ, and the number of fields.
    package let conformsTo: [CookieEdition]
    /// The differences from the nearest edition; empty if the field is exactly right.
    package let differences: [CookieDifference]
    /// The number of responses with cookies that the client may not have read.
    ///
    /// ``expected`` assumes that it had read them; a field that they explain conforms too.
    package let undecidedCount: Int
    /// The judgement by the other edition; nil if it finds the same differences.
    package let otherwise: CookieReading?

    package init(
        sent: [[UInt8]], expected: [UInt8]?, conformsTo: [CookieEdition], differences: [CookieDifference],
        undecidedCount: Int = 0, otherwise: CookieReading? = nil
    ) {
        (self.otherwise, self.sent, self.expected, self.conformsTo) = (otherwise, sent, expected, conformsTo)
        (self.differences, self.undecidedCount) = (differences, undecidedCount)
    }

    /// The verdict with the expected field and the differences of `edition`.
    package func read(by edition: CookieEdition) -> CookieVerdict {
        guard let otherwise, otherwise.edition == edition else { return self }
        return CookieVerdict(
            sent: sent, expected: otherwise.expected, conformsTo: conformsTo, differences: otherwise.differences,
            undecidedCount: undecidedCount)
    }
}

/// The judgement of a request's cookies by one edition.
package struct CookieReading: Sendable, Equatable {
    package let edition: CookieEdition
    /// The conforming field; nil for none.
    package let expected: [UInt8]?
    /// Empty if the field is exactly right.
    package let differences: [CookieDifference]

    package init(_ edition: CookieEdition, expected: [UInt8]?, differences: [CookieDifference]) {
        (self.edition, self.expected, self.differences) = (edition, expected, differences)
    }
}

/// The result of one Set-Cookie field in the reference model.
public struct SetCookieNote: Sendable, Equatable {
    package let field: [UInt8]
    /// The result by RFC 6265.
    package let outcome: Outcome
    /// The result by RFC 6265bis, if it differs.
    package let revisedOutcome: Outcome?
    /// Why the field is ignored, and other remarks, as whole sentences with sections; may be empty.
    package let remarks: [String]

    /// How the store handles a field.
    package enum Outcome: String, Sendable, CaseIterable {
        case stored, replaced, deleted, ignored
    }

    package init(field: [UInt8], outcome: Outcome, revisedOutcome: Outcome?, remarks: [String]) {
        (self.field, self.outcome, self.revisedOutcome, self.remarks) = (field, outcome, revisedOutcome, remarks)
    }
}
