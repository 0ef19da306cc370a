import ProctorBase

/// Encodes one step as a stream, piece by piece.
///
/// The same content and step give the same bytes however the content is split: it is coded in blocks of 64 KiB, so the
/// first calls may append nothing. Memory does not grow with the content. It has one owner at a time.
package struct CodingEncoder: ~Copyable {
    private static let blockByteCount = 65_536

    private let engine: any EncodingEngine
    private let isIdentity: Bool
    private var tail: HeldTail
    private var gathered: [UInt8] = []
    private var coded: [UInt8] = []
    private var isFinished = false

    /// Refuses a step with options that its coding does not have, by ``CodingStep/check()``.
    package init(_ step: CodingStep) throws(CodingFailure) {
        try step.check()
        engine = try Self.engine(of: step)
        tail = HeldTail(step)
        isIdentity = step.coding == .identity
    }

    private static func engine(of step: CodingStep) throws(CodingFailure) -> any EncodingEngine {
        switch step.coding {
        case .identity: IdentityEngine()
        case .gzip, .xGzip: try GzipEngine(step.gzip, level: step.level)
        case .deflate: try ZlibDeflater(level: step.level, isRaw: step.isRaw)
        case .brotli: try BrotliCompressor(level: step.level)
        case .zstd: try ZstdCompressor(level: step.level, hasChecksum: step.hasWrongChecksum)
        }
    }

    /// Encodes all of the bytes and appends the coded bytes so far, whose number is proportional to them.
    package mutating func encode(_ bytes: Span<UInt8>, into output: inout [UInt8]) throws(CodingFailure) {
        try checkUnfinished()
        guard !isIdentity else { return try write(bytes, into: &output) }
        var offset = 0
        if !gathered.isEmpty {
            offset = min(bytes.count, Self.blockByteCount - gathered.count)
            gathered.append(bytes.extracting(0..<offset))
            guard gathered.count == Self.blockByteCount else { return }
            try writeGathered(into: &output)
        }
        while bytes.count - offset >= Self.blockByteCount {
            try write(bytes.extracting(offset..<offset + Self.blockByteCount), into: &output)
            offset += Self.blockByteCount
        }
        gathered.append(bytes.extracting(offset..<bytes.count))
    }

    /// Appends the rest, the end of the format and the trailing bytes; called once, as the last call.
    package mutating func finish(into output: inout [UInt8]) throws(CodingFailure) {
        try checkUnfinished()
        isFinished = true
        if !gathered.isEmpty { try writeGathered(into: &output) }
        try write(Span(), isLast: true, into: &output)
        tail.finish(into: &output)
    }

    private mutating func writeGathered(into output: inout [UInt8]) throws(CodingFailure) {
        var block: [UInt8] = []
        swap(&block, &gathered)
        try write(block.span, into: &output)
        block.removeAll(keepingCapacity: true)
        gathered = block
    }

    private mutating func write(
        _ bytes: Span<UInt8>, isLast: Bool = false, into output: inout [UInt8]
    ) throws(CodingFailure) {
        guard !tail.isEmpty else { return try engine.encode(bytes, isLast: isLast, into: &output) }
        coded.removeAll(keepingCapacity: true)
        try engine.encode(bytes, isLast: isLast, into: &coded)
        tail.pass(coded, into: &output)
    }

    private func checkUnfinished() throws(CodingFailure) {
        if isFinished { throw CodingFailure(.usage, "the encoder was finished; take a new one for other content") }
    }
}

/// Applies several coding steps, the first one to the content itself (RFC 9110 §8.4).
package struct EncodingChain: ~Copyable {
    /// The most steps: more than any client undoes.
    package static let depthBound = 64

    private final class Link {
        var encoder: CodingEncoder

        init(_ step: CodingStep) throws(CodingFailure) {
            encoder = try CodingEncoder(step)
        }
    }

    private var links: [Link] = []

    /// Without steps the content is unchanged; more than ``depthBound`` are refused.
    package init(_ steps: [CodingStep]) throws(CodingFailure) {
        guard steps.count <= Self.depthBound else {
            throw DecodingChain.refusal(steps.count, bound: Self.depthBound)
        }
        for step in steps { links.append(try Link(step)) }
    }

    /// Encodes all of the bytes and appends those that have passed every step so far.
    package mutating func encode(_ bytes: Span<UInt8>, into output: inout [UInt8]) throws(CodingFailure) {
        try pass(bytes, from: 0, into: &output)
    }

    /// Ends every step, in their order; called once, as the last call.
    package mutating func finish(into output: inout [UInt8]) throws(CodingFailure) {
        for (index, link) in links.enumerated() {
            var coded: [UInt8] = []
            try link.encoder.finish(into: &coded)
            try pass(coded.span, from: index + 1, into: &output)
        }
    }

    private func pass(_ bytes: Span<UInt8>, from first: Int, into output: inout [UInt8]) throws(CodingFailure) {
        guard first < links.count else { return output.append(bytes) }
        guard first + 1 < links.count else { return try links[first].encoder.encode(bytes, into: &output) }
        var coded: [UInt8] = []
        try links[first].encoder.encode(bytes, into: &coded)
        try pass(coded.span, from: first + 1, into: &output)
    }
}

extension CodingEncoder {
    package static func encode(_ bytes: [UInt8], steps: [CodingStep]) throws(CodingFailure) -> [UInt8] {
        var chain = try EncodingChain(steps)
        var output: [UInt8] = []
        try chain.encode(bytes.span, into: &output)
        try chain.finish(into: &output)
        return output
    }
}

/// Holds back the end of the coded bytes, to damage it as the step requires.
struct HeldTail {
    private let missing: Int
    /// The beginning of each of the wrong four-byte numbers, counted from the end.
    private let wrong: [Int]
    private let trailing: [UInt8]
    private let heldCount: Int
    private var held: [UInt8] = []
    /// How many bytes of `held` were given out; they are removed in large batches, so that a byte is moved only a few
    /// times.
    private var head = 0

    init(_ step: CodingStep) {
        var wrong: [Int] = []
        // CRC32 and ISIZE are the last eight bytes of gzip; Adler-32 and the checksum of zstd are the last four.
        if step.hasWrongChecksum { wrong.append(step.coding.isGzip ? 8 : 4) }
        if step.gzip.hasWrongLength { wrong.append(4) }
        self.wrong = wrong
        missing = step.missingByteCount
        trailing = step.trailing
        heldCount = max(missing, wrong.max() ?? 0)
    }

    /// Whether no coded bytes must be held back.
    var isEmpty: Bool { heldCount == 0 }

    /// Adds coded bytes, and appends to `output` those that cannot be part of the end.
    mutating func pass(_ coded: [UInt8], into output: inout [UInt8]) {
        held += coded
        let freed = held.count - head - heldCount
        guard freed > 0 else { return }
        output += held[head..<head + freed]
        head += freed
        if head > held.count / 2 {
            held.removeFirst(head)
            head = 0
        }
    }

    /// Appends the rest, with wrong numbers and without the missing bytes, and then the trailing bytes.
    mutating func finish(into output: inout [UInt8]) {
        for distance in wrong {
            for index in held.count - distance..<held.count - distance + 4 where index >= head { held[index] ^= 0xFF }
        }
        output += held[head...].dropLast(missing)
        output += trailing
        held = []
        head = 0
    }
}
