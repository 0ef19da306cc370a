/// What a reader found next; a reply is any number of interim heads, `head`, the others, and `end`.
public enum ReplyEvent: Sendable, Equatable {
    /// A complete head; `end` follows a final one, also without content, and never an interim one.
    case head(ReplyHead)
    /// Content bytes, as a range of the input handed in; not copied. Behind a `tunnel` head they are no longer HTTP.
    case content(Range<Int>)
    /// A chunk-size line was read, the last one (0) too; `extensions` are its raw bytes after the size.
    case chunk(byteCount: Int, extensions: [UInt8])
    /// The trailer fields, only when there are any.
    case trailers(FieldSection)
    /// A fatal one ends the reading, and everything after is swallowed; the others are read over.
    case violation(Violation)
    /// The final reply is complete; the next byte belongs to another one.
    case end
}
