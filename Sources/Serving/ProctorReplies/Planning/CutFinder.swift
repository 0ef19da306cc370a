internal import ProctorBase
internal import ProctorScenario

/// Finds the cuts of a reply that depend on its bytes; each part is given in order, with its offset.
struct CutFinder {
    private let target: Target
    /// Ascending offsets in the whole reply.
    private(set) var offsets: [Int] = []
    private var scannedByteCount = 0

    private enum Target {
        case lineEnds, chunkSizes, characters
    }

    static let mostCuts = 65_535
    /// Bytes of content that are searched for characters.
    private static let scanLimit = 4 << 20

    /// nil for a slicing that does not depend on bytes.
    init?(_ slicing: Slicing?) {
        switch slicing {
        case .midCRLF: target = .lineEnds
        case .midChunkSize: target = .chunkSizes
        case .midUTF8: target = .characters
        case .everyByte, .size, .offsets, .random, .once, nil: return nil
        }
    }

    /// A head, a chunk's line end, or the trailer section.
    mutating func seeLines(_ bytes: some Collection<UInt8>, at offset: Int) {
        guard target == .lineEnds else { return }
        var previous: UInt8 = 0
        for (index, byte) in bytes.enumerated() {
            if previous == 0x0D, byte == 0x0A { add(offset + index) }
            previous = byte
        }
    }

    /// A chunk-size line that begins with so many digits.
    mutating func seeChunkHead(_ bytes: some Collection<UInt8>, digitCount: Int, at offset: Int) {
        switch target {
        case .lineEnds: seeLines(bytes, at: offset)
        case .chunkSizes: add(digitCount > 1 ? offset + digitCount / 2 : offset + bytes.count - 2)
        case .characters: break
        }
    }

    /// A part of the content; a source that can't be read has no character cuts.
    mutating func seeContent(_ range: Range<Int>, of content: ReplyContent, at offset: Int) {
        guard target == .characters, scannedByteCount < Self.scanLimit else { return }
        let end = min(range.upperBound, range.lowerBound + Self.scanLimit - scannedByteCount)
        scannedByteCount += end - range.lowerBound
        var position = offset
        // The bytes of a character at the end of a part may continue in the next part.
        var waitsForRest = false
        for piece in content.pieces(of: range.lowerBound..<end) {
            try? piece.read { bytes in
                for index in bytes.indices {
                    let byte = bytes[index]
                    if waitsForRest, byte & 0xC0 == 0x80 { add(position) }
                    waitsForRest = (0xC2...0xF4).contains(byte)
                    position += 1
                }
            }
        }
        if waitsForRest { add(position) }
    }

    /// Raw bytes: cuts at all line ends, and in chunk sizes as far as a chunked body can be parsed.
    mutating func seeRaw(_ content: ReplyContent) {
        switch target {
        case .characters: seeContent(0..<content.byteCount, of: content, at: 0)
        case .lineEnds, .chunkSizes:
            var bytes: [UInt8] = []
            for piece in content.pieces(of: 0..<min(content.byteCount, Self.scanLimit)) {
                try? piece.read { span in
                    for index in span.indices { bytes.append(span[index]) }
                }
            }
            if target == .lineEnds { seeLines(bytes, at: 0) } else { seeRawChunks(bytes) }
        }
    }

    /// The chunk-size lines after the first empty line, as far as they can be parsed.
    private mutating func seeRawChunks(_ bytes: [UInt8]) {
        let isEmptyLine = { (index: Int) in bytes[index - 3...index].elementsEqual([13, 10, 13, 10]) }
        guard let headEnd = bytes.indices.dropFirst(3).first(where: isEmptyLine) else { return }
        var position = headEnd + 1
        while position < bytes.count, let lineFeed = bytes[position...].firstIndex(of: 0x0A), lineFeed > position,
            bytes[lineFeed - 1] == 0x0D
        {
            let line = bytes[position...lineFeed]
            let digits = line.prefix { $0.hexadecimalValue != nil }
            guard let size = Int(String(decoding: digits, as: UTF8.self), radix: 16) else { return }
            seeChunkHead(line, digitCount: digits.count, at: position)
            // A size that is longer than the bytes is still a size line, the last one.
            let (next, isTooLong) = line.endIndex.addingReportingOverflow(size)
            guard size > 0, !isTooLong, next <= bytes.count - 2 else { return }
            position = next + 2
        }
    }

    private mutating func add(_ offset: Int) {
        guard offset > (offsets.last ?? 0), offsets.count < Self.mostCuts else { return }
        offsets.append(offset)
    }
}
