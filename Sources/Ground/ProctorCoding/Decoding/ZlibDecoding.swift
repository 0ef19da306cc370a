internal import ProctorBase

/// A gzip file: members, then only zeros (RFC 1952 §2.2).
///
/// Zeros after the last member are accepted, as in gzip, because tapes and block devices add them.
final class GzipDecoding: DecodingEngine {
    private enum Phase {
        case magic(Int)
        case member
        case padding
    }

    private static let magic: [UInt8] = [0x1F, 0x8B]

    private let inflater: ZlibInflater
    private var phase = Phase.magic(0)
    private var memberCount = 0

    init() throws(CodingFailure) {
        inflater = try ZlibInflater(.gzip, name: "gzip")
    }

    func step(_ bytes: Span<UInt8>, at offset: inout Int, into output: inout [UInt8]) throws(CodingFailure) -> Bool {
        while true {
            switch phase {
            case .magic(let count):
                guard offset < bytes.count else { return false }
                try readMagic(bytes[offset], count, into: &output)
                offset += 1
            case .padding:
                while offset < bytes.count, bytes[offset] == 0 { offset += 1 }
                guard offset == bytes.count else { throw trailing }
                return false
            case .member:
                let step = try inflater.step(bytes, at: &offset, into: &output)
                guard step == .ended else { return step == .more }
                phase = .magic(0)
                memberCount += 1
                return offset < bytes.count
            }
        }
    }

    func finish() throws(CodingFailure) {
        switch phase {
        case .magic(0) where memberCount > 0, .padding: return
        case .magic(1) where memberCount > 0: throw trailing
        case .magic, .member: throw CodingFailure(.truncated, "gzip ends within a member")
        }
    }

    private func readMagic(_ byte: UInt8, _ count: Int, into output: inout [UInt8]) throws(CodingFailure) {
        if byte == 0, count == 0, memberCount > 0 {
            phase = .padding
            return
        }
        guard byte == Self.magic[count] else {
            if memberCount > 0 { throw trailing }
            throw CodingFailure(.corrupt, "gzip begins with the bytes 1f 8b; this does not")
        }
        guard count + 1 == Self.magic.count else {
            phase = .magic(count + 1)
            return
        }
        phase = .member
        inflater.reset()
        var taken = 0
        _ = try inflater.step(Self.magic.span, at: &taken, into: &output)
    }

    private var trailing: CodingFailure {
        CodingFailure(.trailing, "bytes that are neither a member nor zeros stand behind the end of gzip")
    }
}

/// The zlib format, or raw DEFLATE, which some servers send under the same name (RFC 9110 §8.4.1.2).
///
/// The first two bytes distinguish the two (RFC 1950 §2.2). Encoders fill the bits after the header of a stored block
/// with zeros, so that no raw DEFLATE begins with a byte whose low half is 8.
final class DeflateDecoding: DecodingEngine {
    private enum Phase {
        case start
        case first(UInt8)
        case stream
        case ended
    }

    private let zlib: ZlibInflater
    private let raw: ZlibInflater
    private var isRaw = false
    private var phase = Phase.start

    init() throws(CodingFailure) {
        zlib = try ZlibInflater(.zlib, name: "deflate")
        raw = try ZlibInflater(.raw, name: "deflate (raw)")
    }

    func step(_ bytes: Span<UInt8>, at offset: inout Int, into output: inout [UInt8]) throws(CodingFailure) -> Bool {
        while true {
            switch phase {
            case .start:
                guard offset < bytes.count else { return false }
                phase = .first(bytes[offset])
                offset += 1
            case .first(let first):
                guard Self.canBeginZlib(first) else {
                    try startStream(first, isRaw: true, into: &output)
                    continue
                }
                guard offset < bytes.count else { return false }
                let isZlib = (UInt16(first) << 8 | UInt16(bytes[offset])) % 31 == 0
                try startStream(first, isRaw: !isZlib, into: &output)
            case .stream:
                let step = try inflate(bytes, at: &offset, into: &output)
                guard step == .ended else { return step == .more }
                phase = .ended
                return offset < bytes.count
            case .ended:
                guard offset == bytes.count else {
                    throw CodingFailure(.trailing, "bytes stand behind the end of deflate")
                }
                return false
            }
        }
    }

    func finish() throws(CodingFailure) {
        guard case .ended = phase else { throw CodingFailure(.truncated, "deflate ends before its last block") }
    }

    /// Whether CM is 8, and the window of CINFO at most 32 KiB.
    private static func canBeginZlib(_ byte: UInt8) -> Bool { byte & 0x0F == 8 && byte >> 4 <= 7 }

    private func startStream(_ first: UInt8, isRaw: Bool, into output: inout [UInt8]) throws(CodingFailure) {
        self.isRaw = isRaw
        phase = .stream
        var taken = 0
        _ = try inflate([first].span, at: &taken, into: &output)
    }

    private func inflate(
        _ bytes: Span<UInt8>, at offset: inout Int, into output: inout [UInt8]
    ) throws(CodingFailure) -> EngineStep {
        isRaw
            ? try raw.step(bytes, at: &offset, into: &output) : try zlib.step(bytes, at: &offset, into: &output)
    }
}
