package import ProctorCoding

/// The codings of the content before framing, and the field that names them.
package struct BodyCoding: Sendable, Equatable {
    package let plan: Plan
    /// The field of the coding; with a content coding, offsets of ``Effect/Position/body(_:)`` count coded bytes.
    package internal(set) var place = Place.content
    package internal(set) var label = Label.names

    package enum Plan: Sendable, Equatable {
        /// All steps in order; never empty.
        case apply([CodingStep])
        /// The step that `Accept-Encoding` prefers (RFC 9110 §12.5.3), of equal ones the first; no coding when only
        /// identity is acceptable.
        case negotiate([CodingStep])
    }

    package enum Place: String, Sendable, CaseIterable {
        /// `Content-Encoding`
        case content
        /// `Transfer-Encoding`, before `chunked` where the body is chunked.
        case transfer
    }

    package enum Label: Sendable, Equatable {
        /// The names of the applied steps, in order.
        case names
        /// This text, true or false.
        case text([UInt8])
        /// No field at all.
        case absent
    }
}

package struct ChunkStyle: Sendable, Equatable {
    /// Bytes of each chunk, 1 or more, the last one repeated; empty: one chunk for each piece of the body.
    package internal(set) var sizes: [Int] = []
    /// The bytes after each size, such as `;note=first`, in turn; the last one repeats.
    ///
    /// Empty: none.
    package internal(set) var extensions: [[UInt8]] = []
    /// Whether `A` to `F` are written in capitals.
    package internal(set) var usesCapitals = false
    /// Sizes are padded with zeros to this many digits, 1 to 64.
    package internal(set) var digitCount = 1
    /// False: the body ends before the last chunk, and no trailers are sent.
    package internal(set) var hasLastChunk = true
}

extension ChunkStyle {
    /// The most bytes of all extensions of a reply together; bounds its plan.
    package static let extensionByteBound = 64 << 20

    /// The most chunks of a reply: 65,536, or fewer with long extensions.
    package var chunkBound: Int {
        var left = Self.extensionByteBound
        for (index, note) in extensions.enumerated() {
            guard left >= note.count else { return max(1, index) }
            left -= note.count
        }
        guard let last = extensions.last, !last.isEmpty else { return Bounds.chunks }
        return max(1, min(Bounds.chunks, extensions.count + left / last.count))
    }

    /// Whether content of that length needs more than `bound` chunks.
    func makesMoreChunks(than bound: Int, of byteCount: Int) -> Bool {
        guard let last = sizes.last else { return false }
        var left = byteCount
        for (index, size) in sizes.dropLast().enumerated() {
            guard left > 0 else { return false }
            guard index < bound else { return true }
            left -= size
        }
        // The number of sizes is bounded, and so is each size.
        return left > last * max(0, bound - sizes.count + 1)
    }
}

/// The speed of a reply: portions at fixed intervals from the first one.
package struct Pace: Sendable, Equatable {
    /// 1 or more.
    package let byteCount: Int
    /// Between two portions.
    package let interval: Duration
    package internal(set) var scope = Scope.body

    /// The part of a reply that keeps the pace.
    package enum Scope: String, Sendable, CaseIterable {
        /// The body as framed; the head is sent at once.
        case body
        /// Everything from the first byte of the first head.
        case reply
    }
}

/// Where a reply is cut into separate writes, counted from its first byte.
package enum Slicing: Sendable, Equatable {
    case everyByte
    /// Every so many bytes, 1 or more.
    case size(Int)
    /// Before these offsets; ascending, without 0.
    case offsets([Int])
    /// Between CR and LF, in heads and chunk framing.
    case midCRLF
    /// Inside every chunk size of two digits or more, and before the CR of the others.
    case midChunkSize
    /// Inside every multi-byte character of the content.
    case midUTF8
    /// At most this many slices, at places that depend on the seed alone.
    case random(seed: UInt64, count: Int)
}

/// A part of the request that a file server obeys and that changes the reply.
package enum Honour: String, Sendable, CaseIterable {
    /// `Range` with `If-Range`: 206, multipart/byteranges or 416 in place of a 200 (RFC 9110 §14).
    case ranges
    /// `If-Match`, `If-None-Match`, `If-Modified-Since`, `If-Unmodified-Since`: 304 or 412 in place of a 200 (RFC 9110 §13).
    case conditions
}
