import ProctorHTTP
import ProctorHTTP2

/// Field sections as our encoder writes them, between `; `: `[a=b|!secret=c]`; `table N` allows a size, `settings` and
/// words as in a frame follow the peer.
///
/// A decoder must read each block as it was, and ends that rest now and then must write and read the same bytes.
struct EncoderLines {
    private let encoders: [HeaderEncoder]
    private let decoders: [HeaderDecoder]
    /// After how many steps the end with the same index rests; the first never does.
    private let intervals = [0, 1, 2, 3, 5]
    private var lines: [String] = []

    static func read(_ input: [UInt8]) throws -> [String] {
        var reading = EncoderLines()
        for (index, step) in input.steps.enumerated() { try reading.take(step, index) }
        return reading.lines
    }

    private init() {
        encoders = intervals.compactMap { _ in HeaderEncoder() }
        decoders = intervals.compactMap { _ in HeaderDecoder() }
    }

    private mutating func take(_ step: [UInt8], _ number: Int) throws {
        for (end, interval) in intervals.enumerated() where interval > 0 && number.isMultiple(of: interval) {
            for _ in 0..<2 { encoders[end].rest() }
            decoders[end].rest()
        }
        if step.starts(with: Array("table ".utf8)) {
            let size = UInt32(String(decoding: step.dropFirst(6), as: UTF8.self)) ?? 0
            for encoder in encoders { encoder.allowTable(ofByteCount: size) }
            for decoder in decoders { decoder.allowTable(ofByteCount: size) }
        } else if step.starts(with: Array("settings ".utf8)) {
            let frame = try FrameText.frame(Array("SETTINGS ".utf8) + step.dropFirst(9))
            guard case .settings(let settings)? = ReadFrame(sent: frame, at: 0).content else { return }
            for encoder in encoders { encoder.follow(settings) }
            for case let setting in settings where setting.identifier == .headerTableSize {
                for decoder in decoders { decoder.allowTable(ofByteCount: setting.value) }
            }
        } else {
            try encode(Self.fields(step))
        }
    }

    private mutating func encode(_ fields: [HeaderField]) throws {
        let blocks = encoders.map { $0.encode(fields) }
        guard let block = blocks[0] else { throw TextError("no memory") }
        lines.append(
            "\(block.bytes.count) bytes: " + block.items.map { FieldBlockLines.item($0.kind) }.joined(separator: ", "))
        for (index, other) in blocks.enumerated() where other != block {
            lines.append("an encoder that rests every \(intervals[index]) steps writes something else")
        }
        if try RepresentationReader.items(of: block.bytes) != block.items {
            lines.append("its items are read otherwise")
        }
        for (index, decoder) in decoders.enumerated() where try decoder.decode(block.bytes).fields != fields {
            lines.append("a decoder that rests every \(intervals[index]) steps reads something else")
        }
    }

    static func fields(_ text: [UInt8]) -> [HeaderField] {
        text.dropFirst().dropLast().split(separator: UInt8(ascii: "|")).map { field in
            let parts = field.split(separator: UInt8(ascii: "="), maxSplits: 1, omittingEmptySubsequences: false)
            let isSecret = parts[0].first == UInt8(ascii: "!")
            return HeaderField(
                Array(isSecret ? parts[0].dropFirst() : parts[0]), parts.count > 1 ? Array(parts[1]) : [],
                isNeverIndexed: isSecret)
        }
    }
}

/// Whether nghttp2 reads our Huffman code of each byte, alone and between others.
enum HuffmanLines {
    static func read(_ input: [UInt8]) throws -> [String] {
        var wrong: [String] = []
        for byte in input {
            for text in [[byte], [byte, 0x61, byte], [0x30, byte]] as [[UInt8]] {
                var block = RawBlock()
                block.literal(.without, name: [0x78], value: text, isHuffman: true)
                guard let decoder = HeaderDecoder() else { throw TextError("no memory") }
                if try decoder.decode(block.bytes).fields != [HeaderField([0x78], text)] {
                    wrong.append("\(text.hexadecimal) is read otherwise")
                }
            }
        }
        return wrong.isEmpty ? ["\(input.count) bytes are read as they were"] : wrong
    }
}
