internal import CNGTCP2
internal import ProctorQUICLink

extension ngtcp2_cid {
    init(_ bytes: [UInt8]) {
        self.init()
        unsafe ngtcp2_cid_init(&self, bytes, min(bytes.count, Int(NGTCP2_MAX_CIDLEN)))
    }

    var bytes: [UInt8] {
        let count = min(datalen, Int(NGTCP2_MAX_CIDLEN))
        return unsafe withUnsafeBytes(of: data) { unsafe Array($0.prefix(count)) }
    }
}

/// A connection id, of at most 20 bytes, in memory of its own: it is compared and hashed without a look elsewhere.
struct ConnectionID: Hashable {
    private var words: (UInt64, UInt64, UInt32) = (0, 0, 0)
    private(set) var count = 0

    /// The id of no bytes.
    init() {}

    init(_ id: ngtcp2_cid) {
        count = min(id.datalen, Int(NGTCP2_MAX_CIDLEN))
        unsafe withUnsafeBytes(of: id.data) { bytes in unsafe copy(bytes) }
    }

    /// The bytes of a datagram in a range of at most 20, cut where the datagram ends.
    init(in datagram: [UInt8], at range: Range<Int>) {
        let range = range.clamped(to: 0..<datagram.count)
        count = range.count
        unsafe datagram.withUnsafeBytes { unsafe copy(UnsafeRawBufferPointer(rebasing: $0[range])) }
    }

    private mutating func copy(_ source: UnsafeRawBufferPointer) {
        let count = count
        unsafe withUnsafeMutableBytes(of: &words) {
            unsafe $0.copyMemory(from: UnsafeRawBufferPointer(rebasing: source.prefix(count)))
        }
    }

    var bytes: [UInt8] {
        var words = words
        return unsafe withUnsafeBytes(of: &words) { unsafe Array($0.prefix(count)) }
    }

    static func == (left: Self, right: Self) -> Bool { left.words == right.words && left.count == right.count }

    func hash(into hasher: inout Hasher) {
        hasher.combine(words.0)
        hasher.combine(words.1)
        hasher.combine(words.2)
    }
}

/// Secrets of one endpoint: what its connection ids and tokens are computed with.
struct EndpointSecrets {
    /// The length of our connection ids, in bytes.
    static let idByteCount = 18
    private let key: [UInt8]

    init() {
        key = Self.random(32)
    }

    static func random(_ count: Int) -> [UInt8] {
        var generator = SystemRandomNumberGenerator()
        return (0..<count).map { _ in UInt8.random(in: 0...255, using: &generator) }
    }

    /// The token of a stateless reset for one of our connection ids (RFC 9000 §10.3.2).
    func resetToken(of id: [UInt8]) -> [UInt8] {
        Array(TokenHash.sha256([0] + id, key: key).prefix(Int(NGTCP2_STATELESS_RESET_TOKENLEN)))
    }

    /// A token of Retry: it shows later that the address has received it, and which id the client used first (RFC 9000
    /// §8.1.3).
    func retryToken(for address: String, original: [UInt8], ours: [UInt8], now: UInt64) -> [UInt8] {
        let head = [1, UInt8(original.count)] + original + Self.bytes(of: now)
        return head + hash(of: head, address, ours)
    }

    /// The id that the client used first; nil for a token that is not ours, is too old, or of another address.
    func originalID(
        in token: [UInt8], from address: String, ours: [UInt8], now: UInt64, lifetime: UInt64
    ) -> [UInt8]? {
        guard token.count > 2, token[0] == 1, token[1] <= UInt8(NGTCP2_MAX_CIDLEN) else { return nil }
        let headCount = 2 + Int(token[1]) + 8
        guard token.count == headCount + 32 else { return nil }
        let head = Array(token[..<headCount])
        let made = head.suffix(8).reduce(0) { $0 << 8 | UInt64($1) }
        guard hash(of: head, address, ours) == Array(token[headCount...]), now >= made, now - made <= lifetime else {
            return nil
        }
        return Array(head[2..<headCount - 8])
    }

    private func hash(of head: [UInt8], _ address: String, _ ours: [UInt8]) -> [UInt8] {
        TokenHash.sha256(head + ours + Array(address.utf8), key: key)
    }

    private static func bytes(of number: UInt64) -> [UInt8] {
        (0..<8).map { UInt8(truncatingIfNeeded: number >> UInt64(56 - 8 * $0)) }
    }
}
