package import ProctorJournal

/// What follows a page that has no end of its own: text that is made as a journal grows.
package protocol ReplyStream: Sendable {
    var journal: Journal { get }
    /// The newest entry that the reader has.
    var sequence: UInt64 { get }

    /// What the reader gets next; `isStopping`: the server is about to stop.
    mutating func nextPart(isStopping: Bool) -> ReplyStreamPart
}

/// What a reader of a stream gets next.
package struct ReplyStreamPart: Sendable {
    package var bytes: [UInt8] = []
    /// Whether more stands ready, so that nothing is waited for.
    package var hasMore = false
    package var isLast = false
    /// Whether entries were left out, because the journal grows faster than the reader is told of it.
    package var isThinned = false
    /// Nanoseconds until something besides an entry may be told.
    package var patience: UInt64 = 500_000_000

    package init() {}
}
