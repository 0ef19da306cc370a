/// Why bytes are no form.
public struct FormViolation: Error, Sendable, Equatable {
    /// Decides section and sentence.
    public let kind: Kind
    /// Bytes from the start of the form.
    public let offset: Int

    /// What is wrong.
    public enum Kind: Sendable, Equatable {
        /// More pairs than this bound.
        case tooManyPairs(bound: Int)
        /// The Content-Type, nil where there is none, is not multipart/form-data with a boundary that a body can have.
        case notMultipart([UInt8]?)
        /// More parts than this bound.
        case tooManyParts(bound: Int)
        /// More bytes of content than this bound.
        case tooLong(bound: Int)
        /// The part of that number, from 1, does not say which field of the form it is.
        case nameless(part: Int)
        /// A part's head can't be read; its own offset counts from the start of the form.
        case partHead(Violation)
        /// The closing boundary is missing.
        case notClosed
    }

    /// For tests and journals, which know a refusal by its parts.
    public init(_ kind: Kind, at offset: Int) {
        self.kind = kind
        self.offset = offset
    }

    /// Where it is ruled out: `RFC 7578 §4.2`.
    public var section: String { kind.row.section }

    /// For a person: what is wrong and what would be right.
    public var sentence: String { kind.row.sentence }
}

extension FormViolation.Kind {
    /// A new kind is a case and a row.
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
    /// Place, sentence and section in one line.
    public var description: String { "byte \(offset): \(sentence) (\(section))" }
}
