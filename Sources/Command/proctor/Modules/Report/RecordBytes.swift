internal import ProctorCoding
internal import ProctorGrading

/// Files of exam records as bytes, compressed by zstd or uncompressed.
enum RecordBytes {
    /// The most bytes after decompression; the shipped matrix has 102 MB.
    private static let byteLimit = 256 << 20

    static func read(_ path: String) throws -> [UInt8] {
        let bytes = try InputFile.bytes(of: path)
        guard path.hasSuffix(".zst") else { return bytes }
        return try CodingDecoder.decode(bytes, codings: [.zstd], limit: byteLimit)
    }

    /// The lines that may be headers, or records about the case; of the shipped file, in which each line begins with
    /// its sitting, those of `sitting`, as records are read.
    static func lines(of bytes: [UInt8], about id: CaseID, in sitting: String) -> [UInt8] {
        let mark = Array("\"case\":\"\(id)\"".utf8)
        let header = Array("\"exam\"".utf8)
        let anySitting = Array("{\"sitting\":".utf8)
        let wanted = anySitting + Array("\"\(sitting)\",".utf8)
        var kept: [UInt8] = []
        var start = 0
        while start < bytes.count {
            let end = bytes[start...].firstIndex(of: 0x0A) ?? bytes.count - 1
            let line = bytes[start...end]
            start = end + 1
            let isOfSitting = line.starts(with: wanted)
            guard isOfSitting || !line.starts(with: anySitting) else { continue }
            let members = line.dropFirst(isOfSitting ? wanted.count : 1)
            // Both texts are at the beginning of a line.
            if members.starts(with: header) || members.prefix(mark.count + headLimit).contains(sequence: mark) {
                kept.append(UInt8(ascii: "{"))
                kept += members
            }
        }
        return kept
    }

    /// The most bytes before the id in a line, which contain the client's name.
    private static let headLimit = 200
}

extension ArraySlice<UInt8> {
    fileprivate func contains(sequence: [UInt8]) -> Bool {
        guard count >= sequence.count else { return false }
        return (startIndex...endIndex - sequence.count).contains { start in
            self[start] == sequence[0] && self[start...].starts(with: sequence)
        }
    }
}
