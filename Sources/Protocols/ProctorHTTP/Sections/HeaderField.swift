/// A field of a field section, or a pseudo-header field (RFC 9113 §8.2, §8.3).
package struct HeaderField: Sendable, Equatable {
    package var name: [UInt8]
    package var value: [UInt8]
    /// Whether intermediaries must not add the field to a table (RFC 7541 §7.1.3).
    package var isNeverIndexed: Bool

    package init(_ name: [UInt8], _ value: [UInt8], isNeverIndexed: Bool = false) {
        (self.name, self.value, self.isNeverIndexed) = (name, value, isNeverIndexed)
    }

    package init(_ name: String, _ value: String, isNeverIndexed: Bool = false) {
        self.init(Array(name.utf8), Array(value.utf8), isNeverIndexed: isNeverIndexed)
    }

    /// Whether the name begins with a colon.
    package var isPseudo: Bool { name.first == UInt8(ascii: ":") }

    /// The size of the field in a table and in a list, in bytes (RFC 7541 §4.1, RFC 9113 §6.5.2).
    package var size: Int { name.count + value.count + 32 }
}
