/// What a multipart body consists of, in order (RFC 2046 §5.1.1).
public enum MultipartEvent: Sendable, Equatable {
    /// A part's head is complete; a part without fields has none.
    case partBegan(FieldSection)
    /// Some of the part's content, never empty.
    ///
    /// A copy, since bytes that might have been a boundary are held until it is known that they are not.
    case content([UInt8])
    /// The boundary behind the part was read, or the body is over.
    case partEnded
    /// The closing boundary was read, or the body ended without it.
    case ended(isClosed: Bool)
    /// A part's head can't be read; nothing comes after it, and the offset counts from the body's first byte.
    case refused(Violation)
}
