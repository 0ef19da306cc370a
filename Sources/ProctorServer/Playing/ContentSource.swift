internal import ProctorBase
internal import ProctorLoop
internal import ProctorScenario

/// Where the bytes of content come from when they are sent.
enum ContentSource: Sendable {
    /// In memory, and sent together with what stands beside them.
    case bytes([UInt8])
    /// Made while they are sent.
    case generated(ByteGenerator)
    /// Opened when it is sent.
    case file(SidecarFile)
    /// Coded content that is too long for memory.
    case scratch(ScratchFile, byteCount: Int)

    /// Generated content up to this size is made once, so that head and content are one write.
    private static let madeOnceLimit = 128 << 10

    /// What a bound source stands for; a template must have become literal before.
    init(_ source: ByteSource) {
        switch source {
        case .literal(let bytes): self = .bytes(bytes)
        case .template(let template): self = .bytes(template.literalBytes ?? [])
        case .file(let file): self = .file(file)
        case .repeated(_, let byteCount), .pattern(_, let byteCount):
            let generator = ByteGenerator(source)
            self = byteCount <= Self.madeOnceLimit ? .bytes(generator.all) : .generated(generator)
        }
    }

    var byteCount: Int {
        switch self {
        case .bytes(let bytes): bytes.count
        case .generated(let generator): generator.byteCount
        case .file(let file): file.byteCount
        case .scratch(_, let byteCount): byteCount
        }
    }
}

/// A part of a source.
struct ContentPiece: Sendable {
    let source: ContentSource
    /// Within the source.
    let range: Range<Int>

    init(_ source: ContentSource) {
        self.source = source
        range = 0..<source.byteCount
    }

    init(_ source: ContentSource, _ range: Range<Int>) {
        self.source = source
        self.range = range
    }

    /// Bytes that are written here.
    init(_ bytes: [UInt8]) {
        self.init(.bytes(bytes))
    }

    /// Lends all of it in order, piece by piece; blocks as the disk does.
    func read(_ visit: (Span<UInt8>) throws -> Void) throws {
        switch source {
        case .bytes(let bytes): try visit(bytes.span.extracting(range))
        case .generated(let generator):
            var buffer: [UInt8] = []
            var position = range.lowerBound
            while position < range.upperBound {
                let part = generator.piece(from: position, upTo: range.upperBound, in: &buffer)
                try visit(buffer.span.extracting(part))
                position += part.count
            }
        case .file(let file):
            let open = try file.open()
            var position = range.lowerBound
            while position < range.upperBound {
                let bytes = try open.bytes(from: position, byteCount: min(range.upperBound - position, 128 << 10))
                guard !bytes.isEmpty else { throw file.isShort(now: position) }
                try visit(bytes.span)
                position += bytes.count
            }
        case .scratch(let file, _):
            var position = range.lowerBound
            while position < range.upperBound {
                let bytes = try file.file.bytes(from: position, byteCount: min(range.upperBound - position, 128 << 10))
                guard !bytes.isEmpty else {
                    throw CallFailure(call: "pread", code: 0, text: "a temporary file was cut")
                }
                try visit(bytes.span)
                position += bytes.count
            }
        }
    }
}
