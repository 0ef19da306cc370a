internal import ProctorBase

/// A name of DNS, compared without regard to the case of ASCII letters (RFC 4343).
package struct DNSName: Sendable, Hashable, CustomStringConvertible {
    /// As they were written, from the leftmost one; none for the root.
    package let labels: [[UInt8]]

    /// The most bytes of a label (RFC 1035 §2.3.4).
    package static let mostLabelBytes = 63
    /// The most bytes of a name with its length bytes and the root's (RFC 1035 §2.3.4).
    package static let mostBytes = 255

    package static let root = DNSName(labels: [])

    /// For labels that were read within the bounds.
    init(labels: [[UInt8]]) { self.labels = labels }

    /// Reads a name of ASCII letters, digits, `-` and `_`, with or without a point at its end; `.` is the root.
    ///
    /// nil where a label is empty or has more than 63 bytes, and where the name has more than 255.
    package init?(_ text: String) {
        if text == "." {
            self = .root
            return
        }
        let trimmed = text.hasSuffix(".") ? text.dropLast() : text[...]
        var labels: [[UInt8]] = []
        for part in trimmed.split(separator: ".", omittingEmptySubsequences: false) {
            let label = Array(part.utf8)
            guard 1...Self.mostLabelBytes ~= label.count, label.allSatisfy(Self.isPlain) else { return nil }
            labels.append(label)
        }
        self.labels = labels
        guard byteCount <= Self.mostBytes else { return nil }
    }

    private static func isPlain(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
            UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "-"), UInt8(ascii: "_"):
            true
        default: false
        }
    }

    /// The bytes of the name where it is not compressed.
    package var byteCount: Int { labels.reduce(1) { $0 + $1.count + 1 } }

    /// The labels with points between them, or `.` for the root.
    ///
    /// Other bytes than letters, digits, `-` and `_` stand as `\DDD`.
    package var description: String {
        guard !labels.isEmpty else { return "." }
        return labels.map { label in label.map(Self.shown).joined() }.joined(separator: ".")
    }

    private static func shown(_ byte: UInt8) -> String {
        guard !isPlain(byte) else { return String(UnicodeScalar(byte)) }
        let digits = String(byte)
        return "\\" + String(repeating: "0", count: 3 - digits.count) + digits
    }

    /// The labels in lower case, by which names are compared.
    package var folded: [[UInt8]] { labels.map { $0.map(\.asciiLowercased) } }

    package static func == (one: DNSName, other: DNSName) -> Bool { one.folded == other.folded }

    package func hash(into hasher: inout Hasher) { hasher.combine(folded) }
}
