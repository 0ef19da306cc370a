/// What a reader found next; a request is `head`, any number of the others, and `end`, or it is `refused`.
public enum RequestEvent: Sendable, Equatable {
    /// A complete head. Content events and at last `end` follow, also for a request without content.
    case head(RequestHead)
    /// Content bytes, as a range of the input handed in; not copied.
    case content(Range<Int>)
    /// A chunk-size line was read, the last one (0) too; `extensions` are its raw bytes after the size.
    case chunk(byteCount: Int, extensions: [UInt8])
    /// The trailer fields, only when there are any.
    case trailers(FieldSection)
    /// A departure that can be read over, found after the head, or before a fatal one in a head that is refused.
    case violation(Violation)
    /// The request is complete; the next byte belongs to another one.
    case end
    /// The request cannot be read on; the reader swallows everything after.
    case refused(Violation)
}
