/// What stands where in the bytes that a server's handshake writes, told by the TLS library as it writes them.
///
/// The head of a record is told as it is written, a message when all its records are; each message begins a record.
/// Offsets count from the first byte written.
package struct FlightLabels: Sendable {
    /// Where a record begins, and by which keys it is protected.
    package struct Record: Equatable, Sendable {
        package let offset: Int
        /// Counts changes of the keys: 0 is none, 1 those after ChangeCipherSpec or ServerHello.
        package let epoch: Int
        /// Its number under these keys.
        package let sequence: UInt64
    }

    /// Positions not yet taken, by where they are.
    private var positions: [(offset: Int, position: HandshakePosition)] = []
    /// The records of the flight under way.
    private var records: [Record] = []
    /// Off once the handshake is complete, when nothing is looked up any more.
    package var keepsRecords = true
    /// The record to come.
    package private(set) var next = Record(offset: 0, epoch: 0, sequence: 0)
    /// Whether TLS 1.3 was agreed on, where ServerHello changes the keys.
    private var changesKeysByMessage = false
    private var messageOffset = 0
    private var hasGreeted = false
    private var seen: Set<HandshakePosition> = []

    package init() {}

    /// Takes the head of a record that is written.
    package mutating func note(recordHead bytes: UnsafeRawBufferPointer) {
        guard bytes.count >= 5 else { return }
        // ChangeCipherSpec is never protected in TLS 1.3, and does not count.
        let isCounted = unsafe bytes[0] != ContentType.changeCipherSpec.rawValue || !changesKeysByMessage
        let record = next
        if records.count < Self.recordLimit, keepsRecords { records.append(record) }
        next = unsafe Record(
            offset: record.offset + 5 + Int(bytes[3]) << 8 + Int(bytes[4]), epoch: record.epoch,
            sequence: isCounted ? record.sequence + 1 : record.sequence)
    }

    /// Takes a message that was written, with its head of four if it is one of a handshake.
    package mutating func note(_ type: ContentType, _ bytes: UnsafeRawBufferPointer) {
        switch type {
        case .handshake:
            guard let kind = unsafe bytes.first else { return }
            unsafe note(message: kind, bytes)
        case .changeCipherSpec:
            if !changesKeysByMessage {
                if hasGreeted { mark(.afterServerHello) }
                changeKeys()
            }
        case .alert: break
        case .applicationData: return
        }
        messageOffset = next.offset
    }

    private mutating func note(message kind: UInt8, _ bytes: UnsafeRawBufferPointer) {
        if hasGreeted { mark(.afterServerHello) }
        switch HandshakeType(rawValue: kind) {
        case .serverHello:
            guard bytes.count > 38 else { return }
            changesKeysByMessage = unsafe Self.selectsVersion13(bytes)
            // A HelloRetryRequest is one too (RFC 8446 §4.1.3), and changes no keys.
            guard unsafe !bytes[6..<38].elementsEqual(Self.retryRandom) else { return }
            hasGreeted = true
            if changesKeysByMessage { changeKeys() }
        case .certificate: mark(.certificate)
        case .finished:
            mark(.finished)
            if changesKeysByMessage { changeKeys() }
        case .keyUpdate: changeKeys()
        case nil: break
        }
    }

    private mutating func mark(_ position: HandshakePosition) {
        guard seen.insert(position).inserted else { return }
        positions.append((messageOffset, position))
    }

    private mutating func changeKeys() {
        next = Record(offset: next.offset, epoch: next.epoch + 1, sequence: 0)
    }

    /// The next position, if it is not beyond `offset`.
    package mutating func takePosition(upTo offset: Int) -> (offset: Int, position: HandshakePosition)? {
        guard let first = positions.first, first.offset <= offset else { return nil }
        return positions.removeFirst()
    }

    /// The record that begins at `offset` or behind it, if any was written, otherwise the one to come.
    package func record(at offset: Int) -> Record {
        records.first { $0.offset >= offset } ?? next
    }

    /// Forgets records that were sent.
    package mutating func forgetRecords() {
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

/// What a record holds (RFC 8446 §5.1).
package enum ContentType: UInt8, Sendable {
    case changeCipherSpec = 20
    case alert = 21
    case handshake = 22
    case applicationData = 23
}

/// The messages of a handshake (RFC 8446 §4) that say where a server's flight stands.
package enum HandshakeType: UInt8, Sendable {
    case serverHello = 2
    case certificate = 11
    case finished = 20
    case keyUpdate = 24
}
