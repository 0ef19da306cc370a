package import ProctorReplies

extension Stage {
    /// Waits for the coding and returns the reply; throws where the coding fails or the client leaves.
    package func awaitReply(
        of part: PlayedPart, for request: RequestView, _ numbers: RequestNumbers, as layout: WireLayout,
        on wire: any Wire
    ) async throws(ConnectionEnd) -> LaidOutReply {
        let maker = ReplyMaker(
            self, part, for: request, numbers, as: layout, codedByteLimit: wire.bounds.codedByteCount)
        while true {
            let content: ContentSource?
            switch try await maker.preparation(isAwaited: true)?.outcome(for: wire) {
            case nil: content = nil
            case .content(let coded)?: content = coded
            case .failed(let reason)?: throw .sourceFailed(reason)
            // The last waiting request left before this one came: the content is coded again.
            case .abandoned?: continue
            }
            return try ConnectionEnd.rethrow { () throws(ReplyFailure) in try maker.reply(coded: content) }
        }
    }
}
