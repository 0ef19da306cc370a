package import ProctorBase
package import ProctorScenario

package enum ContentSource: Sendable {
    /// In memory; sent together with neighbouring bytes.
    case bytes([UInt8])
    indirect case generated(ByteGenerator)
    indirect case file(SidecarFile)
    /// Coded content that is too long for memory.
    indirect case scratch(ScratchFile, byteCount: Int)

    /// Generated content up to this size is made once, so that head and content are one write.
    private static let madeOnceLimit = 128 << 10

    /// Templates in `source` must be bound already.
    package init(_ source: ByteSource) {
        switch source {
        case .literal(let bytes): self = .bytes(bytes)
        case .template(let template): self = .bytes(template.literalBytes ?? [])
        case .file(let file): self = .file(file)
        case .repeated(_, let byteCount), .pattern(_, let byteCount):
            let generator = ByteGenerator(source)
            self = byteCount <= Self.madeOnceLimit ? .bytes(generator.all) : .generated(generator)
        }
    }

    package var byteCount: Int {
        switch self {
        case .bytes(let bytes): bytes.count
        case .generated(let generator): generator.byteCount
        case .file(let file): file.byteCount
        case .scratch(_, let byteCount): byteCount
        }
    }
}

package struct ContentPiece: Sendable {
    package let source: ContentSource
    package let range: Range<Int>

    package init(_ source: ContentSource) {
        self.source = source
        range = 0..<source.byteCount
    }

    package init(_ source: ContentSource, _ range: Range<Int>) {
        (self.source, self.range) = (source, range)
    }

    package init(_ bytes: [UInt8]) {
        self.init(.bytes(bytes))
    }

    /// Lends all bytes in order, piece by piece; blocks on disk reads.
    package func read(_ visit: (Span<UInt8>) throws -> Void) throws {
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
        case .file(let file): try read(file.open(), visit) { file.isShort(now: $0) }
        case .scratch(let file, _):
            try read(file.file, visit) { _ in CallFailure(call: "pread", code: 0, text: "a temporary file was cut") }
        }
    }

    /// `isShort` makes the error for a file that ends after so many bytes.
    private func read(
        _ file: borrowing OpenFile, _ visit: (Span<UInt8>) throws -> Void, isShort: (Int) -> any Error
    ) throws {
        var position = range.lowerBound
        while position < range.upperBound {
            let bytes = try file.bytes(from: position, byteCount: min(range.upperBound - position, 128 << 10))
            guard !bytes.isEmpty else { throw isShort(position) }
            try visit(bytes.span)
            position += bytes.count
        }
    }
}

/// Pieces of content as one sequence of bytes.
struct ReplyContent {
    let pieces: [ContentPiece]
    let byteCount: Int

    init(pieces: [ContentPiece]) {
        self.pieces = pieces
        byteCount = pieces.reduce(0) { $0 + $1.range.count }
    }

    struct Part {
        let range: Range<Int>
        let piece: ContentPiece
    }

    /// Visits the parts of `range` in order, cut at piece boundaries and at `stops`, which are sorted.
    func walk<Failure: Error>(
        _ range: Range<Int>, stops: [Int] = [], _ visit: (Part) throws(Failure) -> Void
    ) throws(Failure) {
        var pieceStart = 0
        var stops = stops[...]
        for piece in pieces {
            let pieceEnd = pieceStart + piece.range.count
            var position = max(range.lowerBound, pieceStart)
            let end = min(range.upperBound, pieceEnd)
            while position < end {
                while let stop = stops.first, stop <= position { stops.removeFirst() }
                let next = min(stops.first ?? end, end)
                let start = piece.range.lowerBound + (position - pieceStart)
                try visit(
                    Part(
                        range: position..<next,
                        piece: ContentPiece(piece.source, start..<start + (next - position))))
                position = next
            }
            pieceStart = pieceEnd
        }
    }

    /// All bytes; nil where some are generated or read while they are sent.
    var bytesInMemory: [UInt8]? {
        var all: [UInt8] = []
        for piece in pieces {
            guard case .bytes(let bytes) = piece.source else { return nil }
            all += bytes[piece.range]
        }
        return all
    }

    func pieces(of range: Range<Int>) -> [ContentPiece] {
        var pieces: [ContentPiece] = []
        walk(range) { pieces.append($0.piece) }
        return pieces
    }
}

extension SidecarFile {
    /// Opens the file that was loaded, without following links; throws ``ReplyFailure/sourceFailed(_:)`` where the
    /// file was replaced or written since.
    package func open() throws(ReplyFailure) -> OpenFile {
        let file: OpenFile
        do throws(CallFailure) {
            file = try OpenFile(path: loaded?.realPath ?? path, followsLinks: loaded == nil)
        } catch {
            throw .sourceFailed("\(error)")
        }
        guard let loaded, let identity = file.identity, let change = loaded.identity.change(to: identity) else {
            return file
        }
        throw .sourceFailed(
            "\(path) has changed since it was loaded: \(change); load the fixtures again (serve --watch, or SIGHUP)")
    }

    /// The file was truncated while it was sent.
    package func isShort(now byteCount: Int) -> ReplyFailure {
        .sourceFailed("\(path) has \(byteCount) bytes now, and had \(self.byteCount) when it was loaded")
    }
}
