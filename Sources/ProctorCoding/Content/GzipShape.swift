/// What can be chosen of a gzip file beside its content (RFC 1952 §2.3); every member has the same header.
public struct GzipShape: Sendable, Equatable {
    /// Bytes of content of each member in order, the last one takes the rest; empty: one member.
    ///
    /// A member is begun only while content is left.
    public let memberSizes: [Int]
    /// FNAME in ISO 8859-1, without its NUL.
    public let name: [UInt8]?
    /// FCOMMENT in ISO 8859-1, without its NUL.
    public let comment: [UInt8]?
    /// FEXTRA, 65,535 bytes at most.
    public let extra: [UInt8]?
    /// MTIME in seconds since 1970; 0: none.
    public let modified: UInt32
    /// Whether FHCRC stands behind the header.
    public let hasHeaderChecksum: Bool
    /// ISIZE is wrong.
    public let hasWrongLength: Bool

    /// The defaults are a file of one member that says nothing of itself.
    public init(
        memberSizes: [Int] = [], name: [UInt8]? = nil, comment: [UInt8]? = nil, extra: [UInt8]? = nil,
        modified: UInt32 = 0, hasHeaderChecksum: Bool = false, hasWrongLength: Bool = false
    ) {
        self.memberSizes = memberSizes
        self.name = name
        self.comment = comment
        self.extra = extra
        self.modified = modified
        self.hasHeaderChecksum = hasHeaderChecksum
        self.hasWrongLength = hasWrongLength
    }
}
