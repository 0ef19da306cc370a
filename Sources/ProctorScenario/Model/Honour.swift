/// A part of the request that a server of files would obey, and that changes the reply.
public enum Honour: String, Sendable, CaseIterable {
    /// `Range` with `If-Range`: 206, multipart/byteranges or 416 in place of a 200 (RFC 9110 §14).
    case ranges
    /// `If-Match`, `If-None-Match`, `If-Modified-Since`, `If-Unmodified-Since`: 304 or 412 in place of a 200 (RFC 9110 §13).
    case conditions
}
