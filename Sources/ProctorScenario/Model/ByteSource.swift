package import ProctorBase

/// Bytes a fixture writes as text, `hex:`, `base64:`, `file:`, `repeat:` or `pattern:`.
package enum ByteSource: Sendable {
    case literal([UInt8])
    /// Text with late-bound parts; its length is known when they are filled in.
    case template(Template)
    /// A sidecar file; opened when it is sent, never read as a whole.
    case file(SidecarFile)
    /// `unit` repeated to `byteCount` bytes; `unit` is not empty.
    case repeated(unit: [UInt8], byteCount: Int)
    /// Each byte is a function of its offset.
    case pattern(OffsetPattern, byteCount: Int)
}

/// A file beside a fixture; at load it was readable and inside the fixture root.
package struct SidecarFile: Sendable {
    /// Relative to the working directory of the load.
    package let path: String
    /// The length at load.
    package let byteCount: Int
    /// Where the fixture names the file.
    package let location: SourceLocation
    /// nil when the file was not inspected at load.
    package internal(set) var loaded: Loaded?

    /// The identity of a file at load; a file that replaces it is not sent.
    package struct Loaded: Sendable {
        /// Absolute, without symbolic links.
        package let realPath: String
        package let identity: FileIdentity
    }
}

/// A body of which every slice can be checked on its own.
package enum OffsetPattern: String, Sendable, CaseIterable {
    /// `(offset &* 0x9E37_79B9_7F4A_7C15) >> 56`.
    case offset

    package func byte(at offset: Int) -> UInt8 {
        switch self {
        case .offset: UInt8(truncatingIfNeeded: (UInt64(bitPattern: Int64(offset)) &* 0x9E37_79B9_7F4A_7C15) >> 56)
        }
    }
}

extension ByteSource {
    /// The number of bytes, if known before the reply is made; a sidecar file has its length at load.
    package var byteCount: Int? {
        switch self {
        case .literal(let bytes): bytes.count
        case .template(let template): template.literalBytes?.count
        case .file(let file): file.byteCount
        case .repeated(_, let byteCount): byteCount
        case .pattern(_, let byteCount): byteCount
        }
    }

    package var literalBytes: [UInt8]? {
        switch self {
        case .literal(let bytes): bytes
        case .template(let template): template.literalBytes
        case .file, .repeated, .pattern: nil
        }
    }
}

extension [BodyPiece] {
    /// The sum of all pieces, if known before the reply is made.
    package var byteCount: Int? {
        var sum = 0
        for case .bytes(let source) in self {
            guard let count = source.byteCount else { return nil }
            sum += count
        }
        return sum
    }
}
