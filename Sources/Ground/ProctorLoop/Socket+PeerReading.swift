internal import ProctorBase

#if !canImport(Darwin)
    internal import Glibc
#endif

/// The result of waiting for the peer's program to read.
package enum PeerReading: Sendable, Equatable {
    /// The peer's program has read every byte that was written.
    case everything
    /// The peer has closed its end, or the connection is lost.
    case left
    /// The system does not report it: the peer is on another machine, or this is Darwin; there was no wait.
    case unknown
}

extension Socket {
    /// Waits until the peer's program has read every written byte from its receive queue.
    ///
    /// The peer then reads later bytes by another call. Times out after `limit` nanoseconds.
    package func waitUntilPeerHasRead(within limit: UInt64) async throws(SocketError) -> PeerReading {
        try requireUsable()
        let deadline = Self.deadline(within: limit)
        var pause = Self.firstPause
        while true {
            switch lookAtPeer() {
            case .read(isCertain: true): return .everything
            case .read(isCertain: false):
                // The peer's program may still be in the call that read the bytes, and that call could return the next
                // ones too.
                try await rest(until: MonotonicClock.nanoseconds &+ Self.firstPause)
                return .everything
            case .left: return .left
            case .unknown: return .unknown
            case .notYet: break
            }
            let now = MonotonicClock.nanoseconds
            guard now < deadline else { throw .timedOut }
            try await rest(until: min(deadline, now &+ pause))
            pause = min(pause * 2, Self.longestPause)
        }
    }

    private static let firstPause: UInt64 = 50_000
    private static let longestPause: UInt64 = 1_000_000

    func rest(until end: UInt64) async throws(SocketError) {
        guard await loop.sleep(until: end) else { throw .cancelled }
        try requireUsable()
    }
}

enum PeerLook {
    /// The queue is empty; not certain if the call that read the last bytes may still run.
    case read(isCertain: Bool)
    case notYet, left, unknown
}

/// The state of waiting for a peer's reading; a class, so that other sockets need only a reference.
@safe final class PeerWatch {
    fileprivate var source: Source

    fileprivate enum Source {
        /// The queue of our own end, which holds the unread bytes for a Unix socket.
        case ownQueue
        /// The system does not report it.
        case none
        #if !canImport(Darwin)
            /// Another TCP socket of this machine, if the first check finds it.
            case peerQueue(PeerQueues.Question)
        #endif
    }

    fileprivate var wasSeen = false
    /// How many bytes had reached the peer at the last check.
    fileprivate var arrivedByteCount: UInt64 = 0

    fileprivate init(_ source: Source) {
        self.source = source
    }
}

#if canImport(Darwin)
    extension Socket {
        /// Darwin says nothing about another process's sockets, nor about a Unix socket's peer.
        func lookAtPeer() -> PeerLook { .unknown }
    }
#else
    extension Socket {
        func lookAtPeer() -> PeerLook {
            if layer?.unsentByteCount ?? 0 > 0 { return .notYet }
            let watch = peerWatch ?? firstWatch
            peerWatch = watch
            switch watch.source {
            case .none: return isGone(descriptor) ? .left : .unknown
            case .ownQueue:
                guard let left = unacknowledgedByteCount else { return .unknown }
                return left == 0 ? .read(isCertain: false) : .notYet
            case .peerQueue(let question):
                let look = peerState(at: question, watch)
                if case .unknown = look { watch.source = .none }
                return look
            }
        }

        private var firstWatch: PeerWatch {
            if case .unix = peer { return PeerWatch(.ownQueue) }
            guard let question = PeerQueues.Question(peerOf: descriptor) else { return PeerWatch(.none) }
            return PeerWatch(.peerQueue(question))
        }

        private func peerState(at question: PeerQueues.Question, _ watch: PeerWatch) -> PeerLook {
            switch loop.peerQueues.queue(at: question) {
            case .unavailable: return .unknown
            case .closed: return .left
            case .absent where !watch.wasSeen && !isGone(descriptor): return .unknown
            // The peer's socket disappears a moment before its RST is sent, which says how it ended.
            case .leaving, .absent:
                watch.wasSeen = true
                return awaitsPeerEnd(descriptor) ? .notYet : .left
            case .waiting(let byteCount, let received):
                // The queue is checked before the arrived bytes are counted, so an empty queue is certain only if all
                // bytes had arrived at the check before. Counting takes the socket's lock, which a running read holds
                // until its end.
                let hadArrived = watch.arrivedByteCount >= writtenByteCount
                watch.wasSeen = true
                // If the kernel does not count arrived bytes, at least the acknowledged ones have arrived.
                watch.arrivedByteCount = received ?? writtenByteCount &- UInt64(unacknowledgedByteCount ?? 0)
                return byteCount == 0 && hadArrived ? .read(isCertain: true) : .notYet
            }
        }
    }
#endif
