/// The middle layer of BinHex 4.0: a byte, 0x90 and a count stand for a run; 0x90 and 0 for 0x90 itself.
enum BinHexRuns {
    private static let mark: UInt8 = 0x90

    /// Runs of three bytes and more are shortened.
    static func pack(_ bytes: [UInt8]) -> [UInt8] {
        var packed: [UInt8] = []
        packed.reserveCapacity(bytes.count)
        var offset = 0
        while offset < bytes.count {
            let byte = bytes[offset]
            var count = 1
            while count < 255, offset + count < bytes.count, bytes[offset + count] == byte { count += 1 }
            let isRun = count >= 3
            for _ in 0..<(isRun ? 1 : count) {
                packed.append(byte)
                if byte == mark { packed.append(0) }
            }
            if isRun { packed += [mark, UInt8(count)] }
            offset += count
        }
        return packed
    }

    /// Refused beyond `limit` bytes: two of them may stand for 255.
    static func unpack(_ packed: [UInt8], limit: Int) throws(CodingFailure) -> [UInt8] {
        var bytes: [UInt8] = []
        bytes.reserveCapacity(min(packed.count, limit))
        var offset = 0
        while offset < packed.count {
            let byte = packed[offset]
            offset += 1
            if byte != mark {
                bytes.append(byte)
            } else if offset == packed.count {
                throw CodingFailure(.truncated, "BinHex: a run ends before its count", offset: offset)
            } else {
                let count = Int(packed[offset])
                offset += 1
                if count == 0 {
                    bytes.append(mark)
                } else if let last = bytes.last {
                    bytes.append(contentsOf: repeatElement(last, count: count - 1))
                } else {
                    throw CodingFailure(.corrupt, "BinHex: a run of no byte stands at the beginning", offset: 0)
                }
            }
            guard bytes.count <= limit else {
                throw CodingFailure(.tooLarge, "BinHex: the runs give more than \(limit) bytes", offset: offset)
            }
        }
        return bytes
    }
}
