internal import ProctorHTTP
internal import ProctorJournal
internal import ProctorReplies
internal import ProctorScenario

/// What is done before a reply and where it breaks off, whatever carries it.
extension StageRequest {
    /// The request as its reply sees it, after reading as much of its content as the reply needs.
    func view(
        _ view: RequestView, with exchange: Exchange, readFor part: PlayedPart
    ) async throws(ConnectionEnd) -> RequestView {
        guard input.request.hasUnreadContent else { return view }
        if stage.needsContent(part) { return try await viewOfAllContent(view, exchange) }
        // A client that waits for 100 is refused before it sends content.
        guard part.refusal == nil || !view.head.expectsContinue else { return view }
        try await readContent(before: exchange, view.head)
        guard stage.script(of: part) != nil else { return view }
        return wire.view(
            view.head, view.absoluteTarget ?? view.target, of: stage, origin: exchange.origin,
            comparison: view.comparison)
    }

    /// Notes that a reply was not played to its end, and throws why; where nothing of it went out, and it can't be made,
    /// returns what tells the client instead.
    func fail(
        by error: ConnectionEnd, answering view: RequestView, _ cursor: ReplyCursor
    ) throws(ConnectionEnd) -> WaitingAnswer<Carrier>? {
        let error = input.cause(of: error)
        if case .unanswerable(let reason) = error, cursor.sentByteCount == 0 {
            return page(ofFailure: reason, to: view)
        }
        // The journal has the end of content that a script read.
        if !input.request.isEndNoted || cursor.sentByteCount > 0 { noteFailure(error, cursor) }
        throw error
    }

    /// Notes why the rest of a reply is not sent.
    func noteFailure(_ error: ConnectionEnd, _ cursor: ReplyCursor) {
        if case .unanswerable(let reason) = error { log.append(.replyFailed(FailedReply(reason))) }
        let failedReading = input.request.isEndNoted
        let untakenByteCount = (wire as? MultiplexedStream)?.untakenByteCount ?? 0
        let sentByteCount = max(0, cursor.sentByteCount - untakenByteCount)
        if let slices = cursor.slices(in: Carrier.layout) { log.append(slices) }
        // An end that the fixture wants counts as a complete reply, and so does one of the client in a pause behind the
        // last byte.
        if cursor.isWhole, error.isOfPeer, untakenByteCount == 0 {
            log.append(.replySent(status: cursor.plan.traits.status, byteCount: sentByteCount))
        } else if let reason = failedReading ? error.reasonOfReading : error.failureReason {
            log.append(.replyAborted(sentByteCount: sentByteCount, reason: reason, client: error.ofClient))
        } else {
            log.append(.replySent(status: cursor.plan.traits.status, byteCount: sentByteCount))
        }
        content.noteUnfinished()
    }
}
