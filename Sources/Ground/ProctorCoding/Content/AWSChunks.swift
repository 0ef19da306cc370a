internal import ProctorBase

/// Content in `aws-chunked`, the chunks of S3's clients: `SIZE;chunk-signature=…`, the bytes, and trailers behind the last.
///
/// A trailer with a checksum is compared with the content; signatures are not.
struct AWSChunks {
    private(set) var content: [UInt8] = []
    private let bytes: [UInt8]
    private var offset = 0

    init(parsing bytes: [UInt8]) throws(CodingFailure) {
        self.bytes = bytes
        content.reserveCapacity(bytes.count)
        while try readChunk() {}
        while offset < bytes.count { try readTrailer() }
    }

    /// False behind the last chunk, which has the size 0.
    private mutating func readChunk() throws(CodingFailure) -> Bool {
        let start = offset
        guard let line = readLine() else {
            throw fault(.truncated, "a chunk of the size 0 is expected as the last one")
        }
        let digits = line.prefix { $0 != UInt8(ascii: ";") }
        guard (1...Self.mostDigits).contains(digits.count),
            let count = Int(String(decoding: digits, as: UTF8.self), radix: 16),
            count >= 0
        else {
            offset = start
            throw fault(.corrupt, "the size of a chunk is expected in hexadecimal digits")
        }
        guard count > 0 else { return false }
        guard bytes.count - offset >= count + 2 else {
            throw fault(
                .truncated,
                "a chunk of \(count) bytes and its line end are expected, and \(bytes.count - offset) bytes follow")
        }
        content += bytes[offset..<(offset + count)]
        offset += count
        guard bytes[offset] == 0x0D, bytes[offset + 1] == 0x0A else {
            throw fault(.corrupt, "a line end is expected behind a chunk of \(count) bytes")
        }
        offset += 2
        return true
    }

    private static let mostDigits = 8

    private mutating func readTrailer() throws(CodingFailure) {
        let start = offset
        let line = readRest()
        guard let colon = line.firstIndex(of: UInt8(ascii: ":")) else { return }
        let name = String(decoding: line[..<colon].map(\.asciiLowercased), as: UTF8.self)
        guard
            let checksum = ReflectedCRC.ofTrailers[name]?.bigEndianChecksum(of: content)
                ?? TrailerHash(rawValue: name)?.hash(of: content)
        else { return }
        let given = (try? Base64Text.decode(Array(line[(colon + 1)...]))) ?? []
        guard given != checksum else { return }
        throw CodingFailure(.checksum, "the checksum of \(name) is not that of the content", offset: start)
    }

    /// The bytes up to the next line end, which is passed; nil where none follows.
    private mutating func readLine() -> ArraySlice<UInt8>? {
        guard let end = bytes[offset...].firstIndex(of: 0x0A) else { return nil }
        let line = bytes[offset..<end]
        offset = end + 1
        return line.last == 0x0D ? line.dropLast() : line
    }

    /// A line, or what follows without a line end.
    private mutating func readRest() -> ArraySlice<UInt8> {
        if let line = readLine() { return line }
        defer { offset = bytes.count }
        return bytes[offset...]
    }

    private func fault(_ kind: CodingFailure.Kind, _ sentence: String) -> CodingFailure {
        CodingFailure(kind, sentence, offset: offset)
    }
}

/// A cyclic redundancy check whose bits are reflected, all ones before and inverted behind.
private struct ReflectedCRC {
    private let byteCount: Int
    private let table: [UInt64]

    /// The checks, each by the name of the trailer that has it.
    static let ofTrailers = [
        "x-amz-checksum-crc32": ReflectedCRC(byteCount: 4, polynomial: 0xEDB8_8320),
        "x-amz-checksum-crc32c": ReflectedCRC(byteCount: 4, polynomial: 0x82F6_3B78),
        "x-amz-checksum-crc64nvme": ReflectedCRC(byteCount: 8, polynomial: 0x9A6C_9329_AC4B_C9B5),
    ]

    private init(byteCount: Int, polynomial: UInt64) {
        self.byteCount = byteCount
        table = (0..<256).map { index in
            (0..<8).reduce(UInt64(index)) { value, _ in value & 1 == 0 ? value >> 1 : polynomial ^ (value >> 1) }
        }
    }

    func bigEndianChecksum(of bytes: [UInt8]) -> [UInt8] {
        let ones = UInt64.max >> UInt64(64 - 8 * byteCount)
        let value = bytes.reduce(ones) { table[Int(($0 ^ UInt64($1)) & 0xFF)] ^ ($0 >> 8) } ^ ones
        return (0..<byteCount).reversed().map { UInt8(truncatingIfNeeded: value >> UInt64(8 * $0)) }
    }
}
