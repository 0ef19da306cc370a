/// What the content of a request must be.
public enum BodyPattern: Sendable {
    /// These bytes.
    case exact(ByteSource)
    /// A form in application/x-www-form-urlencoded with exactly these pairs, in any order; names and values are decoded
    /// before they are compared (WHATWG URL §5.1).
    case form([RequestPattern.QueryItem])
    /// multipart/form-data with exactly these parts, in this order (RFC 7578).
    case parts([PartPattern])
}

/// What one part of a multipart/form-data body must be like.
public struct PartPattern: Sendable {
    /// `name` of its Content-Disposition.
    public let name: [UInt8]
    /// `filename` of its Content-Disposition; nil means any or none.
    public let fileName: BytePattern?
    /// Its Content-Type; nil means any or none.
    public let contentType: BytePattern?
    /// Its content; nil means any.
    public let body: ByteSource?

    /// A part of that name.
    public init(name: [UInt8], fileName: BytePattern? = nil, contentType: BytePattern? = nil, body: ByteSource? = nil) {
        self.name = name
        self.fileName = fileName
        self.contentType = contentType
        self.body = body
    }
}
