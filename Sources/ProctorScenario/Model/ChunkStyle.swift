/// How the chunks of a body are cut and spelled (RFC 9112 §7.1).
public struct ChunkStyle: Sendable, Equatable {
    /// Bytes of each chunk in order, 1 or more, the last one repeated; empty: one chunk for each piece of the body.
    public let sizes: [Int]
    /// Put verbatim behind each size, as `;note=first`: by turn, the last one stays; empty: nothing.
    public let extensions: [[UInt8]]
    /// Whether `A` to `F` are written in capitals.
    public let usesCapitals: Bool
    /// Sizes are filled up with zeros to this many digits, from 1 to 64.
    public let digitCount: Int
    /// False: the body breaks off where the last chunk should stand; trailers are not sent either.
    public let hasLastChunk: Bool

    /// The defaults are what common servers send.
    public init(
        sizes: [Int] = [], extensions: [[UInt8]] = [], usesCapitals: Bool = false, digitCount: Int = 1,
        hasLastChunk: Bool = true
    ) {
        self.sizes = sizes
        self.extensions = extensions
        self.usesCapitals = usesCapitals
        self.digitCount = digitCount
        self.hasLastChunk = hasLastChunk
    }
}

extension ChunkStyle {
    /// All extensions of a reply together have at most this many bytes, so that its plan stays small.
    package static let extensionByteBound = 64 << 20

    /// How many chunks a reply may have: 65,536, or fewer where their extensions would be too long together.
    package var chunkBound: Int {
        var left = Self.extensionByteBound
        for (index, note) in extensions.enumerated() {
            guard left >= note.count else { return max(1, index) }
            left -= note.count
        }
        guard let last = extensions.last, !last.isEmpty else { return Bounds.chunks }
        return max(1, min(Bounds.chunks, extensions.count + left / last.count))
    }

    /// Whether content of that length is more than so many chunks of the sizes that are given.
    func makesMoreChunks(than bound: Int, of byteCount: Int) -> Bool {
        guard let last = sizes.last else { return false }
        var left = byteCount
        for (index, size) in sizes.dropLast().enumerated() {
            guard left > 0 else { return false }
            guard index < bound else { return true }
            left -= size
        }
        // A list of sizes has a bound, and so has each of them.
        return left > last * max(0, bound - sizes.count + 1)
    }
}
