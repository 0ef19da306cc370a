extension ReplyHead {
    /// Reads one complete head and leaves bytes after it alone.
    ///
    /// Throws the fatal violation, or `incomplete-head` when the bytes end too early.
    public init(
        parsing bytes: [UInt8], replyingTo method: [UInt8] = Array("GET".utf8), limits: ReplyLimits = ReplyLimits()
    ) throws(Violation) {
        var reader = ReplyReader(limits: limits)
        reader.expectReply(to: method)
        var offset = 0
        while let event = reader.next(bytes.span, at: &offset) {
            switch event {
            case .head(let head):
                self = head
                return
            case .violation(let violation) where violation.isFatal: throw violation
            case .content, .chunk, .trailers, .violation, .end: continue
            }
        }
        throw Violation(.incompleteHead, in: .reply, at: bytes.count, bound: bytes.count)
    }
}
