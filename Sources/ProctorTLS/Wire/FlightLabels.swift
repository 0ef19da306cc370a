internal import COpenSSL

/// What stands where in the bytes that a server's handshake writes, learnt from OpenSSL's message callback.
///
/// The head of a record is told as it is written, a message when all its records are; each message begins a record.
/// Offsets count from the first byte written.
struct FlightLabels {
    /// Where a record begins, and by which keys it is protected.
    struct Record: Equatable {
        let offset: Int
        /// Counts changes of the keys: 0 is none, 1 those after ChangeCipherSpec or ServerHello.
        let epoch: Int
        /// Its number under these keys.
        let sequence: UInt64
    }

    /// Moments not yet taken, by where they are.
    private(set) var moments: [(offset: Int, moment: HandshakeMoment)] = []
    /// Of the flight under way.
    private var records: [Record] = []
    /// Off once the handshake is complete, when nothing is looked up any more.
    var keepsRecords = true
    /// Of the record to come.
    private(set) var next = Record(offset: 0, epoch: 0, sequence: 0)
    /// Whether TLS 1.3 was agreed on, where ServerHello changes the keys.
    private var changesKeysByMessage = false
    private var messageOffset = 0
    private var hasGreeted = false
    private var seen: Set<HandshakeMoment> = []

    /// Takes what the callback tells of a write.
    mutating func note(_ type: Int32, _ bytes: UnsafeRawBufferPointer) {
        switch type {
        case SSL3_RT_HEADER:
            guard bytes.count >= 5 else { return }
            // ChangeCipherSpec is never protected in TLS 1.3, and does not count.
            let isCounted = unsafe bytes[0] != UInt8(SSL3_RT_CHANGE_CIPHER_SPEC) || !changesKeysByMessage
            let record = next
            if records.count < Self.recordLimit, keepsRecords { records.append(record) }
            next = unsafe Record(
                offset: record.offset + 5 + Int(bytes[3]) << 8 + Int(bytes[4]), epoch: record.epoch,
                sequence: isCounted ? record.sequence + 1 : record.sequence)
        case SSL3_RT_HANDSHAKE:
            guard let kind = unsafe bytes.first else { return }
            unsafe note(message: Int32(kind), bytes)
            messageOffset = next.offset
        case SSL3_RT_CHANGE_CIPHER_SPEC:
            if !changesKeysByMessage {
                if hasGreeted { mark(.afterServerHello) }
                changeKeys()
            }
            messageOffset = next.offset
        case SSL3_RT_ALERT:
            messageOffset = next.offset
        default: break
        }
    }

    private mutating func note(message kind: Int32, _ bytes: UnsafeRawBufferPointer) {
        if hasGreeted { mark(.afterServerHello) }
        switch kind {
        case SSL3_MT_SERVER_HELLO:
            guard bytes.count > 38 else { return }
            changesKeysByMessage = unsafe Self.selectsVersion13(bytes)
            // A HelloRetryRequest is one too (RFC 8446 §4.1.3), and changes no keys.
            guard unsafe !bytes[6..<38].elementsEqual(Self.retryRandom) else { return }
            hasGreeted = true
            if changesKeysByMessage { changeKeys() }
        case SSL3_MT_CERTIFICATE: mark(.certificate)
        case SSL3_MT_FINISHED:
            mark(.finished)
            if changesKeysByMessage { changeKeys() }
        case SSL3_MT_KEY_UPDATE: changeKeys()
        default: break
        }
    }

    private mutating func mark(_ moment: HandshakeMoment) {
        guard seen.insert(moment).inserted else { return }
        moments.append((messageOffset, moment))
    }

    private mutating func changeKeys() {
        next = Record(offset: next.offset, epoch: next.epoch + 1, sequence: 0)
    }

    /// The next moment, if it is not beyond `offset`.
    mutating func takeMoment(upTo offset: Int) -> (offset: Int, moment: HandshakeMoment)? {
        guard let first = moments.first, first.offset <= offset else { return nil }
        return moments.removeFirst()
    }

    /// The record that begins at `offset` or behind it, if any was written, otherwise the one to come.
    func record(at offset: Int) -> Record {
        records.first { $0.offset >= offset } ?? next
    }

    /// Forgets records that were sent.
    mutating func forgetRecords() {
        records.removeAll(keepingCapacity: true)
    }

    /// Records of one flight that are kept apart; no certificate fills so many.
    private static let recordLimit = 1024

    /// SHA-256 of "HelloRetryRequest".
    private static let retryRandom: [UInt8] = [
        0xCF, 0x21, 0xAD, 0x74, 0xE5, 0x9A, 0x61, 0x11, 0xBE, 0x1D, 0x8C, 0x02, 0x1E, 0x65, 0xB8, 0x91,
        0xC2, 0xA2, 0x11, 0x16, 0x7A, 0xBB, 0x8C, 0x5E, 0x07, 0x9E, 0x09, 0xE2, 0xC8, 0xA8, 0x33, 0x9C,
    ]

    /// Whether a ServerHello has supported_versions, which it has for TLS 1.3 only (RFC 8446 §4.2.1).
    private static func selectsVersion13(_ bytes: UnsafeRawBufferPointer) -> Bool {
        // Head of four, version, random, session identifier, cipher suite, compression method, length of extensions.
        var place = unsafe 38 + 1 + Int(bytes[38]) + 2 + 1 + 2
        while place + 4 <= bytes.count {
            let type = unsafe UInt16(bytes[place]) << 8 | UInt16(bytes[place + 1])
            if type == 43 { return true }
            place += unsafe 4 + Int(bytes[place + 2]) << 8 + Int(bytes[place + 3])
        }
        return false
    }
}
