internal import ProctorBase
internal import ProctorJournal
internal import ProctorReplies

// Calls that follow a journal.
extension ControlAPI {
    func events(_ request: ControlRequest) throws(ControlError) -> BuiltInReply {
        let run = try find(request)
        return try stream(of: run.journal, run: run, request)
    }

    func sharedEvents(_ request: ControlRequest) throws(ControlError) -> BuiltInReply {
        try stream(of: sharedJournal, run: nil, request)
    }

    /// Connections and requests of the shared port that belong to no scenario.
    func sharedJournal(_ request: ControlRequest) async throws(ControlError) -> BuiltInReply {
        try await lines(of: sharedJournal, request)
    }

    private func stream(
        of journal: Journal, run: Run?, _ request: ControlRequest
    ) throws(ControlError) -> BuiltInReply {
        let known = try request.lastEventID()
        let named = UInt64(try request.number("after", in: 0...Int.max))
        var reply = BuiltInReply(status: 200, contentType: JournalStream.contentType, bytes: [])
        reply.stream = JournalStream(journal, of: run, after: known ?? named, server: start)
        return reply
    }
}
