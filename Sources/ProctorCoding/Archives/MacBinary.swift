/// A Macintosh file in one piece: 128 bytes of header, then both forks, each filled up to 128 bytes.
public struct MacBinary: Sendable, Equatable {
    /// The state of the format.
    public enum Version: Int, Sendable, CaseIterable {
        /// Without a CRC, and without the low byte of the Finder's flags.
        case one = 1
        /// With a CRC-16 of the header.
        case two = 2
        /// With the signature `mBIN` too.
        case three = 3
    }

    /// What is packed.
    public let file: ForkedFile
    /// How.
    public let version: Version

    static let block = 128
    static let signature = Array("mBIN".utf8)

    /// Refuses flags that the first version cannot say.
    public init(_ file: ForkedFile, version: Version = .two) throws(CodingFailure) {
        guard version != .one || file.flags & 0xFF == 0 else {
            throw CodingFailure(
                .usage, "MacBinary 1 has no place for the low byte of the flags; take version 2, or flags like 0x0100")
        }
        self.file = file
        self.version = version
    }

    /// The archive; the same file gives the same bytes.
    public var bytes: [UInt8] {
        var bytes = header
        bytes.reserveCapacity(bytes.count + file.data.count + file.resource.count + 2 * Self.block)
        for fork in [file.data, file.resource] {
            bytes += fork
            bytes += [UInt8](repeating: 0, count: Self.padding(fork.count))
        }
        return bytes
    }

    /// Zeros behind so many bytes.
    static func padding(_ count: Int) -> Int { (block - count % block) % block }

    private var header: [UInt8] {
        var header: [UInt8] = [0, UInt8(clamping: file.name.count)]
        header += file.name
        header += [UInt8](repeating: 0, count: max(0, 65 - header.count))
        header += file.type + file.creator
        header.append(UInt8(file.flags >> 8))
        // A zero, the place in the window, the folder, not protected, a zero.
        header += [UInt8](repeating: 0, count: 9)
        header.appendBigEndian(UInt32(clamping: file.data.count))
        header.appendBigEndian(UInt32(clamping: file.resource.count))
        header.appendBigEndian(file.created.flatMap(MacTime.seconds) ?? 0)
        header.appendBigEndian(file.modified.flatMap(MacTime.seconds) ?? 0)
        // No comment.
        header += [0, 0]
        header.append(UInt8(file.flags & 0xFF))
        header += version == .three ? Self.signature : [0, 0, 0, 0]
        header += [UInt8](repeating: 0, count: 122 - header.count)
        guard version != .one else { return header + [UInt8](repeating: 0, count: Self.block - header.count) }
        // Written by this version, to be read by any from the second on.
        header += [version == .three ? 130 : 129, 129]
        header.appendBigEndian(CRC16.of(header))
        return header + [0, 0]
    }
}
