public import ProctorBase

/// Bytes a fixture writes as text, `hex:`, `base64:`, `file:`, `repeat:` or `pattern:`.
public enum ByteSource: Sendable {
    case literal([UInt8])
    /// Text with late-bound parts; its length is known when they are.
    case template(Template)
    /// A sidecar file; opened when it is sent, never read into memory as a whole.
    case file(SidecarFile)
    /// `unit` over and over until `byteCount` bytes are written; `unit` is not empty.
    case repeated(unit: [UInt8], byteCount: Int)
    /// Bytes that are a pure function of their offset.
    case pattern(OffsetPattern, byteCount: Int)
}

/// A file beside a fixture, checked at load to be inside the fixture root and readable.
public struct SidecarFile: Sendable {
    /// Reachable from the working directory of the load.
    public let path: String
    /// At load.
    public let byteCount: Int
    /// Where the fixture names it.
    public let location: SourceLocation
    /// nil for a file that was not looked at when the scenario was loaded.
    public let loaded: Loaded?

    /// What a file was at load; another one in its place is not sent.
    public struct Loaded: Sendable {
        /// Absolute, and without any symbolic link.
        public let realPath: String
        /// As the system had it.
        public let identity: FileIdentity

        /// Both of the same moment.
        public init(realPath: String, identity: FileIdentity) {
            self.realPath = realPath
            self.identity = identity
        }
    }

    /// A file that was looked at and found good.
    public init(path: String, byteCount: Int, location: SourceLocation, loaded: Loaded? = nil) {
        self.path = path
        self.byteCount = byteCount
        self.location = location
        self.loaded = loaded
    }
}

/// A body whose every slice can be checked without the rest.
public enum OffsetPattern: String, Sendable, CaseIterable {
    /// The low byte of the offset times a big odd number: `(offset &* 0x9E37_79B9_7F4A_7C15) >> 56`.
    case offset

    /// The byte at `offset`, which counts from 0.
    public func byte(at offset: Int) -> UInt8 {
        switch self {
        case .offset: UInt8(truncatingIfNeeded: (UInt64(bitPattern: Int64(offset)) &* 0x9E37_79B9_7F4A_7C15) >> 56)
        }
    }
}

extension ByteSource {
    /// How many bytes there are, if that is known before a reply is made; a sidecar file counts as it was at load.
    public var byteCount: Int? {
        switch self {
        case .literal(let bytes): bytes.count
        case .template(let template): template.literalBytes?.count
        case .file(let file): file.byteCount
        case .repeated(_, let byteCount): byteCount
        case .pattern(_, let byteCount): byteCount
        }
    }

    /// The bytes, when they stand in the fixture itself and nothing is late-bound.
    public var literalBytes: [UInt8]? {
        switch self {
        case .literal(let bytes): bytes
        case .template(let template): template.literalBytes
        case .file, .repeated, .pattern: nil
        }
    }
}

extension [BodyPiece] {
    /// Bytes of all pieces, if that is known before a reply is made.
    public var byteCount: Int? {
        var sum = 0
        for case .bytes(let source) in self {
            guard let count = source.byteCount else { return nil }
            sum += count
        }
        return sum
    }
}
