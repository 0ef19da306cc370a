import ProctorBase

/// One coding step as a stream: content goes in piece by piece, coded bytes come out.
///
/// The same content and step give the same bytes, however the content is cut: it is coded in blocks of 64 KiB, so
/// nothing may come out of the first calls. Memory does not grow with the content. One owner at a time.
public struct CodingEncoder: ~Copyable {
    /// Content is given to the library in pieces of so many bytes.
    private static let blockByteCount = 65_536

    private let engine: any EncodingEngine
    private let isIdentity: Bool
    private var tail: HeldTail
    /// Less than a block.
    private var gathered: [UInt8] = []
    private var coded: [UInt8] = []
    private var isFinished = false

    /// Refuses a step whose options its coding has no place for, by ``CodingStep/check()``.
    public init(_ step: CodingStep) throws(CodingFailure) {
        try step.check()
        engine = try Self.engine(of: step)
        tail = HeldTail(step)
        isIdentity = step.coding == .identity
    }

    private static func engine(of step: CodingStep) throws(CodingFailure) -> any EncodingEngine {
        switch step.coding {
        case .identity: IdentityEngine()
        case .gzip, .xGzip: try GzipEngine(step.gzip, level: step.level)
        case .deflate: try DeflateEngine(level: step.level, isRaw: step.isRaw)
        case .brotli: try BrotliEngine(level: step.level)
        case .zstd: try ZstdEngine(level: step.level, hasChecksum: step.hasWrongChecksum)
        }
    }

    /// Takes all of the bytes and appends what is coded by now, which is in proportion to them.
    public mutating func encode(_ bytes: Span<UInt8>, into output: inout [UInt8]) throws(CodingFailure) {
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

    /// Appends the rest, the end of the format and what trails it; to be called once, as the last.
    public mutating func finish(into output: inout [UInt8]) throws(CodingFailure) {
        try checkUnfinished()
        isFinished = true
        if !gathered.isEmpty { try writeGathered(into: &output) }
        guard !tail.isEmpty else {
            try engine.finish(into: &output)
            return tail.finish(into: &output)
        }
        coded.removeAll(keepingCapacity: true)
        try engine.finish(into: &coded)
        tail.pass(coded, into: &output)
        tail.finish(into: &output)
    }

    private mutating func writeGathered(into output: inout [UInt8]) throws(CodingFailure) {
        var block: [UInt8] = []
        swap(&block, &gathered)
        try write(block.span, into: &output)
        block.removeAll(keepingCapacity: true)
        gathered = block
    }

    private mutating func write(_ bytes: Span<UInt8>, into output: inout [UInt8]) throws(CodingFailure) {
        guard !tail.isEmpty else { return try engine.encode(bytes, into: &output) }
        coded.removeAll(keepingCapacity: true)
        try engine.encode(bytes, into: &coded)
        tail.pass(coded, into: &output)
    }

    private func checkUnfinished() throws(CodingFailure) {
        if isFinished { throw CodingFailure(.usage, "the encoder was finished; take a new one for other content") }
    }
}

// The library's state is reached through the one owner only, and none of the three libraries minds the thread.
extension CodingEncoder: @unchecked Sendable {}
