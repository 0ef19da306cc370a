/// The positions of records and messages in a server's handshake bytes.
///
/// The TLS library reports a record header when it writes it, and a message when it has written all its records; each
/// message begins a record. Offsets count from the first byte written.
package struct FlightLabels: Sendable {
    package struct Record: Equatable, Sendable {
        package let offset: Int
        /// The number of key changes: 0 at first, 1 after ChangeCipherSpec or ServerHello.
        package let epoch: Int
        /// The sequence number of the record under these keys.
        package let sequence: UInt64
    }

    /// Positions that were not returned yet, by offset.
    private var positions: [(offset: Int, position: HandshakePosition)] = []
    /// The records of the current flight.
    private var records: [Record] = []
    /// False after the handshake.
    package var keepsRecords = true
    /// The next record that is written.
    package private(set) var next = Record(offset: 0, epoch: 0, sequence: 0)
    /// Whether TLS 1.3 was negotiated, in which ServerHello changes the keys.
    private var changesKeysByMessage = false
    private var messageOffset = 0
    private var hasGreeted = false
    private var seen: Set<HandshakePosition> = []

    package init() {}

    /// Adds the header of a written record.
    package mutating func addRecord(head bytes: UnsafeRawBufferPointer) {
        guard bytes.count >= 5 else { return }
        // TLS 1.3 never encrypts ChangeCipherSpec, so it has no sequence number.
        let isCounted = unsafe bytes[0] != ContentType.changeCipherSpec.rawValue || !changesKeysByMessage
        let record = next
        if records.count < Self.recordLimit, keepsRecords { records.append(record) }
        next = unsafe Record(
            offset: record.offset + 5 + Int(bytes[3]) << 8 + Int(bytes[4]), epoch: record.epoch,
            sequence: isCounted ? record.sequence + 1 : record.sequence)
    }

    /// Adds a written message, with its header of four bytes for a handshake message.
    package mutating func addMessage(_ type: ContentType, _ bytes: UnsafeRawBufferPointer) {
        switch type {
        case .handshake:
            guard let kind = unsafe bytes.first else { return }
            unsafe addHandshakeMessage(kind, bytes)
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

    private mutating func addHandshakeMessage(_ kind: UInt8, _ bytes: UnsafeRawBufferPointer) {
        if hasGreeted { mark(.afterServerHello) }
        switch HandshakeType(rawValue: kind) {
        case .serverHello:
            guard bytes.count > 38 else { return }
            changesKeysByMessage = unsafe Self.selectsVersion13(bytes)
            // A HelloRetryRequest has the same type (RFC 8446 §4.1.3), but changes no keys.
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

    /// Removes and returns the next position up to `offset`.
    package mutating func takePosition(upTo offset: Int) -> (offset: Int, position: HandshakePosition)? {
        guard let first = positions.first, first.offset <= offset else { return nil }
        return positions.removeFirst()
    }

    /// The first record from `offset` on, else the next one that is written.
    package func record(at offset: Int) -> Record {
        records.first { $0.offset >= offset } ?? next
    }

    package mutating func forgetRecords() {
        records.removeAll(keepingCapacity: true)
    }

    /// The most records of a flight; no certificate needs so many.
    private static let recordLimit = 1024

    /// SHA-256 of "HelloRetryRequest".
    private static let retryRandom: [UInt8] = [
        0xCF, 0x21, 0xAD, 0x74, 0xE5, 0x9A, 0x61, 0x11, 0xBE, 0x1D, 0x8C, 0x02, 0x1E, 0x65, 0xB8, 0x91,
        0xC2, 0xA2, 0x11, 0x16, 0x7A, 0xBB, 0x8C, 0x5E, 0x07, 0x9E, 0x09, 0xE2, 0xC8, 0xA8, 0x33, 0x9C,
    ]

    /// Whether a ServerHello has supported_versions, which means TLS 1.3 (RFC 8446 §4.2.1).
    private static func selectsVersion13(_ bytes: UnsafeRawBufferPointer) -> Bool {
        // The header of four bytes, version, random, session identifier, cipher suite, compression method, length of
        // extensions.
        var place = unsafe 38 + 1 + Int(bytes[38]) + 2 + 1 + 2
        while place + 4 <= bytes.count {
            let type = unsafe UInt16(bytes[place]) << 8 | UInt16(bytes[place + 1])
            if type == 43 { return true }
            place += unsafe 4 + Int(bytes[place + 2]) << 8 + Int(bytes[place + 3])
        }
        return false
    }
}

package enum ContentType: UInt8, Sendable {
    case changeCipherSpec = 20
    case alert = 21
    case handshake = 22
    case applicationData = 23
}

/// Handshake messages (RFC 8446 §4) that mark positions of a server's flight.
package enum HandshakeType: UInt8, Sendable {
    case serverHello = 2
    case certificate = 11
    case finished = 20
    case keyUpdate = 24
}

/// A position in a server's handshake, just before the first byte of the named message.
package enum HandshakePosition: String, Sendable, Hashable, CaseIterable {
    /// The ClientHello was read, and nothing has been sent.
    case serverHello = "server-hello"
    /// After ServerHello, and after the ChangeCipherSpec that TLS 1.3 may send for middleboxes.
    case afterServerHello = "after-server-hello"
    /// Before Certificate; a resumption does not have this position.
    case certificate
    /// Before the server's Finished, in its own record.
    case finished
    /// The handshake is complete on the server; no application data was sent.
    case end
}

/// A fault of the next record.
package enum TLSRecordFault: Sendable, Hashable {
    /// The first half of the record is sent, then nothing more.
    case truncated
    case badMAC
}
