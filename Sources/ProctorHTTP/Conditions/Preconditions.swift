/// Whether a request that has conditions is carried out (RFC 9110 §13).
public enum Preconditions {
    /// What becomes of the request.
    public enum Outcome: Sendable, Equatable {
        /// It is carried out as if it had none; a Range may still be (§13.2.2, step 5).
        case proceed
        /// 304: the client has it already.
        case notModified
        /// 412: the client thinks of another state.
        case failed
    }

    /// In the order of §13.2.2; `validators` is nil where nothing is there, `now` is in Unix seconds.
    ///
    /// To be asked only where the answer would be a success without the conditions (§13.2.1). A date that can't be read
    /// or comes twice is ignored, a list of tags without a readable one matches nothing.
    public static func evaluate(
        method: String, fields: [HTTPField], validators: Validators?, now: Int
    ) -> Outcome {
        // §13.2.1: these choose no representation.
        guard !["CONNECT", "OPTIONS", "TRACE"].contains(method) else { return .proceed }
        if let list = EntityTagList(of: fields, named: "If-Match") {
            guard let validators, list.stronglyMatches(validators.entityTag) else { return .failed }
        } else if let date = fields.date(of: "If-Unmodified-Since", now: now), let change = validators?.lastModified,
            change > date
        {
            return .failed
        }
        let reads = method == "GET" || method == "HEAD"
        if let list = EntityTagList(of: fields, named: "If-None-Match") {
            guard let validators, list.weaklyMatches(validators.entityTag) else { return .proceed }
            return reads ? .notModified : .failed
        }
        if reads, let date = fields.date(of: "If-Modified-Since", now: now), let change = validators?.lastModified,
            change <= date
        {
            return .notModified
        }
        return .proceed
    }

    /// Whether a request has a condition of its own, so that its answer may be a 304 or 412 that is the caller's.
    public static func areAny(in fields: [HTTPField]) -> Bool {
        ["If-Match", "If-None-Match", "If-Modified-Since", "If-Unmodified-Since", "If-Range"].contains {
            fields.contains(named: $0)
        }
    }
}
