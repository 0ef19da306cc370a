internal import ProctorBase
package import ProctorHTTP

/// Encodes the field sections that we send on one connection (RFC 9204 §2.1).
///
/// A section uses only what the decoder has acknowledged, so that it never waits; what it would have liked to use is
/// inserted for later ones.
package struct QPACKEncoder: Sendable, Equatable {
    /// The largest table that is used, whatever the peer permits, in bytes.
    package static let largestCapacity = 4_096
    /// Streams with sections that are not acknowledged; with more of them, sections use no table.
    private static let mostUnacknowledged = 256

    private var table = DynamicTable()
    /// The peer's SETTINGS_QPACK_MAX_TABLE_CAPACITY, by which insert counts are written, in fields.
    private var mostFields = 0
    private var input = InstructionInput()
    /// The insertions that the decoder has acknowledged.
    private var knownInsertCount = 0
    /// Sections that use the table and are not acknowledged, by stream.
    private var unacknowledged = StreamTable<UInt64, Uses>()
    /// The last section that inserted nothing, since most replies are written like the one before.
    private var last: Known?

    /// A section that is encoded so again as long as both tables stay as they are.
    private struct Known: Sendable, Equatable {
        let fields: [HeaderField]
        let insertCount: Int
        let knownInsertCount: Int
        let use: Use?
        let section: [UInt8]
    }

    /// Whether the owner has sent instructions or sections of its own, of which this encoder knows nothing: what acknowledges them
    /// is no error.
    package var hasOthers = false

    private struct Use: Sendable, Equatable {
        let insertCount: Int
        /// The lowest absolute index that the section uses, which must not be evicted.
        let lowest: Int
    }

    /// The sections of a stream, the oldest first.
    private struct Uses: Sendable, Equatable {
        var first: Use
        /// A stream has more sections where trailers or interim responses are sent.
        var rest: [Use] = []
    }

    /// A section, and what must be sent on the encoder stream before or after it.
    package struct Encoded: Sendable, Equatable {
        package let section: [UInt8]
        package let instructions: [UInt8]
    }

    package init() {}

    /// The peer's parameters; returns what must be sent on the encoder stream.
    package mutating func follow(_ settings: HTTP3Settings) -> [UInt8] {
        let capacity = Int(min(settings.maxTableCapacity, UInt64(Self.largestCapacity)))
        mostFields = Int(min(settings.maxTableCapacity / 32, 1 << 40))
        last = nil
        guard capacity > 0, table.capacity == 0 else { return [] }
        table.setCapacity(capacity)
        var bytes: [UInt8] = []
        EncoderInstruction.setCapacity(capacity).write(to: &bytes)
        return bytes
    }

    package mutating func encode(_ fields: [HeaderField], on stream: UInt64) -> Encoded {
        // Arrays of one buffer are equal at once.
        if let last, last.insertCount == table.insertCount, last.knownInsertCount == knownInsertCount,
            last.use == nil || unacknowledged.count < Self.mostUnacknowledged, last.fields == fields
        {
            if let use = last.use { remember(use, on: stream) }
            return Encoded(section: last.section, instructions: [])
        }
        var lines: [FieldRepresentation] = []
        var instructions: [UInt8] = []
        var used: ClosedRange<Int>?
        var isFinal = true
        let base = knownInsertCount
        for field in fields {
            let inStatic = StaticTable.find(field)
            if let inStatic, inStatic.isWhole, !field.isNeverIndexed {
                lines.append(.indexed(.ofStatic(inStatic.index)))
            } else if !field.isNeverIndexed, let index = known(field) {
                lines.append(.indexed(.relative(base - 1 - index)))
                used = min(index, used?.lowerBound ?? index)...max(index, used?.upperBound ?? index)
            } else {
                lines.append(
                    inStatic.map {
                        .named(.ofStatic($0.index), value: field.value, isNeverIndexed: field.isNeverIndexed)
                    }
                        ?? .literal(name: field.name, value: field.value, isNeverIndexed: field.isNeverIndexed))
                if !insert(field, inStatic?.index, keeping: used?.lowerBound, &instructions) { isFinal = false }
            }
        }
        let insertCount = used.map { $0.upperBound + 1 } ?? 0
        let use = used.map { Use(insertCount: insertCount, lowest: $0.lowerBound) }
        if let use { remember(use, on: stream) }
        var section = RawSection(
            used == nil
                ? SectionPrefix() : SectionPrefix(insertCount: insertCount, base: base, mostFields: mostFields))
        for line in lines { section.append(line) }
        if isFinal, instructions.isEmpty {
            last = Known(
                fields: fields, insertCount: table.insertCount, knownInsertCount: knownInsertCount, use: use,
                section: section.bytes)
        }
        return Encoded(section: section.bytes, instructions: instructions)
    }

    private mutating func remember(_ use: Use, on stream: UInt64) {
        if unacknowledged.change(stream, { $0.rest.append(use) }) == nil { unacknowledged[stream] = Uses(first: use) }
    }

    /// The absolute index of the field, if the decoder is known to have it.
    private func known(_ field: HeaderField) -> Int? {
        // A decoder that never acknowledges sections must not make us remember them all.
        guard unacknowledged.count < Self.mostUnacknowledged else { return nil }
        return (table.oldest..<max(table.oldest, knownInsertCount)).last { table[absolute: $0] == field }
    }

    /// Inserts a field that is worth it: it is no secret, takes a fourth of the table at most, is not there yet, and
    /// evicts nothing that a section may still use (RFC 9204 §2.1.1).
    ///
    /// Returns false where it may be inserted later.
    private mutating func insert(
        _ field: HeaderField, _ name: Int?, keeping lowest: Int?, _ instructions: inout [UInt8]
    ) -> Bool {
        guard !field.isNeverIndexed, field.size <= table.capacity / 4,
            !(table.oldest..<table.insertCount).contains(where: { table[absolute: $0] == field })
        else { return true }
        let needed = unacknowledged.values.reduce(Int.max) { least, uses in
            uses.rest.reduce(min(least, uses.first.lowest)) { min($0, $1.lowest) }
        }
        let bound = min(needed, lowest ?? .max, knownInsertCount)
        guard table.oldest + table.evictions(for: field.size) <= bound else { return false }
        if let name {
            EncoderInstruction.insertNamed(isStatic: true, index: name, value: field.value).write(to: &instructions)
        } else {
            EncoderInstruction.insert(name: field.name, value: field.value).write(to: &instructions)
        }
        return table.insert(field)
    }

    /// Reads bytes of the peer's decoder stream.
    package mutating func receiveInstructions(_ bytes: borrowing Span<UInt8>) throws(QPACKError) {
        input.append(bytes)
        while let next = try input.next({ reader throws(CodedReader.Failure) in try DecoderInstruction.read(&reader) })
        {
            try apply(next)
        }
    }

    private mutating func apply(_ instruction: DecoderInstruction) throws(QPACKError) {
        switch instruction {
        case .acknowledgeSection(let stream):
            guard var uses = unacknowledged.remove(stream) else {
                if hasOthers { return }
                throw QPACKError(reason: .acknowledgedNothing, offset: 0)
            }
            knownInsertCount = max(knownInsertCount, uses.first.insertCount)
            guard !uses.rest.isEmpty else { return }
            uses.first = uses.rest.removeFirst()
            unacknowledged[stream] = uses
        case .cancelStream(let stream): unacknowledged[stream] = nil
        case .increment(let count):
            guard count > 0 else { throw QPACKError(reason: .incrementZero, offset: 0) }
            guard count <= table.insertCount - knownInsertCount else {
                if hasOthers { return }
                throw QPACKError(reason: .incrementTooLarge, offset: 0)
            }
            knownInsertCount += count
        }
    }
}
