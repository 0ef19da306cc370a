package import ProctorCoding

/// The codings of the content, applied before framing, and the field that names them.
package struct BodyCoding: Sendable, Equatable {
    package let plan: Plan
    /// The field that names the coding; with a content coding, ``Effect/Position/body(_:)`` counts coded bytes.
    package var place = Place.content
    package var label = Label.names

    package init(plan: Plan, place: Place = .content, label: Label = .names) {
        (self.plan, self.place, self.label) = (plan, place, label)
    }

    package enum Plan: Sendable, Equatable {
        /// All steps in order; never empty.
        case apply([CodingStep])
        /// The step that `Accept-Encoding` prefers (RFC 9110 §12.5.3), the first of equal ones; no coding when only
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
        /// This text, whether or not it is true.
        case text([UInt8])
        /// No field at all.
        case absent
    }
}

package struct ChunkStyle: Sendable, Equatable {
    /// The byte counts of the chunks, 1 or more, the last one repeated; empty: one chunk for each piece of the body.
    package var sizes: [Int] = []
    /// The bytes after each chunk size, such as `;note=first`, one for each chunk in turn; the last one repeats.
    ///
    /// Empty: no extensions.
    package var extensions: [[UInt8]] = []
    /// Whether the digits `A` to `F` are in upper case.
    package var usesCapitals = false
    /// The fewest digits of a chunk size, 1 to 64; it is padded with zeros.
    package var digitCount = 1
    /// Whether the last chunk and the trailers are sent.
    package var hasLastChunk = true

    package init(
        sizes: [Int] = [], extensions: [[UInt8]] = [], usesCapitals: Bool = false, digitCount: Int = 1,
        hasLastChunk: Bool = true
    ) {
        (self.sizes, self.extensions, self.usesCapitals) = (sizes, extensions, usesCapitals)
        (self.digitCount, self.hasLastChunk) = (digitCount, hasLastChunk)
    }
}

extension ChunkStyle {
    /// The most bytes of all extensions of a reply together, which bounds the memory for the reply.
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

    /// Whether content of that length makes more than `bound` chunks.
    package func makesMoreChunks(than bound: Int, of byteCount: Int) -> Bool {
        guard let last = sizes.last else { return false }
        var left = byteCount
        for (index, size) in sizes.dropLast().enumerated() {
            guard left > 0 else { return false }
            guard index < bound else { return true }
            left -= size
        }
        // `sizes` has a bounded count, and each size is bounded, so nothing overflows.
        return left > last * max(0, bound - sizes.count + 1)
    }
}

/// The speed of a reply: portions of bytes at a fixed interval, the first one at once.
package struct Pace: Sendable, Equatable {
    /// The bytes of a portion, 1 or more.
    package let byteCount: Int
    /// The time between two portions.
    package let interval: Duration
    package var scope = Scope.body

    package init(byteCount: Int, interval: Duration, scope: Scope = .body) {
        (self.byteCount, self.interval, self.scope) = (byteCount, interval, scope)
    }

    /// The part of a reply that is sent at the pace.
    package enum Scope: String, Sendable, CaseIterable {
        /// The body with its framing; the head is sent at once.
        case body
        /// Everything from the first byte of the first head.
        case reply
    }
}

/// Where a reply is cut into separate writes; offsets count from its first byte.
package enum Slicing: Sendable, Equatable {
    case everyByte
    /// After every so many bytes, 1 or more.
    case size(Int)
    /// Before these offsets, which ascend and do not contain 0.
    case offsets([Int])
    /// Between CR and LF, in heads and chunk framing.
    case midCRLF
    /// Inside every chunk size of two digits or more, and before the CR of the others.
    case midChunkSize
    /// Inside every character of the content that has several bytes.
    case midUTF8
    /// At most this many slices, at offsets that depend only on the seed.
    case random(seed: UInt64, count: Int)
    /// In two slices, at an offset that depends only on the seed, where the reply has at most so many bytes.
    case once(seed: UInt64, byteLimit: Int)
}

/// How the replies of a run are cut that have neither slices nor a pace of their own.
package enum Recutting: Sendable {
    /// All of them, in up to 12 slices.
    case often(seed: UInt64)
    /// Small ones in two segments of TCP, over HTTP/1.1 alone.
    case once(seed: UInt64)
}

/// A part of the request that a file server evaluates and that changes the reply.
package enum Honour: String, Sendable, CaseIterable {
    /// `Range` with `If-Range`: 206, multipart/byteranges or 416 in place of a 200 (RFC 9110 §14).
    case ranges
    /// `If-Match`, `If-None-Match`, `If-Modified-Since`, `If-Unmodified-Since`: 304 or 412 in place of a 200 (RFC 9110
    /// §13).
    case conditions
}
