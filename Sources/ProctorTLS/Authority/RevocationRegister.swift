/// Which certificates an authority has handed out in this process, and what became of them.
struct RevocationRegister {
    /// What is kept of one.
    struct Entry: Equatable {
        let isRevoked: Bool
        /// Seconds since 1970.
        let since: Int64
    }

    private var entries: [[UInt8]: Entry] = [:]
    /// Oldest first.
    private var order: [[UInt8]] = []
    /// More are forgotten, the oldest first.
    static let limit = 4_096

    subscript(serial: [UInt8]) -> Entry? { entries[serial] }

    mutating func note(_ serial: [UInt8], isRevoked: Bool, since: Int64) {
        let serial = Array(serial.drop { $0 == 0 })
        if entries.updateValue(Entry(isRevoked: isRevoked, since: since), forKey: serial) == nil {
            order.append(serial)
        }
        while order.count > Self.limit { entries[order.removeFirst()] = nil }
    }

    /// In the order in which they were minted.
    var revoked: [(serial: [UInt8], since: Int64)] {
        order.compactMap { serial in
            entries[serial].flatMap { $0.isRevoked ? (serial, $0.since) : nil }
        }
    }
}
