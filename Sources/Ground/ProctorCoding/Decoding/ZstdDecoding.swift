internal import ProctorBase

/// Frames of zstd and skippable frames, one after another (RFC 8878 §3.1).
///
/// The magic number of each frame is checked here, so that illegal bytes are refused at the first byte.
final class ZstdDecoding: DecodingEngine {
    private enum Phase {
        case magic
        case frame
    }

    private var decompressor: ZstdDecompressor
    private var phase = Phase.magic
    private var magic: [UInt8] = []
    private var frameCount = 0

    init() throws(CodingFailure) {
        decompressor = try ZstdDecompressor()
    }

    func step(_ bytes: Span<UInt8>, at offset: inout Int, into output: inout [UInt8]) throws(CodingFailure) -> Bool {
        while true {
            switch phase {
            case .magic:
                guard offset < bytes.count else { return false }
                guard Self.canStand(bytes[offset], behind: magic) else { throw unknownFormat }
                magic.append(bytes[offset])
                offset += 1
                guard magic.count == 4 else { continue }
                var taken = 0
                let magic = magic
                phase = .frame
                while taken < magic.count { _ = try decompressor.step(magic.span, at: &taken, into: &output) }
            case .frame:
                let step = try decompressor.step(bytes, at: &offset, into: &output)
                guard step == .ended else { return step == .more }
                phase = .magic
                magic = []
                frameCount += 1
                return offset < bytes.count
            }
        }
    }

    func finish() throws(CodingFailure) {
        if case .magic = phase, magic.isEmpty, frameCount > 0 { return }
        throw CodingFailure(.truncated, "zstd ends within a frame")
    }

    /// Whether the byte can continue one of the two magic numbers, least significant byte first: 0xFD2FB528, and
    /// 0x184D2A50 to 0x184D2A5F.
    private static func canStand(_ byte: UInt8, behind begun: [UInt8]) -> Bool {
        guard let first = begun.first else { return byte == 0x28 || byte & 0xF0 == 0x50 }
        let rest: [UInt8] = first == 0x28 ? [0xB5, 0x2F, 0xFD] : [0x2A, 0x4D, 0x18]
        return begun.count <= rest.count && rest[begun.count - 1] == byte
    }

    private var unknownFormat: CodingFailure {
        frameCount > 0
            ? CodingFailure(.trailing, "bytes that are no frame stand behind the end of zstd")
            : CodingFailure(.corrupt, "zstd begins with the bytes 28 b5 2f fd; this does not")
    }
}
