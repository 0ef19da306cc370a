/// The nonces that a guard has given out and what has come with each (RFC 7616 §3.3).
///
/// Bounded: the oldest is forgotten, and is then one that was never given out.
struct NonceBook: Sendable {
    static let nonceLimit = 1_000

    private var records: [Key: Record] = [:]
    /// A ring of the nonces in the order in which they were first given out.
    private var order: [[UInt8]] = []
    private var oldest = 0

    /// What is known of one nonce.
    struct Record: Sendable {
        /// For what it was given out; several where the fixture gives the same text to several offers.
        fileprivate(set) var grants: [Grant]
        /// MonotonicClock nanoseconds.
        fileprivate(set) var issued: UInt64
        /// How many requests may use it; nil: any number.
        fileprivate(set) var useLimit: Int?
        fileprivate(set) var useCount = 0
        fileprivate(set) var counts = NonceCounts()
        /// Of the first request of its session; a session algorithm may not change it.
        fileprivate(set) var clientNonce: [UInt8]?
        /// Of the challenge that began its session; nil where that was its own.
        fileprivate(set) var sessionNonce: [UInt8]?
    }

    /// What A1 of a session algorithm keeps from its challenge (RFC 7616 §3.4.2).
    struct Session: Sendable, Equatable {
        let nonce: [UInt8]
        let clientNonce: [UInt8]?
    }

    /// A challenge that a nonce belongs to.
    struct Grant: Sendable, Equatable {
        /// Index into the guard's schemes.
        let scheme: Int
        /// Index into the guard's realms.
        let realm: Int
    }

    /// A nonce that is hashed in one piece, where an array would be byte by byte.
    private struct Key: Hashable {
        let bytes: [UInt8]

        init(_ bytes: [UInt8]) { self.bytes = bytes }

        func hash(into hasher: inout Hasher) {
            unsafe bytes.withUnsafeBytes { unsafe hasher.combine(bytes: $0) }
        }
    }

    var count: Int { records.count }

    subscript(nonce: [UInt8]) -> Record? { records[Key(nonce)] }

    /// What a nonce's successor takes over; nil for one that is not known.
    func session(of nonce: [UInt8]) -> Session? {
        records[Key(nonce)].map { Session(nonce: $0.sessionNonce ?? nonce, clientNonce: $0.clientNonce) }
    }

    /// Notes a nonce of a challenge or, with the session that it goes on with, one that is no challenge (§3.5).
    ///
    /// One that is given out again, as a fixed one is, begins anew: whoever gets it counts from 1.
    ///
    /// One that `isKept` is never forgotten.
    mutating func issue(
        _ nonce: [UInt8], for grant: Grant, at instant: UInt64, in session: Session? = nil, useLimit: Int? = nil,
        isKept: Bool = false
    ) {
        let others = records[Key(nonce)]?.grants.filter { $0.scheme != grant.scheme }
        let record = Record(
            grants: (others ?? []) + [grant], issued: instant, useLimit: useLimit, clientNonce: session?.clientNonce,
            sessionNonce: session?.nonce)
        records[Key(nonce)] = record
        guard others == nil, !isKept else { return }
        if order.count < Self.nonceLimit {
            order.append(nonce)
        } else {
            records[Key(order[oldest])] = nil
            order[oldest] = nonce
            oldest = (oldest + 1) % Self.nonceLimit
        }
    }

    /// What taking a request with a nonce came to.
    enum Use: Equatable {
        case taken
        /// Meanwhile another request came with the same count.
        case replayed
        /// It was used as often as it may be.
        case over
        /// It was forgotten meanwhile, or the run was reset.
        case unknown
        /// Meanwhile another request began the session with another client nonce.
        case ofAnotherSession
        /// Counts must come without a gap, and this is not the next one.
        case skipped(expected: UInt32)
    }

    /// Notes that a request was admitted, which was judged by an older look: all that may have changed is asked again.
    ///
    /// `count` is nil in the form of RFC 2069, `clientNonce` for an algorithm without sessions.
    mutating func use(
        _ nonce: [UInt8], count: UInt32?, clientNonce: [UInt8]?, isGapless: Bool = false
    ) -> Use {
        guard let found = records.index(forKey: Key(nonce)) else { return .unknown }
        return records.values[found].use(count: count, clientNonce: clientNonce, isGapless: isGapless)
    }
}

extension NonceBook.Record {
    fileprivate mutating func use(
        count: UInt32?, clientNonce: [UInt8]?, isGapless: Bool
    ) -> NonceBook.Use {
        if let useLimit, useCount >= useLimit { return .over }
        if let clientNonce, let first = self.clientNonce, first != clientNonce { return .ofAnotherSession }
        if isGapless, let count {
            let (expected, isOver) = counts.highest.addingReportingOverflow(1)
            if !isOver, count > expected { return .skipped(expected: expected) }
        }
        if let count, !counts.take(count) { return .replayed }
        useCount += 1
        if self.clientNonce == nil { self.clientNonce = clientNonce }
        return .taken
    }
}
