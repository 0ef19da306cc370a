internal import ProctorBase

#if !canImport(Darwin)
    internal import Glibc
#endif

/// How waiting for the peer's program to read came out.
public enum PeerReading: Sendable, Equatable {
    /// The peer has read every byte that was written.
    case everything
    /// The peer has closed its end, or its connection is gone.
    case left
    /// The system does not tell: the peer is on another machine, or this is Darwin; nothing was waited for.
    case unknown
}

extension Socket {
    /// Waits until the peer's program has taken every byte written so far out of its receive queue.
    ///
    /// What is written then reaches it by a read of its own. Times out after `limit` nanoseconds.
    public func waitUntilPeerHasRead(within limit: UInt64) async throws(SocketError) -> PeerReading {
        try requireUsable()
        let deadline = Self.deadline(within: limit)
        var pause = Self.firstPause
        while true {
            switch lookAtPeer() {
            case .read(isCertain: true): return .everything
            case .read(isCertain: false):
                // Its program may be in the very call that took the bytes, and would find the next ones in it.
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

    /// Waits until the peer has closed or reset the connection as a whole, reading nothing.
    ///
    /// A peer that only sends no more is still there. Where the system does not tell it from one that has closed, as on
    /// another machine, both are there until a reset.
    public func waitUntilPeerIsGone(within limit: UInt64 = .max) async throws(SocketError) {
        let deadline = Self.deadline(within: limit)
        try await waitUntilPeerLeaves(within: limit)
        while !isPeerGone {
            let now = MonotonicClock.nanoseconds
            guard now < deadline, !wasWaitForPeerEnded else { throw .timedOut }
            try await rest(until: min(deadline, now &+ Self.goneLookPause))
        }
    }

    private var isPeerGone: Bool {
        // The system does not tell half-closed Unix sockets from closed ones.
        if case .unix = peer { return true }
        if wasReset { return true }
        if case .left = lookAtPeer() { return true }
        return false
    }

    // Nanoseconds between two looks.
    private static let goneLookPause: UInt64 = 20_000_000
    private static let firstPause: UInt64 = 50_000
    private static let longestPause: UInt64 = 1_000_000

    func rest(until end: UInt64) async throws(SocketError) {
        guard await loop.sleep(until: end) else { throw .cancelled }
        try requireUsable()
    }
}

/// What one look at a peer's queue says.
enum PeerLook {
    /// Nothing waits; uncertain where the call that took the last bytes may still be under way.
    case read(isCertain: Bool)
    case notYet, left, unknown
}

/// What is known about a peer whose reading is waited for; a class, so that other sockets pay for a reference only.
@safe final class PeerWatch {
    fileprivate var source: Source

    fileprivate enum Source {
        /// A Unix socket's own queue is the peer's.
        case ownQueue
        /// The system does not tell.
        case none
        #if !canImport(Darwin)
            /// Another TCP socket of this machine, if the first look finds it.
            case peerQueue(PeerQueues.Question)
        #endif
    }

    fileprivate var wasSeen = false
    /// How many bytes had come to the peer at the last look.
    fileprivate var arrivedByteCount: UInt64 = 0

    fileprivate init(_ source: Source) {
        self.source = source
    }
}

#if canImport(Darwin)
    extension Socket {
        /// Darwin tells nothing about another process's sockets, and nothing about a Unix socket's peer.
        fileprivate func lookAtPeer() -> PeerLook { .unknown }
    }
#else
    extension Socket {
        fileprivate func lookAtPeer() -> PeerLook {
            if layer?.unsentByteCount ?? 0 > 0 { return .notYet }
            let watch = peerWatch ?? firstWatch
            peerWatch = watch
            switch watch.source {
            case .none: return isGone(descriptor) ? .left : .unknown
            case .ownQueue:
                guard let left = unacknowledgedByteCount else { return .unknown }
                return left == 0 ? .read(isCertain: false) : .notYet
            case .peerQueue(let question):
                let look = look(at: question, watch)
                if case .unknown = look { watch.source = .none }
                return look
            }
        }

        private var firstWatch: PeerWatch {
            if case .unix = peer { return PeerWatch(.ownQueue) }
            guard let question = PeerQueues.Question(peerOf: descriptor) else { return PeerWatch(.none) }
            return PeerWatch(.peerQueue(question))
        }

        private func look(at question: PeerQueues.Question, _ watch: PeerWatch) -> PeerLook {
            switch loop.peerQueues.look(at: question) {
            case .unavailable: return .unknown
            case .closed: return .left
            case .absent: return watch.wasSeen || isGone(descriptor) ? .left : .unknown
            case .waiting(let byteCount, let received):
                // The queue is looked at before the bytes are counted, so it is empty for good only if they had come at
                // the look before. Counting takes the socket's lock, which a read under way holds to its end.
                let hadArrived = watch.arrivedByteCount >= writtenByteCount
                watch.wasSeen = true
                // A kernel that does not count what came has told us at least what was acknowledged.
                watch.arrivedByteCount = received ?? writtenByteCount &- UInt64(unacknowledgedByteCount ?? 0)
                return byteCount == 0 && hadArrived ? .read(isCertain: true) : .notYet
            }
        }
    }
#endif
