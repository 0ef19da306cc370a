package import ProctorBase

/// Bytes a fixture writes as text, `hex:`, `base64:`, `file:`, `repeat:` or `pattern:`.
package enum ByteSource: Sendable {
    case literal([UInt8])
    /// Text with late-bound parts; its length is known when their values are known.
    case template(Template)
    /// A sidecar file; opened when it is sent, never read as a whole.
    case file(SidecarFile)
    /// `unit` repeated to `byteCount` bytes; `unit` is not empty.
    case repeated(unit: [UInt8], byteCount: Int)
    /// Bytes that are each computed from their offset.
    case pattern(OffsetPattern, byteCount: Int)
}

/// A file beside a fixture; it was readable and inside the fixture root when the fixture was loaded.
package struct SidecarFile: Sendable {
    /// The path, relative to the working directory at loading.
    package let path: String
    /// The length in bytes at loading.
    package let byteCount: Int
    /// Where the fixture names the file.
    package let location: SourceLocation
    /// nil when the file was not inspected at loading.
    package var loaded: Loaded?

    package init(path: String, byteCount: Int, location: SourceLocation, loaded: Loaded? = nil) {
        (self.path, self.byteCount, self.location, self.loaded) = (path, byteCount, location, loaded)
    }

    /// The identity of a file at loading; another file at the same path is not sent.
    package struct Loaded: Sendable {
        /// The absolute path without symbolic links.
        package let realPath: String
        package let identity: FileIdentity

        package init(realPath: String, identity: FileIdentity) {
            (self.realPath, self.identity) = (realPath, identity)
        }
    }
}

/// A pattern of bytes in which a client can check any range of a body alone.
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
    /// A literal source when no part is late-bound.
    package init(_ template: Template) {
        self = template.literalBytes.map { .literal($0) } ?? .template(template)
    }

    /// The number of bytes if it is known before the reply is made; for a sidecar file, its length at loading.
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
    /// The sum for all pieces if it is known before the reply is made.
    package var byteCount: Int? {
        var sum = 0
        for case .bytes(let source) in self {
            guard let count = source.byteCount else { return nil }
            sum += count
        }
        return sum
    }
}
