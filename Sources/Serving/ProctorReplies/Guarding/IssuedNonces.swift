internal import ProctorHTTP
internal import ProctorScenario

/// The nonces that a guard has issued, and the requests with each (RFC 7616 §3.3); bounded: the oldest is dropped and
/// then counts as never issued.
struct IssuedNonces: Sendable {
    static let nonceLimit = 1_000

    private var records: [Key: Record] = [:]
    /// A ring of nonces in the order of their first issue.
    private var order: [[UInt8]] = []
    private var oldest = 0

    struct Record: Sendable {
        /// The challenges with this nonce; several where the fixture gives the same text to several offers.
        fileprivate(set) var grants: [Grant]
        /// An instant of the run's clock.
        fileprivate(set) var issued: UInt64
        /// How many requests may use the nonce; nil: any number.
        fileprivate(set) var useLimit: Int?
        fileprivate(set) var useCount = 0
        fileprivate(set) var counts = NonceCounts()
        /// The client nonce of the session's first request; a session algorithm may not change it.
        fileprivate(set) var clientNonce: [UInt8]?
        /// The nonce of the challenge that began the session; nil: this nonce.
        fileprivate(set) var sessionNonce: [UInt8]?
    }

    /// The parts of A1 that a session algorithm keeps from its challenge (RFC 7616 §3.4.2).
    struct Session: Sendable, Equatable {
        let nonce: [UInt8]
        let clientNonce: [UInt8]?
    }

    struct Grant: Sendable, Equatable {
        let scheme: Int
        let realm: Int
    }

    /// Hashes a nonce in one piece, unlike an array.
    private struct Key: Hashable {
        let bytes: [UInt8]

        init(_ bytes: [UInt8]) { self.bytes = bytes }

        func hash(into hasher: inout Hasher) {
            unsafe bytes.withUnsafeBytes { unsafe hasher.combine(bytes: $0) }
        }
    }

    var count: Int { records.count }

    subscript(nonce: [UInt8]) -> Record? { records[Key(nonce)] }

    /// The session that a successor of the nonce continues; nil for an unknown nonce.
    func session(of nonce: [UInt8]) -> Session? {
        records[Key(nonce)].map { Session(nonce: $0.sessionNonce ?? nonce, clientNonce: $0.clientNonce) }
    }

    /// Notes a nonce of a challenge or, with a session, one of Authentication-Info (§3.5).
    ///
    /// A nonce that is issued again, as a fixed one is, starts again with count 1. One with `isKept` is never dropped.
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

    /// Notes an admitted request, whose nonce was read earlier without the lock: checks again, and returns a fault
    /// that has come up since.
    ///
    /// `count` is nil in the form of RFC 2069, `clientNonce` for an algorithm without sessions.
    mutating func use(
        _ nonce: [UInt8], count: UInt32?, clientNonce: [UInt8]?, isGapless: Bool = false
    ) -> CredentialFault? {
        guard let place = records.index(forKey: Key(nonce)) else {
            return CredentialFault(
                .unknownNonce, "the nonce was forgotten while the request was judged; use that of the last challenge",
                section: "RFC 7616 §3.4")
        }
        return records.values[place].use(count: count, clientNonce: clientNonce, isGapless: isGapless)
    }
}

extension IssuedNonces.Record {
    fileprivate mutating func use(count: UInt32?, clientNonce: [UInt8]?, isGapless: Bool) -> CredentialFault? {
        if let useLimit, useCount >= useLimit {
            return CredentialFault(
                .staleNonce, "another request was the last that might use this nonce", section: "RFC 7616 §3.3")
        }
        if let clientNonce, let first = self.clientNonce, first != clientNonce {
            return CredentialFault(
                .changedClientNonce,
                "another request of the same moment began the session with another cnonce, which A1 keeps",
                section: "RFC 7616 §3.4.2")
        }
        if isGapless, let count {
            let (expected, isOver) = counts.highest.addingReportingOverflow(1)
            if !isOver, count > expected {
                return CredentialFault(
                    .skippedNonceCount, "nc leaves out \(expected), the next one; it counts each request once",
                    section: "RFC 7616 §3.4")
            }
        }
        if let count, !counts.use(count) {
            return CredentialFault(
                .replayedNonceCount, "nc has come with this nonce before; every request counts one further",
                section: "RFC 7616 §3.4")
        }
        useCount += 1
        if self.clientNonce == nil { self.clientNonce = clientNonce }
        return nil
    }
}

/// The nonce counts of one nonce (RFC 7616 §3.4); each may come once.
///
/// Parallel requests arrive out of order, so counts below the highest are stored in a window of 1,024; older ones
/// count as used.
struct NonceCounts: Sendable {
    /// 0 before the first.
    private(set) var highest: UInt32 = 0
    /// Bit `n` stands for the count `highest - n`; empty while no count was skipped.
    private var window: [UInt64] = []

    static let windowCount: UInt32 = 1_024

    /// Whether the count was used, or is older than the window.
    func hasSeen(_ count: UInt32) -> Bool {
        guard count <= highest else { return false }
        guard !window.isEmpty else { return true }
        let distance = highest - count
        guard distance < Self.windowCount else { return true }
        return window[Int(distance / 64)] >> UInt64(distance % 64) & 1 == 1
    }

    /// False where the count was used before.
    mutating func use(_ count: UInt32) -> Bool {
        guard !hasSeen(count) else { return false }
        if window.isEmpty {
            if count == highest + 1 {
                highest = count
                return true
            }
            window = Array(repeating: .max, count: Int(Self.windowCount / 64))
        }
        if count > highest {
            shift(by: count - highest)
            highest = count
        }
        let distance = highest - count
        window[Int(distance / 64)] |= 1 << UInt64(distance % 64)
        return true
    }

    /// Skipped counts become free places of the window.
    private mutating func shift(by distance: UInt32) {
        guard distance < Self.windowCount else {
            window = Array(repeating: 0, count: window.count)
            return
        }
        let (words, bits) = (Int(distance / 64), UInt64(distance % 64))
        for index in window.indices.reversed() {
            let high = index >= words ? window[index - words] << bits : 0
            let low = bits > 0 && index > words ? window[index - words - 1] >> (64 - bits) : 0
            window[index] = high | low
        }
    }
}

struct NonceSource: Sendable {
    private let policy: Guard.DigestOffer.NoncePolicy.Source
    private var seeded: SplitMix64

    /// `scheme` keeps two offers with one seed from issuing the same nonces.
    init(_ policy: Guard.DigestOffer.NoncePolicy.Source, scheme: Int) {
        self.policy = policy
        var seed: UInt64 = 0
        if case .seed(let given) = policy { seed = given }
        var random = SplitMix64(seed: seed)
        for _ in 0..<scheme { _ = random.next() }
        seeded = SplitMix64(seed: random.next())
    }

    /// 128 bits in hexadecimal, or the fixture's text.
    mutating func next() -> [UInt8] {
        switch policy {
        case .fixed(let text): return Array(text.utf8)
        case .random:
            var random = SystemRandomNumberGenerator()
            return Self.text(random.next(), random.next())
        case .seed:
            let high = seeded.next()
            return Self.text(high, seeded.next())
        }
    }

    private static func text(_ high: UInt64, _ low: UInt64) -> [UInt8] {
        var bytes: [UInt8] = []
        bytes.reserveCapacity(32)
        for word in [high, low] {
            for shift in stride(from: UInt64(60), through: 0, by: -4) {
                let digit = UInt8(truncatingIfNeeded: word >> shift & 15)
                bytes.append(digit < 10 ? UInt8(ascii: "0") + digit : UInt8(ascii: "a") + digit - 10)
            }
        }
        return bytes
    }
}
