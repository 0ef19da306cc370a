internal import ProctorBase
internal import ProctorCoding

/// What one direction of a connection agreed on (RFC 7692 §7.1).
package struct DeflateDirection: Sendable, Equatable {
    /// Whether a message may refer to the messages before.
    package var takesContextOver = true
    /// 8 to 15: references go 2^bits bytes back at most.
    package var windowBits = 15

    package init(takesContextOver: Bool = true, windowBits: Int = 15) {
        (self.takesContextOver, self.windowBits) = (takesContextOver, windowBits)
    }
}

/// The compressed messages of one direction, in pieces of any length.
struct Inflation {
    private let direction: DeflateDirection
    /// Nil between messages, so that an idle connection has none.
    private var inflater: MessageInflater?
    /// What the next message may refer to.
    private var window: [UInt8] = []
    private var bytes: [UInt8] = []
    private var index = 0
    private var hasTail = false
    /// Whether ``step()`` may give something.
    private(set) var hasMore = false
    /// A message was not inflated to its end, so that those behind it can't be.
    private(set) var isLost = false

    init(_ direction: DeflateDirection) { self.direction = direction }

    /// Bytes of the open message.
    mutating func append(_ more: [UInt8]) {
        guard !isLost else { return }
        bytes = more
        index = 0
        hasMore = true
    }

    /// The bytes behind the message; false where they were appended before.
    mutating func appendTail() -> Bool {
        guard !hasTail, !isLost else { return false }
        append(MessageInflater.tail)
        hasTail = true
        return true
    }

    /// Some bytes of content, or none, and why the rest can't be read; behind the tail the message is over.
    mutating func step() -> (content: [UInt8], fault: String?) {
        var content: [UInt8] = []
        do throws(CodingFailure) {
            let inflater = try openInflater()
            let bytes = bytes
            hasMore = try inflater.inflate(bytes.span, at: &index, into: &content)
            if hasTail, !hasMore {
                try inflater.finishMessage()
                if direction.takesContextOver { window = Array(inflater.window.suffix(1 << direction.windowBits)) }
                self.inflater = nil
            }
            return (content, nil)
        } catch {
            return (content, error.sentence)
        }
    }

    private mutating func openInflater() throws(CodingFailure) -> MessageInflater {
        if let inflater { return inflater }
        let made = try MessageInflater(windowBits: direction.windowBits, window: window)
        inflater = made
        return made
    }

    /// The next message begins.
    mutating func startMessage() { hasTail = false }

    /// Nothing more is inflated; without context the next message is.
    mutating func lose() {
        inflater = nil
        bytes = []
        hasMore = false
        isLost = direction.takesContextOver
    }
}
