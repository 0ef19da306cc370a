/// The files of a tape archive in the format ustar (POSIX.1-2017, pax, "ustar Interchange Format").
///
/// Folders exist only as parts of the files' paths; links and special files are refused.
package struct TarArchive: Sendable {
    package struct File: Sendable, Equatable {
        /// A relative path with `/` between its components, none of which is empty, `.` or `..`.
        package let path: String
        /// Whether its owner may execute it.
        package let isExecutable: Bool
        /// The range of its content in the archive.
        package let range: Range<Int>
    }

    /// In the order of the archive; no path occurs twice.
    package let files: [File]

    private static let block = 512
    private static let signature = Array("ustar\0".utf8)

    /// Reads an archive up to the two empty blocks at its end; only zeros may follow them.
    package init(parsing bytes: [UInt8]) throws(CodingFailure) {
        var files: [File] = []
        var paths: Set<String> = []
        var offset = 0
        while true {
            guard bytes.count - offset >= Self.block else {
                throw CodingFailure(.truncated, "tar: the archive ends within a header", offset: bytes.count)
            }
            let header = bytes[offset..<offset + Self.block]
            guard header.contains(where: { $0 != 0 }) else { break }
            let byteCount = try Self.checkedByteCount(header)
            let start = offset + Self.block
            guard byteCount <= bytes.count - start else {
                throw CodingFailure(.truncated, "tar: the archive ends within a file", offset: bytes.count)
            }
            switch header[offset + 156] {
            case UInt8(ascii: "0"), 0:
                let path = try Self.path(header)
                guard paths.insert(path).inserted else {
                    throw CodingFailure(.corrupt, "tar: '\(path)' stands here twice", offset: offset)
                }
                let mode = try Self.number(header, at: 100, count: 8)
                files.append(
                    File(path: path, isExecutable: mode & 0o100 != 0, range: start..<start + byteCount))
            case UInt8(ascii: "5"): _ = try Self.path(header)
            case let kind:
                throw CodingFailure(
                    .unsupported, "tar: an entry of kind \(kind), where files (48) and folders (53) are read",
                    offset: offset + 156)
            }
            offset = start + (byteCount + Self.block - 1) / Self.block * Self.block
            // The last file may lack its padding.
            offset = min(offset, bytes.count)
        }
        guard bytes.count - offset >= 2 * Self.block else {
            throw CodingFailure(.truncated, "tar: the second empty block is missing", offset: bytes.count)
        }
        if let place = bytes[offset...].firstIndex(where: { $0 != 0 }) {
            throw CodingFailure(.trailing, "tar: bytes stand behind the end of the archive", offset: place)
        }
        self.files = files
    }

    /// The length of the entry's content, from a header whose checksum is correct.
    private static func checkedByteCount(_ header: ArraySlice<UInt8>) throws(CodingFailure) -> Int {
        let start = header.startIndex
        guard header[start + 257..<start + 263].elementsEqual(signature) else {
            throw CodingFailure(.corrupt, "tar: expected the signature 'ustar' of a header", offset: start + 257)
        }
        let stated = try number(header, at: 148, count: 8)
        // The checksum counts its own field as spaces.
        let field = header[start + 148..<start + 156]
        let sum = header.reduce(0) { $0 + Int($1) } - field.reduce(0) { $0 + Int($1) } + 8 * 0x20
        guard stated == sum else {
            throw CodingFailure(.checksum, "tar: the sum of the header is wrong", offset: start + 148)
        }
        return try number(header, at: 124, count: 12)
    }

    /// Reads octal digits up to a space or NUL.
    private static func number(
        _ header: ArraySlice<UInt8>, at place: Int, count: Int
    ) throws(CodingFailure) -> Int {
        let start = header.startIndex + place
        let field = header[start..<start + count]
        let digits = field.drop { $0 == 0x20 }.prefix { $0 != 0x20 && $0 != 0 }
        guard !digits.isEmpty, digits.count <= 12,
            digits.allSatisfy({ UInt8(ascii: "0")...UInt8(ascii: "7") ~= $0 })
        else {
            throw CodingFailure(.corrupt, "tar: expected an octal number", offset: start)
        }
        return digits.reduce(0) { $0 << 3 | Int($1 - UInt8(ascii: "0")) }
    }

    private static func path(_ header: ArraySlice<UInt8>) throws(CodingFailure) -> String {
        let start = header.startIndex
        func text(at place: Int, count: Int) -> ArraySlice<UInt8> {
            header[start + place..<start + place + count].prefix { $0 != 0 }
        }
        let prefix = text(at: 345, count: 155)
        let bytes = (prefix.isEmpty ? [] : prefix + [UInt8(ascii: "/")]) + text(at: 0, count: 100)
        // The name of a folder ends in a slash.
        let whole = bytes.last == UInt8(ascii: "/") ? bytes.dropLast() : bytes[...]
        guard let path = String(validating: whole, as: UTF8.self),
            path.split(separator: "/", omittingEmptySubsequences: false).allSatisfy({ !["", ".", ".."].contains($0) })
        else {
            throw CodingFailure(.corrupt, "tar: expected a path below the folder of the archive", offset: start)
        }
        return path
    }
}
