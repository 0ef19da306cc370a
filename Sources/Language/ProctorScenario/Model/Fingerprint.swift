package import ProctorDocument

/// Computes a hash (FNV-1a) that shows whether a scenario has changed.
///
/// A class, so that all readers of one file share it; used by one thread.
package final class Fingerprint {
    package private(set) var value: UInt64 = 0xCBF2_9CE4_8422_2325

    package init(of bytes: [UInt8]) {
        mix(bytes)
    }

    /// The hash of values that a program made.
    package init(of node: Node) {
        mix(node)
    }

    private func mix(_ node: Node) {
        switch node.content {
        case .scalar(let text, let style):
            mix(style == .plain ? "p".utf8 : "q".utf8)
            mix(text.utf8)
        case .sequence(let items):
            mix("[".utf8)
            for item in items { mix(item) }
        case .mapping(let entries):
            mix("{".utf8)
            for entry in entries {
                mix(entry.key.utf8)
                mix(entry.value)
            }
        }
        // The end of a value is marked by a byte that UTF-8 never has.
        mix(CollectionOfOne(0xFF))
    }

    /// Adds bytes from outside the file.
    package func mix(_ bytes: some Sequence<UInt8>) {
        value = bytes.reduce(value) { ($0 ^ UInt64($1)) &* 0x0000_0100_0000_01B3 }
    }
}

/// The number of bytes that one file may still generate at loading.
///
/// A class, so that all readers of one file share it; used by one thread.
package final class LiteralBudget {
    package let byteCount: Int
    private var left: Int

    package init(byteCount: Int = 64 << 20) {
        self.byteCount = byteCount
        left = byteCount
    }

    /// Subtracts bytes; false when fewer are left.
    package func spend(_ byteCount: Int) -> Bool {
        guard byteCount <= left else { return false }
        left -= byteCount
        return true
    }
}
