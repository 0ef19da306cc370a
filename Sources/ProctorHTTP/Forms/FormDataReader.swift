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
