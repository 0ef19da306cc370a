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

/// Reads multipart/form-data as it arrives (RFC 7578); cut however, the same bytes give the same form.
///
/// A refusal ends the reading: nothing may be read behind it.
public struct FormDataReader: Sendable {
    private var reader: MultipartReader
    private let limits: FormData.Limits
    private var parts: [FormData.Part] = []
    /// The part that is being read.
    private var head: Head?
    private var content: [UInt8] = []
    private var contentByteCount = 0
    /// Bytes of the form that were read.
    private var position = 0
    /// Where the content of the part begins, so that a refusal names the same place however the form is cut.
    private var contentStart = 0
    private var isClosed = false

    private struct Head {
        let name: [UInt8]
        let fileName: [UInt8]?
        let fields: [HTTPField]
    }

    /// `contentType` is the value of the body's Content-Type field, nil where it has none.
    public init(contentType: [UInt8]?, limits: FormData.Limits = FormData.Limits()) throws(FormViolation) {
        guard let contentType, let type = MediaType(contentType), type.essence == "multipart/form-data",
            let reader = MultipartReader(type, headByteLimit: limits.headByteCount)
        else { throw FormViolation(.notMultipart(contentType), at: 0) }
        self.reader = reader
        self.limits = limits
    }

    /// Reads on with the next bytes of the body.
    public mutating func read(_ bytes: Span<UInt8>) throws(FormViolation) {
        let start = position
        var offset = 0
        while let event = reader.next(bytes, at: &offset) {
            position = start + offset
            try take(event)
        }
        position = start + bytes.count
    }

    /// The body is complete.
    public mutating func finish() throws(FormViolation) -> FormData {
        while let event = reader.end() { try take(event) }
        guard isClosed else { throw FormViolation(.notClosed, at: position) }
        return FormData(parts)
    }

    private mutating func take(_ event: MultipartEvent) throws(FormViolation) {
        switch event {
        case .partBegan(let section):
            guard parts.count < limits.partCount else {
                throw FormViolation(.tooManyParts(bound: limits.partCount), at: position)
            }
            head = try read(Array(section))
            contentStart = position
        case .content(let bytes):
            guard bytes.count <= limits.contentByteCount - contentByteCount else {
                throw FormViolation(.tooLong(bound: limits.contentByteCount), at: contentStart)
            }
            contentByteCount += bytes.count
            content += bytes
        case .partEnded:
            guard let head else { return }
            parts.append(
                FormData.Part(
                    name: head.name, fileName: head.fileName,
                    contentType: head.fields.first(named: "Content-Type")?.bytes,
                    fields: head.fields, content: content))
            self.head = nil
            content = []
        case .ended(let isClosed): self.isClosed = isClosed
        case .refused(let violation): throw FormViolation(.partHead(violation), at: violation.offset)
        }
    }

    /// A part must say that it is form data, and of which name (§4.2).
    private func read(_ lines: [FieldLine]) throws(FormViolation) -> Head {
        let fields = lines.map { HTTPField($0) }
        guard let disposition = fields.first(named: "Content-Disposition") else { throw nameless }
        var cursor = FieldCursor(disposition.bytes)
        cursor.skipBlanks()
        guard let type = cursor.takeToken(), FieldText.decode(type).lowercased() == "form-data" else { throw nameless }
        let parameters = FieldParameters(&cursor)
        guard let name = parameters["name"] else { throw nameless }
        // §4.2 forbids senders `filename*`; where one comes all the same, it is the one that says its letters.
        let extended = parameters["filename*"].flatMap(ExtendedValue.decode).map { Array($0.utf8) }
        return Head(name: name, fileName: extended ?? parameters["filename"], fields: fields)
    }

    private var nameless: FormViolation { FormViolation(.nameless(part: parts.count + 1), at: position) }
}
