/// A form in multipart/form-data, read (RFC 7578).
public struct FormData: Sendable, Equatable {
    /// In order; the same name may come again.
    public let parts: [Part]

    /// One field of the form, or one file of it.
    public struct Part: Sendable, Equatable {
        /// Its Content-Disposition's `name`, kept byte for byte: browsers write `"`, CR and LF as `%22`, `%0D` and `%0A`.
        public let name: [UInt8]
        /// `filename*` where it can be read, else `filename`; nil for a field that is no file.
        public let fileName: [UInt8]?
        /// The value of its Content-Type; nil stands for text/plain (§4.4).
        public let contentType: [UInt8]?
        /// All lines of its head.
        public let fields: [HTTPField]
        /// Without the line end before the boundary.
        public let content: [UInt8]
    }

    /// What a form may have before it is refused.
    public struct Limits: Sendable, Equatable {
        /// Parts.
        public var partCount: Int
        /// Bytes of all parts' content together.
        public var contentByteCount: Int
        /// Bytes of one part's head.
        public var headByteCount: Int

        /// A thousand parts of 16 MiB together, and 16 KiB for each head, unless told otherwise.
        public init(partCount: Int = 1_000, contentByteCount: Int = 16 << 20, headByteCount: Int = 16 << 10) {
            self.partCount = partCount
            self.contentByteCount = contentByteCount
            self.headByteCount = headByteCount
        }
    }

    /// Reads a whole body; `contentType` is the value of its Content-Type field, nil where it has none.
    public init(
        parsing body: [UInt8], contentType: [UInt8]?, limits: Limits = Limits()
    ) throws(FormViolation) {
        var reader = try FormDataReader(contentType: contentType, limits: limits)
        try reader.read(body.span)
        self = try reader.finish()
    }

    init(_ parts: [Part]) { self.parts = parts }

    /// The parts of this name, in order.
    public func parts(named name: String) -> [Part] { parts.filter { $0.name.elementsEqual(name.utf8) } }
}
