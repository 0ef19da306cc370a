internal import ProctorBase
package import ProctorTrace

/// What was said and what was brought, in few bytes, so that a grader can hold it against what the server sent.
extension EventFacts {
    /// Bytes of header fields that are written down at most; longer ones are left out, all of them.
    private static let fieldByteLimit = 8 << 10

    /// `bytes` and `crc32` of a chunk, or of a whole body.
    package static func content(of bytes: some Collection<UInt8>) -> EventFacts {
        [EventFact(.bytes, .integer(bytes.count)), EventFact(.crc32, .integer(Int(CRC32.of(bytes))))]
    }

    /// Header fields as lines `name: value`, in the order in which they are given.
    ///
    /// Nothing where there are none, where they are too long, and where a value has a line end in it.
    package mutating func add(_ key: FactKey, fields: some Sequence<(name: String, value: String)>) {
        let lines = fields.map { "\($0.name): \($0.value)" }
        guard !lines.isEmpty, lines.reduce(0, { $0 + $1.utf8.count + 1 }) <= Self.fieldByteLimit,
            !lines.contains(where: { $0.utf8.contains(UInt8(ascii: "\n")) })
        else { return }
        add(key, lines.joined(separator: "\n"))
    }
}
