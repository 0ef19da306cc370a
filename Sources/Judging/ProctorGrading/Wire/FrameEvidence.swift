/// What the core asks of a module that reads the frames of HTTP/2; connections are indexes in the record.
package protocol FrameEvidence {
    /// How many streams the client opened.
    func streamCount(on connection: Int) -> Int

    /// Whether the client acknowledged none of the server's SETTINGS, and sent no GOAWAY either.
    func leavesSettingsUnread(on connection: Int) -> Bool

    /// The window of a stream whose request has that entry; nil when the client may not have known the SETTINGS by then.
    func window(ofStream stream: UInt32, on connection: Int, before sequence: UInt64) -> SendingWindow?
}

/// The flow-control windows of one stream that the server gave the client (RFC 9113 §6.9).
package struct SendingWindow: Sendable {
    private let initial: Int
    private let increments: [(nanoseconds: UInt64, byteCount: Int)]

    package init(initial: Int, increments: [(nanoseconds: UInt64, byteCount: Int)]) {
        (self.initial, self.increments) = (initial, increments)
    }

    /// The most bytes of content that can have been sent before that time of the server's clock.
    package func byteCount(before nanoseconds: UInt64) -> Int {
        increments.reduce(initial) { $1.nanoseconds <= nanoseconds ? $0 + $1.byteCount : $0 }
    }
}
