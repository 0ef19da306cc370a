/// Whether a request that repeats another still has its content (R22), as the wire shows it.
struct ResentBody {
    private var before: String?
    private var byteCount = 0
    /// Of the next request: the challenge or redirect before it.
    private var cause: KeptEvent?

    /// A request without the content of the one before.
    struct Loss {
        /// nil for a retry of its own.
        let cause: KeptEvent?
        /// Of the request before.
        let byteCount: Int
    }

    mutating func takeCause(_ event: TraceEvent) {
        if !event.isOfTLS { cause = KeptEvent(event) }
    }

    /// The test chose another request, whose content is its own.
    mutating func forget() { byteCount = 0 }

    /// nil when nothing is lost or nothing known.
    mutating func take(_ request: TraceEvent) -> Loss? {
        let cause = self.cause
        self.cause = nil
        guard let length = request.facts.integer(.bodyLength), let argument = request.argument else {
            byteCount = 0
            return nil
        }
        let before = self.before
        defer {
            self.before = argument
            byteCount = length
        }
        guard length == 0, byteCount > 0, let before else { return nil }
        // A redirect changes the target; whatever else repeats a request asks for the same.
        guard cause?.name == .redirect ? Self.method(argument) == Self.method(before) : argument == before else {
            return nil
        }
        switch cause?.argument {
        // Their first legs have no content on purpose.
        case "ntlm", "negotiate", "proxyNtlm", "proxyNegotiate": return nil
        default: return Loss(cause: cause, byteCount: byteCount)
        }
    }

    private static func method(_ request: String) -> Substring { request.prefix { $0 != " " } }
}
