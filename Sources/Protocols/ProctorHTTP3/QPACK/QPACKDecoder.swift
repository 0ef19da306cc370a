package import ProctorHTTP

/// Decodes the field sections that one end of a connection sends (RFC 9204 §2.2).
package struct QPACKDecoder: Sendable, Equatable {
    /// What our SETTINGS_QPACK_MAX_TABLE_CAPACITY and SETTINGS_QPACK_BLOCKED_STREAMS permit.
    private let maximumCapacity: Int
    private let maximumBlocked: Int
    private var table = DynamicTable()
    private var input = InstructionInput()
    private var blocked: Set<UInt64> = []
    /// The insertions that the encoder knows we have.
    private var toldInsertCount = 0
    /// Instructions for the encoder that were not fetched yet.
    private var instructions: [UInt8] = []
    /// The last section, since most requests of a client are written like the one before.
    private var last: Known?

    /// A section that means the same again as long as the table stays as it is.
    private struct Known: Sendable, Equatable {
        let bytes: [UInt8]
        let limits: FieldSectionLimits
        let tableInsertCount: Int
        let tableCapacity: Int
        let section: Section
    }

    /// A field section and how it was encoded.
    package struct Section: Sendable, Equatable {
        /// The fields within the limits.
        package fileprivate(set) var fields: [HeaderField] = []
        package fileprivate(set) var lines: [FieldRepresentation] = []
        package let prefix: SectionPrefix
        package let insertCount: Int
        /// The insertions that the section really uses.
        package fileprivate(set) var usedInsertCount = 0
        /// The sum of ``HeaderField/size`` of all fields.
        package fileprivate(set) var listByteCount = 0
        package fileprivate(set) var fieldCount = 0
        /// Whether fields beyond the limits were left out.
        package var isCut: Bool { fieldCount > fields.count }
    }

    package enum Outcome: Sendable, Equatable {
        case section(Section)
        /// The section waits until so many fields were inserted.
        case blocked(insertCount: Int)
    }

    package init(maximumCapacity: Int = 0, maximumBlocked: Int = 0) {
        (self.maximumCapacity, self.maximumBlocked) = (maximumCapacity, maximumBlocked)
    }

    /// The number of insertions so far; a blocked section whose count is no higher can be decoded.
    package var insertCount: Int { table.insertCount }

    /// The number of streams whose sections wait.
    package var blockedCount: Int { blocked.count }

    /// Keeps bytes of the encoder stream for ``applyInstruction()``.
    package mutating func receiveInstructions(_ bytes: borrowing Span<UInt8>) { input.append(bytes) }

    /// Applies the next instruction; false if none is complete.
    ///
    /// Sections that waited for it are decoded before the next one, which may evict what they use.
    package mutating func applyInstruction() throws(QPACKError) -> Bool {
        // A name or a value that is longer fits into no table.
        let bound = maximumCapacity
        let next = try input.next { reader throws(CodedReader.Failure) in
            try EncoderInstruction.read(&reader, bound: bound)
        }
        guard let next else { return false }
        try apply(next)
        return true
    }

    private mutating func apply(_ instruction: EncoderInstruction) throws(QPACKError) {
        let field: HeaderField?
        switch instruction {
        case .setCapacity(let capacity):
            guard capacity <= maximumCapacity else { throw QPACKError(reason: .capacityTooLarge, offset: 0) }
            return table.setCapacity(capacity)
        case .insert(let name, let value): field = HeaderField(name, value)
        case .insertNamed(let isStatic, let index, let value):
            field = (isStatic ? StaticTable[index] : newest(index)).map { HeaderField($0.name, value) }
        case .duplicate(let index): field = newest(index)
        }
        guard let field else { throw QPACKError(reason: .nameIndexTooLarge, offset: 0) }
        guard table.insert(field) else { throw QPACKError(reason: .fieldTooLarge, offset: 0) }
    }

    /// The field of an index that counts down from the newest one (RFC 9204 §3.2.5).
    private func newest(_ index: Int) -> HeaderField? {
        index < table.insertCount ? table[absolute: table.insertCount - 1 - index] : nil
    }

    /// Decodes a complete section of a stream, whose sections must come in their order.
    package mutating func decode(
        _ bytes: [UInt8], on stream: UInt64, _ limits: FieldSectionLimits = FieldSectionLimits()
    ) throws(QPACKError) -> Outcome {
        if let last, last.tableInsertCount == table.insertCount, last.tableCapacity == table.capacity,
            last.limits == limits, last.bytes == bytes
        {
            acknowledge(last.section, on: stream)
            return .section(last.section)
        }
        var reading = SectionReading(reader: CodedReader(bytes: bytes, position: 0), table: table)
        let prefix = try reading.prefix()
        guard let insertCount = prefix.insertCount(after: table.insertCount, mostFields: maximumCapacity / 32) else {
            throw QPACKError(reason: .badInsertCount, offset: 0)
        }
        guard let base = prefix.base(insertCount: insertCount) else { throw QPACKError(reason: .badBase, offset: 1) }
        guard insertCount <= table.insertCount else {
            guard blocked.contains(stream) || blocked.count < maximumBlocked else {
                throw QPACKError(reason: .tooManyBlocked, offset: 0)
            }
            blocked.insert(stream)
            return .blocked(insertCount: insertCount)
        }
        var section = Section(prefix: prefix, insertCount: insertCount)
        (reading.base, reading.insertCount) = (base, insertCount)
        while let (line, field) = try reading.next() {
            section.lines.append(line)
            section.append(field, limits)
        }
        section.usedInsertCount = reading.usedInsertCount
        acknowledge(section, on: stream)
        last = Known(
            bytes: bytes, limits: limits, tableInsertCount: table.insertCount, tableCapacity: table.capacity,
            section: section)
        return .section(section)
    }

    private mutating func acknowledge(_ section: Section, on stream: UInt64) {
        if !blocked.isEmpty { blocked.remove(stream) }
        guard section.insertCount > 0 else { return }
        DecoderInstruction.acknowledgeSection(stream: stream).write(to: &instructions)
        toldInsertCount = max(toldInsertCount, section.insertCount)
    }

    /// Forgets a stream that is reset, or that is no longer read (RFC 9204 §2.2.2.2).
    package mutating func cancel(_ stream: UInt64) {
        blocked.remove(stream)
        guard maximumCapacity > 0 else { return }
        DecoderInstruction.cancelStream(stream).write(to: &instructions)
    }

    /// What is to be sent on our decoder stream now; insertions that no section told are acknowledged at its end.
    package mutating func takeInstructions() -> [UInt8] {
        if table.insertCount > toldInsertCount {
            DecoderInstruction.increment(table.insertCount - toldInsertCount).write(to: &instructions)
            toldInsertCount = table.insertCount
        }
        guard !instructions.isEmpty else { return [] }
        defer { instructions = [] }
        return instructions
    }
}

extension QPACKDecoder.Section {
    fileprivate mutating func append(_ field: HeaderField, _ limits: FieldSectionLimits) {
        fieldCount += 1
        listByteCount += field.size
        guard fields.count + 1 == fieldCount, listByteCount <= limits.listByteCount, fieldCount <= limits.fieldCount
        else { return }
        fields.append(field)
    }
}
