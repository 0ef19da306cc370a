/// A gzip file: members, then zeros at most (RFC 1952 §2.2).
///
/// Zeros behind the last member are let pass as gzip lets them: tapes and block devices leave them.
final class GzipDecoding: DecodingEngine {
    private enum Phase {
        /// So many bytes of the magic number were seen.
        case magic(Int)
        case member
        case padding
    }

    private static let magic: [UInt8] = [0x1F, 0x8B]

    private let inflater: ZlibInflater
    private var phase = Phase.magic(0)
    /// Members that are whole.
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
