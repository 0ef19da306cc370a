internal import ProctorBase
internal import ProctorHTTP
internal import ProctorQUICWire

/// What an encoder tells the decoder on a stream of its own (RFC 9204 §4.3).
package enum EncoderInstruction: Sendable, Equatable {
    case setCapacity(Int)
    /// A name of a table, where the dynamic one counts down from the newest field, with a new value.
    case insertNamed(isStatic: Bool, index: Int, value: [UInt8])
    case insert(name: [UInt8], value: [UInt8])
    case duplicate(Int)

    package func write(to bytes: inout [UInt8]) {
        switch self {
        case .setCapacity(let capacity): PrefixedInteger.append(capacity, prefix: 5, first: 0x20, to: &bytes)
        case .insertNamed(let isStatic, let index, let value):
            PrefixedInteger.append(index, prefix: 6, first: isStatic ? 0xC0 : 0x80, to: &bytes)
            PrefixedInteger.append(string: value, prefix: 7, first: 0, to: &bytes)
        case .insert(let name, let value):
            PrefixedInteger.append(string: name, prefix: 5, first: 0x40, to: &bytes)
            PrefixedInteger.append(string: value, prefix: 7, first: 0, to: &bytes)
        case .duplicate(let index): PrefixedInteger.append(index, prefix: 5, first: 0, to: &bytes)
        }
    }

    /// Strings that are longer than `bound` bytes fit into no table, and are refused before they have come.
    static func read(_ reader: inout CodedReader, bound: Int) throws(CodedReader.Failure) -> EncoderInstruction {
        guard reader.position < reader.bytes.count else { throw .truncated }
        let first = reader.bytes[reader.position]
        switch first {
        case 0x80...:
            let index = try reader.integer(prefix: 6)
            return .insertNamed(
                isStatic: first & 0x40 != 0, index: index, value: try reader.string(prefix: 7, atMost: bound))
        case 0x40...:
            let name = try reader.string(prefix: 5, atMost: bound)
            return .insert(name: name, value: try reader.string(prefix: 7, atMost: bound))
        case 0x20...: return .setCapacity(try reader.integer(prefix: 5))
        default: return .duplicate(try reader.integer(prefix: 5))
        }
    }
}

/// What a decoder tells the encoder on a stream of its own (RFC 9204 §4.4).
package enum DecoderInstruction: Sendable, Equatable {
    case acknowledgeSection(stream: UInt64)
    case cancelStream(UInt64)
    case increment(Int)

    package func write(to bytes: inout [UInt8]) {
        switch self {
        case .acknowledgeSection(let stream):
            PrefixedInteger.append(Int(stream & VariableInteger.largest), prefix: 7, first: 0x80, to: &bytes)
        case .cancelStream(let stream):
            PrefixedInteger.append(Int(stream & VariableInteger.largest), prefix: 6, first: 0x40, to: &bytes)
        case .increment(let count): PrefixedInteger.append(count, prefix: 6, first: 0, to: &bytes)
        }
    }

    static func read(_ reader: inout CodedReader) throws(CodedReader.Failure) -> DecoderInstruction {
        guard reader.position < reader.bytes.count else { throw .truncated }
        switch reader.bytes[reader.position] {
        case 0x80...: return .acknowledgeSection(stream: UInt64(try reader.integer(prefix: 7)))
        case 0x40...: return .cancelStream(UInt64(try reader.integer(prefix: 6)))
        default: return .increment(try reader.integer(prefix: 6))
        }
    }
}

/// Instructions of a stream, from bytes in pieces; an incomplete one waits for its rest.
struct InstructionInput: Sendable, Equatable {
    private var bytes: [UInt8] = []
    private var position = 0

    mutating func append(_ more: borrowing Span<UInt8>) { bytes.append(more.extracting(0..<more.count)) }

    /// The next complete instruction, read by `read`; the offset of an error is within the instruction.
    mutating func next<Instruction>(
        _ read: (inout CodedReader) throws(CodedReader.Failure) -> Instruction
    ) throws(QPACKError) -> Instruction? {
        var reader = CodedReader(bytes: bytes, position: position)
        do throws(CodedReader.Failure) {
            let instruction = try read(&reader)
            position = reader.position
            return instruction
        } catch {
            let offset = reader.position - position
            switch error {
            case .truncated:
                bytes.removeFirst(position)
                position = 0
                return nil
            case .integerTooLarge: throw QPACKError(reason: .instructionInteger, offset: offset)
            case .huffman: throw QPACKError(reason: .instructionHuffman, offset: offset)
            case .stringTooLong: throw QPACKError(reason: .fieldTooLarge, offset: offset)
            }
        }
    }
}
