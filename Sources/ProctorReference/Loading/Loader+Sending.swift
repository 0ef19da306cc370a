import ProctorHTTP

extension Loader {
    /// Before every sending: a stream has to be asked for, all else can be had again.
    mutating func openBody() -> [LoadAction] {
        guard request.body == .streamOnDemand else { return send() }
        phase = .openingBody
        return [.tell(.needBodyStream)]
    }

    mutating func take(_ stream: BodyStream?) -> [LoadAction] {
        guard let stream else {
            let reason =
                exchangeCount == 0
                ? "is to come from a stream, and none was given; answer needsBodyStream with one"
                : "came from a stream and cannot be had again; answer needsBodyStream with a new one"
            return end(
                LoadError(
                    .requestBodyStreamExhausted, "the content of \(request.method) \(request.url) \(reason)"))
        }
        request.body = .stream(stream)
        return send()
    }

    private mutating func send() -> [LoadAction] {
        var outgoing = request
        isTunnelRefused = false
        unsentBody = request.body
        // The next sending needs another stream (R22).
        if request.body.isConsumedBySending { request.body = .streamOnDemand }
        authorize(&outgoing)
        exchangeCount += 1
        sending = BodyProgress()
        phase = .sending
        return [.send(outgoing, onNewConnection: hasRetried)]
    }

    /// Nothing but this may come while a question is open, and it waits where it is merely tolerated (R28).
    mutating func bodySent(_ byteCount: Int, expected: Int) -> [LoadAction] {
        guard byteCount > 0 else { return [] }
        sending.expected = expected
        let (untold, overflow) = sending.untold.addingReportingOverflow(byteCount)
        sending.untold = overflow ? .max : untold
        switch phase {
        case .sending, .redirecting, .challenging, .receiving: return tellProgress()
        case .idle, .announcing, .openingBody, .securing, .leaving, .disposing, .storing, .ended: return []
        }
    }

    mutating func tellProgress() -> [LoadAction] {
        let (total, overflow) = sending.told.addingReportingOverflow(sending.untold)
        guard sending.untold > 0, !overflow else { return [] }
        defer {
            sending.told = total
            sending.untold = 0
        }
        return [.tell(.bodySent(n: sending.untold, total: total, expected: sending.expected))]
    }

    /// A request that a kept connection swallowed is repeated once where that is safe (RFC 9110 §9.2.2).
    mutating func failed(_ failure: ExchangeFailure) -> [LoadAction] {
        let isSafe = failure.isUnsent || IdempotentMethods.isIdempotent(request.method)
        guard failure.mayBeRetried, !hasRetried, isSafe else { return end(failure.error) }
        hasRetried = true
        if failure.isUnsent { request.body = unsentBody }
        return openBody()
    }
}
