/// One range as a request asks for it, before the length of the representation is known (RFC 9110 §14.1.1).
public enum ByteRange: Sendable, Equatable {
    /// `0-499` or, to the end, `500-`; the last byte belongs to it and is never before the first.
    case from(Int, through: Int?)
    /// `-500`: so many bytes at the end; all of them where there are not so many.
    case suffix(Int)

    /// What of it is there; nil where nothing is, as behind the end, or with a suffix of no bytes.
    public func satisfied(in length: Int) -> Range<Int>? {
        switch self {
        case .from(let first, let last):
            guard first < length else { return nil }
            // A last byte behind the end means the end, also where it is the greatest number that there is.
            guard let last, last < length else { return first..<length }
            return first..<last + 1
        case .suffix(let byteCount):
            guard byteCount > 0, length > 0 else { return nil }
            return max(0, length - byteCount)..<length
        }
    }

    /// A number that `Int` can't hold becomes the greatest one, which no content reaches.
    init(_ text: ArraySlice<UInt8>, at offset: Int) throws(FieldViolation) {
        let bad = FieldViolation(.badRange, at: offset, text)
        guard let dash = text.firstIndex(of: UInt8(ascii: "-")) else { throw bad }
        let (first, last) = (text[..<dash], text[(dash + 1)...])
        if first.isEmpty {
            guard let byteCount = last.saturatedNumber else { throw bad }
            self = .suffix(byteCount)
            return
        }
        guard let start = first.saturatedNumber else { throw bad }
        if last.isEmpty {
            self = .from(start, through: nil)
            return
        }
        guard let end = last.saturatedNumber else { throw bad }
        guard start <= end else { throw FieldViolation(.backwardRange, at: offset, text) }
        self = .from(start, through: end)
    }
}

extension ByteRange: CustomStringConvertible {
    /// As a request writes it.
    public var description: String {
        switch self {
        case .from(let first, let last): "\(first)-\(last.map { String($0) } ?? "")"
        case .suffix(let byteCount): "-\(byteCount)"
        }
    }
}
