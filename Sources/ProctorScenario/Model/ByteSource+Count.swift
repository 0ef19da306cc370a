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
