internal import ProctorBase

/// A form in multipart/form-data (RFC 7578).
package struct FormData: Sendable, Equatable {
    package let parts: [Part]

    package struct Part: Sendable, Equatable {
        /// `name` of its Content-Disposition, in raw bytes: browsers write `"`, CR and LF as `%22`, `%0D` and `%0A`.
        package let name: [UInt8]
        /// What ``fileNameSpelling`` means: the same name is `a%22b é`, `a%22b%20%C3%A9` and `a\"b é` by client.
        ///
        /// Escapes are undone where that gives UTF-8 (RFC 7578 §4.2).
        package let fileName: [UInt8]?
        /// `filename*` if it is readable, else `filename`, without quotes; nil for a field that is no file.
        package let fileNameSpelling: [UInt8]?
        /// The value of its Content-Type; nil means text/plain (§4.4).
        package let contentType: [UInt8]?
        package let fields: [HTTPField]
        /// The content without the line end before the boundary.
        package let content: [UInt8]
    }

    package struct Limits: Sendable, Equatable {
        package var partCount: Int
        package var contentByteCount: Int
        package var headByteCount: Int

        /// The default bounds are 1,000 parts, 16 MiB in all, 16 KiB for each head.
        package init(partCount: Int = 1_000, contentByteCount: Int = 16 << 20, headByteCount: Int = 16 << 10) {
            (self.partCount, self.contentByteCount, self.headByteCount) = (partCount, contentByteCount, headByteCount)
        }
    }

    /// Reads a whole body; `contentType` is the value of its Content-Type field, nil without one.
    package init(parsing body: [UInt8], contentType: [UInt8]?, limits: Limits = Limits()) throws(FormViolation) {
        var reader = try FormDataReader(contentType: contentType, limits: limits)
        try reader.read(body.span)
        self = try reader.finish()
    }

    init(_ parts: [Part]) { self.parts = parts }
}

/// Reads multipart/form-data as it arrives (RFC 7578); the result does not depend on how the bytes are split.
///
/// After a refusal no more bytes may be read.
package struct FormDataReader: Sendable {
    private var reader: MultipartReader
    private let limits: FormData.Limits
    private var parts: [FormData.Part] = []
    private var head: Head?
    private var content: [UInt8] = []
    private var contentByteCount = 0
    private var position = 0
    /// The offset of the part's content, so that a refusal names the same offset however the bytes are split.
    private var contentStart = 0
    private var isClosed = false

    private struct Head {
        let name: [UInt8]
        let fileName: [UInt8]?
        let fields: [HTTPField]
    }

    /// `contentType` is the value of the body's Content-Type field, nil without one.
    package init(contentType: [UInt8]?, limits: FormData.Limits = FormData.Limits()) throws(FormViolation) {
        guard let contentType, let type = MediaType(contentType), type.essence == "multipart/form-data",
            let reader = MultipartReader(type, headByteLimit: limits.headByteCount)
        else { throw FormViolation(.notMultipart(contentType), at: 0) }
        (self.reader, self.limits) = (reader, limits)
    }

    package mutating func read(_ bytes: Span<UInt8>) throws(FormViolation) {
        let start = position
        var offset = 0
        while let event = reader.next(bytes, at: &offset) {
            position = start + offset
            try readEvent(event)
        }
        position = start + bytes.count
    }

    package mutating func finish() throws(FormViolation) -> FormData {
        while let event = reader.finish() { try readEvent(event) }
        guard isClosed else { throw FormViolation(.notClosed, at: position) }
        return FormData(parts)
    }

    private mutating func readEvent(_ event: MultipartEvent) throws(FormViolation) {
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
                    name: head.name, fileName: head.fileName.map(Self.meaning), fileNameSpelling: head.fileName,
                    contentType: head.fields.first(named: "Content-Type")?.bytes, fields: head.fields, content: content)
            )
            self.head = nil
            content = []
        case .ended(let isClosed): self.isClosed = isClosed
        case .refused(let violation): throw FormViolation(.partHead(violation), at: violation.offset)
        }
    }

    private static func meaning(_ name: [UInt8]) -> [UInt8] {
        guard let decoded = PercentText.decode(name), String(validating: decoded, as: UTF8.self) != nil else {
            return name
        }
        return decoded
    }

    /// A part must be form-data with a name (§4.2).
    private func read(_ lines: [FieldLine]) throws(FormViolation) -> Head {
        let fields = lines.map { HTTPField($0) }
        guard let disposition = fields.first(named: "Content-Disposition") else { throw nameless }
        var cursor = FieldCursor(disposition.bytes)
        cursor.skipBlanks()
        guard let type = cursor.takeToken(), FieldText.decode(type).lowercased() == "form-data" else { throw nameless }
        let parameters = FieldParameters(&cursor)
        guard let name = parameters["name"] else { throw nameless }
        // §4.2 forbids `filename*`; if it is sent nevertheless, it has precedence.
        let extended = parameters["filename*"].flatMap(ExtendedValue.decode).map { Array($0.utf8) }
        return Head(name: name, fileName: extended ?? parameters["filename"], fields: fields)
    }

    private var nameless: FormViolation { FormViolation(.nameless(part: parts.count + 1), at: position) }
}

/// Why bytes are no form.
package struct FormViolation: Error, Sendable, Equatable {
    package let kind: Kind
    package let offset: Int

    package enum Kind: Sendable, Equatable {
        case tooManyPairs(bound: Int)
        /// The Content-Type (nil: none) is not multipart/form-data with a legal boundary.
        case notMultipart([UInt8]?)
        case tooManyParts(bound: Int)
        case tooLong(bound: Int)
        /// The part with that number, from 1, has no field name.
        case nameless(part: Int)
        /// A part's head is malformed; its offset counts from the start of the form.
        case partHead(Violation)
        /// The closing boundary is missing.
        case notClosed
    }

    /// Makes a violation for tests and journals.
    package init(_ kind: Kind, at offset: Int) {
        (self.kind, self.offset) = (kind, offset)
    }

    package var section: String { kind.row.section }

    /// The error and the correct form.
    package var sentence: String { kind.row.sentence }
}

extension FormViolation.Kind {
    var row: (section: String, sentence: String) {
        switch self {
        case .tooManyPairs(let bound):
            ("WHATWG URL §5.1", "the form has more than \(bound) pairs, which is as many as are read")
        case .notMultipart(let value):
            (
                "RFC 7578 §4.1",
                "the Content-Type is \(value.map { ByteQuote.quote($0) } ?? "missing"); "
                    + "expected multipart/form-data with a boundary of 1 to 70 bytes"
            )
        case .tooManyParts(let bound):
            ("RFC 7578 §7", "the form has more than \(bound) parts, which is as many as are read")
        case .tooLong(let bound):
            ("RFC 7578 §7", "the parts of the form have more than \(bound) bytes, which is as many as are kept")
        case .nameless(let part):
            (
                "RFC 7578 §4.2",
                "part \(part) does not say which field it is; write \"Content-Disposition: form-data; name=...\" "
                    + "into its head"
            )
        case .partHead(let violation):
            (violation.section, "the head of a part can't be read: \(violation.sentence)")
        case .notClosed:
            (
                "RFC 2046 §5.1.1",
                "the form ends without its closing boundary; write \"--\", the boundary and \"--\" last"
            )
        }
    }
}

extension FormViolation: CustomStringConvertible {
    package var description: String { "byte \(offset): \(sentence) (\(section))" }
}
