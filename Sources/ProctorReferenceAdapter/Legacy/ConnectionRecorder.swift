internal import ProctorRecorder
package import ProctorReference
internal import ProctorTrace

/// The recording delegate of a ``ReferenceConnection``: family UC.
package final class ConnectionRecorder: LegacyRecording, ReferenceConnectionDelegate {
    /// Where it writes.
    package let record: LegacyRecord

    /// Writes nothing yet.
    package init(_ record: LegacyRecord) { self.record = record }

    /// `needBodyStream`.
    package func connectionNeedsNewBodyStream(_ connection: ReferenceConnection) -> BodyStream? {
        let call = record.enter(.needBodyStream, method: ":needNewBodyStream:")
        defer { call.returns() }
        guard !call.isCancelled else { return nil }
        return record.answer(orElse: nil) { record.step.answerBodyStream($0) }
    }

    /// `bodySent` (R23).
    package func connection(
        _ connection: ReferenceConnection, didSendBodyData n: Int, total: Int, expected: Int
    ) {
        record.enter(
            .bodySent, method: ":didSendBodyData:totalBytesWritten:totalBytesExpectedToWrite:",
            facts: .arithmetic(n: n, total: total, expected: expected)
        ).returns()
    }

    /// `response`.
    package func connection(_ connection: ReferenceConnection, didReceive response: LoadResponse) {
        record.step.received(response)
        let facts = ReplyFacts(response)
        record.enter(.response, facts.status, method: ":didReceiveResponse:", facts: facts.facts).returns()
    }

    /// `data`, with the size of the piece.
    package func connection(_ connection: ReferenceConnection, didReceive data: [UInt8]) {
        record.step.received(data)
        record.enter(.data, method: ":didReceiveData:", facts: .content(of: data)).returns()
    }

    /// `willCache` (R32).
    package func connection(
        _ connection: ReferenceConnection, willCache response: LoadResponse, byteCount: Int
    ) -> Bool {
        let call = record.enter(
            .willCache, method: ":willCacheResponse:", facts: [EventFact(.bytes, .integer(byteCount))])
        defer { call.returns() }
        guard !call.isCancelled else { return false }
        return record.answer(orElse: false) { record.step.answerWillCache($0) }
    }

    /// `complete(ok)`.
    package func connectionDidFinishLoading(_ connection: ReferenceConnection) {
        record.step.ended(with: nil)
        record.enter(.complete, FailureFacts(nil).name, method: "DidFinishLoading:").returns()
    }

    /// `complete` with the name of an error.
    package func connection(_ connection: ReferenceConnection, didFailWith error: LoadError) { recordFailure(error) }
}
