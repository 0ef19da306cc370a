internal import ProctorScenario

/// Finds where a reply is to be cut by what stands there; told of each part before it is planned, with its place.
struct CutFinder {
    private let target: Target
    /// Ascending; offsets in the whole reply.
    private(set) var offsets: [Int] = []
    private var scannedByteCount = 0

    private enum Target {
        case lineEnds, chunkSizes, characters
    }

    /// A reply has no more cuts than these.
    static let mostCuts = 65_535
    /// Content is searched for characters this far.
    private static let scanLimit = 4 << 20

    /// nil for a slicing that does not look at what it cuts.
    init?(_ slicing: Slicing?) {
        switch slicing {
        case .midCRLF: target = .lineEnds
        case .midChunkSize: target = .chunkSizes
        case .midUTF8: target = .characters
        case .everyByte, .size, .offsets, .random, nil: return nil
        }
    }

    /// A head, or the line end after a chunk, or the lines after the last one.
    mutating func seeLines(_ bytes: some Collection<UInt8>, at offset: Int) {
        guard target == .lineEnds else { return }
        var previous: UInt8 = 0
        for (index, byte) in bytes.enumerated() {
            if previous == 0x0D, byte == 0x0A { add(offset + index) }
            previous = byte
        }
    }

    /// A chunk-size line with so many digits at its beginning.
    mutating func seeChunkHead(_ bytes: some Collection<UInt8>, digitCount: Int, at offset: Int) {
        switch target {
        case .lineEnds: seeLines(bytes, at: offset)
        case .chunkSizes: add(digitCount > 1 ? offset + digitCount / 2 : offset + bytes.count - 2)
        case .characters: break
        }
    }

    /// Part of the content; a source that can't be read has no characters.
    mutating func seeContent(_ range: Range<Int>, of content: ContentWalk, at offset: Int) {
        guard target == .characters, scannedByteCount < Self.scanLimit else { return }
        let end = min(range.upperBound, range.lowerBound + Self.scanLimit - scannedByteCount)
        scannedByteCount += end - range.lowerBound
        var position = offset
        // A lead byte at the end of a part may still have the rest of its character in the next one.
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

    /// Bytes without known parts: lines everywhere, chunk sizes as far as a chunked body can be made out.
    mutating func seeRaw(_ content: ContentWalk) {
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

    private mutating func seeRawChunks(_ bytes: [UInt8]) {
        var reader = RawChunks(bytes)
        while let line = reader.next() {
            seeChunkHead(bytes[line.range], digitCount: line.digitCount, at: line.range.lowerBound)
        }
    }

    private mutating func add(_ offset: Int) {
        guard offset > (offsets.last ?? 0), offsets.count < Self.mostCuts else { return }
        offsets.append(offset)
    }
}

/// The chunk-size lines of a raw reply, from the first empty line on, as long as they can be read.
private struct RawChunks {
    private let bytes: [UInt8]
    private var position: Int

    init(_ bytes: [UInt8]) {
        self.bytes = bytes
        position = bytes.count
        for index in bytes.indices.dropFirst(3) where bytes[index - 3...index].elementsEqual([13, 10, 13, 10]) {
            position = index + 1
            break
        }
    }

    mutating func next() -> (range: Range<Int>, digitCount: Int)? {
        guard position < bytes.count, let lineFeed = bytes[position...].firstIndex(of: 0x0A), lineFeed > position,
            bytes[lineFeed - 1] == 0x0D
        else { return nil }
        let line = position..<lineFeed + 1
        let digits = bytes[line].prefix { $0.isHexDigit }
        guard let size = Int(String(decoding: digits, as: UTF8.self), radix: 16) else { return nil }
        // A size beyond what is there is still a size line, and the last one.
        let (next, isTooLong) = line.upperBound.addingReportingOverflow(size)
        position = size == 0 || isTooLong || next > bytes.count - 2 ? bytes.count : next + 2
        return (line, digits.count)
    }
}

extension UInt8 {
    fileprivate var isHexDigit: Bool {
        switch self {
        case UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "a")...UInt8(ascii: "f"),
            UInt8(ascii: "A")...UInt8(ascii: "F"):
            true
        default: false
        }
    }
}
