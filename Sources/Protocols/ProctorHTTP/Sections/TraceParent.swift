internal import ProctorBase

/// The place of a request in a distributed trace, as its field `traceparent` says it (W3C Trace Context §3.2).
package struct TraceParent: Sendable, Equatable {
    /// 32 hexadecimal digits, small letters, not all 0: the whole trace.
    package let traceID: String
    /// 16 hexadecimal digits, small letters, not all 0: the span of the client that made the request.
    package let parentID: String
    /// Whether the client may have recorded the trace: the lowest bit of the flags.
    package let isSampled: Bool

    private static let name: StaticString = "traceparent"

    /// nil where there is no such field, more than one, or one that the specification forbids.
    package init?(of fields: FieldSection) {
        guard let value = fields.first(named: Self.name), fields.values(named: Self.name).count == 1 else { return nil }
        self.init(value)
    }

    /// Reads a value; of a version beyond 00 what stands behind the flags is unknown, and left out.
    init?(_ value: ArraySlice<UInt8>) {
        let parts = value.split(separator: UInt8(ascii: "-"), maxSplits: 4, omittingEmptySubsequences: false)
        guard parts.count >= 4, let version = Self.digits(parts[0], count: 2), version != "ff",
            parts.count == 4 || version != "00",
            let traceID = Self.digits(parts[1], count: 32), traceID.utf8.contains(where: { $0 != UInt8(ascii: "0") }),
            let parentID = Self.digits(parts[2], count: 16), parentID.utf8.contains(where: { $0 != UInt8(ascii: "0") }),
            let flags = Self.digits(parts[3], count: 2), let bits = UInt8(flags, radix: 16)
        else { return nil }
        (self.traceID, self.parentID) = (traceID, parentID)
        isSampled = bits & 1 == 1
    }

    /// Exactly so many hexadecimal digits without capital letters.
    private static func digits(_ bytes: ArraySlice<UInt8>, count: Int) -> String? {
        let isGood = bytes.count == count && bytes.allSatisfy { $0.isASCIIDigit || (0x61...0x66).contains($0) }
        return isGood ? String(decoding: bytes, as: UTF8.self) : nil
    }
}
