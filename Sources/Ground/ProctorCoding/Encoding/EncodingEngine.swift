import ProctorBase

protocol EncodingEngine: AnyObject {
    /// Encodes all of the bytes, and writes the end of the format if they are the last ones.
    ///
    /// The output depends on how the content is split into calls.
    func encode(_ bytes: Span<UInt8>, isLast: Bool, into output: inout [UInt8]) throws(CodingFailure)
}

final class IdentityEngine: EncodingEngine {
    func encode(_ bytes: Span<UInt8>, isLast: Bool, into output: inout [UInt8]) { output.append(bytes) }
}

/// A gzip file of one member or several, whose headers and trailers are written here (RFC 1952).
final class GzipEngine: EncodingEngine {
    private let deflater: ZlibDeflater
    private let header: [UInt8]
    private let sizes: [Int]
    private var memberCount = 0
    private var isOpen = false
    /// How much content the open member still accepts; nil means all of the rest.
    private var room: Int?
    private var crc: UInt32 = 0
    /// ISIZE: modulo 2^32 (RFC 1952 §2.3.1).
    private var length: UInt32 = 0

    init(_ shape: GzipShape, level: Int?) throws(CodingFailure) {
        deflater = try ZlibDeflater(level: level, isRaw: true)
        header = shape.header(level: level)
        sizes = shape.memberSizes
    }

    func encode(_ bytes: Span<UInt8>, isLast: Bool, into output: inout [UInt8]) {
        var offset = 0
        while offset < bytes.count {
            if !isOpen { beginMember(into: &output) }
            let count = min(room ?? .max, bytes.count - offset)
            let piece = bytes.extracting(offset..<offset + count)
            deflater.encode(piece, isLast: false, into: &output)
            crc = ZlibChecksum.crc32(crc, piece)
            length &+= UInt32(truncatingIfNeeded: count)
            offset += count
            if let left = room {
                room = left - count
                if left == count { endMember(into: &output) }
            }
        }
        guard isLast else { return }
        // Empty content is one empty member.
        if memberCount == 0 { beginMember(into: &output) }
        if isOpen { endMember(into: &output) }
    }

    private func beginMember(into output: inout [UInt8]) {
        output += header
        isOpen = true
        room = memberCount + 1 < sizes.count ? sizes[memberCount] : nil
        memberCount += 1
    }

    private func endMember(into output: inout [UInt8]) {
        deflater.encode(Span(), isLast: true, into: &output)
        output.appendLittleEndian(crc)
        output.appendLittleEndian(length)
        deflater.reset()
        isOpen = false
        crc = 0
        length = 0
    }
}

extension GzipShape {
    /// RFC 1952 §2.3; the OS is "unknown", so that the bytes are the same on all systems.
    fileprivate func header(level: Int?) -> [UInt8] {
        var flags: UInt8 = 0
        if hasHeaderChecksum { flags |= 0x02 }
        if extra != nil { flags |= 0x04 }
        if name != nil { flags |= 0x08 }
        if comment != nil { flags |= 0x10 }
        var header: [UInt8] = [0x1F, 0x8B, 8, flags]
        header.appendLittleEndian(modified)
        // XFL: 2 is the best compression, 4 the fastest.
        header += [level == 9 ? 2 : level == 1 ? 4 : 0, 255]
        if let extra {
            header.appendLittleEndian(UInt16(clamping: extra.count))
            header += extra
        }
        if let name { header += name + [0] }
        if let comment { header += comment + [0] }
        if hasHeaderChecksum {
            header.appendLittleEndian(UInt16(truncatingIfNeeded: ZlibChecksum.crc32(0, header.span)))
        }
        return header
    }
}

extension [UInt8] {
    fileprivate mutating func appendLittleEndian(_ value: some FixedWidthInteger) {
        var rest = value
        for _ in 0..<value.bitWidth / 8 {
            append(UInt8(truncatingIfNeeded: rest))
            rest >>= 8
        }
    }
}
