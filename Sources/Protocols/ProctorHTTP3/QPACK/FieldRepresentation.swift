/// How one field of a section is encoded (RFC 9204 §4.5.2 to §4.5.6), or how one is written, lawful or not.
package enum FieldRepresentation: Sendable, Equatable {
    /// A field of the static table, or of the dynamic one relative to the Base.
    case indexed(Reference)
    /// A literal field whose name stands in a table.
    case named(Reference, value: [UInt8], isNeverIndexed: Bool)
    case literal(name: [UInt8], value: [UInt8], isNeverIndexed: Bool)

    package enum Reference: Sendable, Equatable {
        case ofStatic(Int)
        /// Counted down from the Base: 0 is the field before it.
        case relative(Int)
        /// Counted up from the Base.
        case postBase(Int)
    }
}

/// The beginning of a field section as it is written (RFC 9204 §4.5.1).
package struct SectionPrefix: Sendable, Equatable {
    /// The Required Insert Count modulo twice the most fields of the table, plus 1; or 0.
    package var encodedInsertCount: Int
    /// Whether the Base is below the Required Insert Count.
    package var isNegative: Bool
    package var deltaBase: Int

    package init(encodedInsertCount: Int = 0, isNegative: Bool = false, deltaBase: Int = 0) {
        (self.encodedInsertCount, self.isNegative, self.deltaBase) = (encodedInsertCount, isNegative, deltaBase)
    }

    /// The bytes that an encoder writes for a count and a Base, with a table of so many fields at most.
    init(insertCount: Int, base: Int, mostFields: Int) {
        let isUsed = insertCount > 0 && mostFields > 0
        encodedInsertCount = isUsed ? insertCount % (2 * mostFields) + 1 : 0
        isNegative = base < insertCount
        deltaBase = isNegative ? insertCount - base - 1 : base - insertCount
    }

    /// The Required Insert Count (§4.5.1.1); nil if no encoder can have written it.
    func insertCount(after inserted: Int, mostFields: Int) -> Int? {
        guard encodedInsertCount > 0 else { return 0 }
        let range = 2 * mostFields
        guard encodedInsertCount <= range else { return nil }
        let largest = inserted + mostFields
        var count = largest / range * range + encodedInsertCount - 1
        if count > largest {
            guard count > range else { return nil }
            count -= range
        }
        return count == 0 ? nil : count
    }

    /// The Base (§4.5.1.2); nil if it is below 0.
    func base(insertCount: Int) -> Int? {
        if isNegative { return insertCount > deltaBase ? insertCount - deltaBase - 1 : nil }
        let (base, overflows) = insertCount.addingReportingOverflow(deltaBase)
        return overflows ? nil : base
    }
}
