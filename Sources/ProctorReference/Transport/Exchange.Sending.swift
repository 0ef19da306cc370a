internal import ProctorHTTP

extension Exchange {
    /// How far the request has been handed to the system.
    struct Sending {
        /// What goes out next and is no view of somebody's content: the head, a chunk; empty once it is sent.
        private(set) var start: [UInt8] = []
        private(set) var startOffset = 0
        /// What of `start` is content.
        private var contentRange = 0..<0
        /// What is sent after `start`.
        private(set) var rest: OutgoingBody.Source = .none
        /// -1 where only the end of a stream tells.
        private(set) var expected = 0
        private(set) var contentByteCount = 0
        var isComplete = false
        /// Nothing more is to be sent; the reply is still read.
        var isStopped = false
        private(set) var awaitsContinue = false
        let asksToClose: Bool
        /// The content can't be had as it was promised, which ends the exchange.
        var failure: LoadError?

        /// Content up to this length goes out together with the head.
        private static let shortByteCount = 65_536

        init() {
            asksToClose = true
        }

        init(_ head: OutgoingHead, _ body: OutgoingBody) {
            start = head.bytes
            rest = body.source
            expected = body.byteCount ?? -1
            asksToClose = head.asksToClose
            awaitsContinue = head.expectsContinue
            if case .bytes(let bytes) = rest, bytes.count <= Self.shortByteCount, !awaitsContinue {
                contentRange = start.count..<start.count + bytes.count
                start += bytes
                rest = .none
            }
        }

        mutating func begin(_ bytes: [UInt8], content: Range<Int> = 0..<0) {
            start = bytes
            startOffset = 0
            contentRange = content
        }

        /// Notes that the system took so many bytes of `start`; returns how many of them were content.
        mutating func moveOn(by count: Int) -> Int {
            let taken = startOffset..<startOffset + count
            startOffset = taken.upperBound
            return taken.clamped(to: contentRange).count
        }

        mutating func count(_ byteCount: Int) {
            contentByteCount += byteCount
        }
    }
}
