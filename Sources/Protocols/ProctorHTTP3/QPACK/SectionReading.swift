internal import ProctorHTTP

/// Reads the field lines of one section (RFC 9204 §4.5).
struct SectionReading {
    var reader: CodedReader
    let table: DynamicTable
    var base = 0
    var insertCount = 0
    /// One more than the highest absolute index so far.
    private(set) var usedInsertCount = 0

    init(reader: CodedReader, table: DynamicTable) {
        (self.reader, self.table) = (reader, table)
    }

    mutating func prefix() throws(QPACKError) -> SectionPrefix {
        try coded { reader throws(CodedReader.Failure) in
            let count = try reader.integer(prefix: 8)
            guard reader.position < reader.bytes.count else { throw .truncated }
            let isNegative = reader.bytes[reader.position] & 0x80 != 0
            let delta = try reader.integer(prefix: 7)
            return SectionPrefix(encodedInsertCount: count, isNegative: isNegative, deltaBase: delta)
        }
    }

    /// The next field; nil at the end of the section.
    mutating func next() throws(QPACKError) -> (FieldRepresentation, HeaderField)? {
        let start = reader.position
        guard start < reader.bytes.count else { return nil }
        let line = try coded { reader throws(CodedReader.Failure) in try Self.line(&reader) }
        switch line {
        case .indexed(let reference): return (line, try field(reference, at: start))
        case .named(let reference, let value, let isNever):
            return (line, HeaderField(try field(reference, at: start).name, value, isNeverIndexed: isNever))
        case .literal(let name, let value, let isNever):
            return (line, HeaderField(name, value, isNeverIndexed: isNever))
        }
    }

    private static func line(_ reader: inout CodedReader) throws(CodedReader.Failure) -> FieldRepresentation {
        let first = reader.bytes[reader.position]
        switch first {
        case 0x80...:
            let index = try reader.integer(prefix: 6)
            return .indexed(first & 0x40 != 0 ? .ofStatic(index) : .relative(index))
        case 0x40...:
            let index = try reader.integer(prefix: 4)
            return .named(
                first & 0x10 != 0 ? .ofStatic(index) : .relative(index), value: try reader.string(prefix: 7),
                isNeverIndexed: first & 0x20 != 0)
        case 0x20...:
            let name = try reader.string(prefix: 3)
            return .literal(name: name, value: try reader.string(prefix: 7), isNeverIndexed: first & 0x10 != 0)
        case 0x10...: return .indexed(.postBase(try reader.integer(prefix: 4)))
        default:
            let index = try reader.integer(prefix: 3)
            return .named(.postBase(index), value: try reader.string(prefix: 7), isNeverIndexed: first & 0x08 != 0)
        }
    }

    private mutating func field(_ reference: FieldRepresentation.Reference, at start: Int) throws(QPACKError)
        -> HeaderField
    {
        let absolute: Int
        switch reference {
        case .ofStatic(let index):
            guard let field = StaticTable[index] else { throw QPACKError(reason: .staticIndexTooLarge, offset: start) }
            return field
        case .relative(let index):
            guard index < base else { throw QPACKError(reason: .indexTooLarge, offset: start) }
            absolute = base - 1 - index
        case .postBase(let index):
            let (sum, overflows) = base.addingReportingOverflow(index)
            absolute = overflows ? .max : sum
        }
        guard absolute < insertCount else { throw QPACKError(reason: .indexTooLarge, offset: start) }
        guard let field = table[absolute: absolute] else { throw QPACKError(reason: .indexEvicted, offset: start) }
        usedInsertCount = max(usedInsertCount, absolute + 1)
        return field
    }

    private mutating func coded<Value>(
        _ read: (inout CodedReader) throws(CodedReader.Failure) -> Value
    ) throws(QPACKError) -> Value {
        let start = reader.position
        do throws(CodedReader.Failure) {
            return try read(&reader)
        } catch {
            switch error {
            case .truncated, .stringTooLong: throw QPACKError(reason: .truncated, offset: reader.bytes.count)
            case .integerTooLarge: throw QPACKError(reason: .integerTooLarge, offset: start)
            case .huffman: throw QPACKError(reason: .huffman, offset: start)
            }
        }
    }
}
