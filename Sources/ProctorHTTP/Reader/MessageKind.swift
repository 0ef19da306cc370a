/// Which way a message goes: the grammar of fields and content is one, what may be read over is not.
public enum MessageKind: String, Sendable, Hashable {
    /// From a client, read by `RequestReader`.
    case request
    /// From a server, read by `ReplyReader`; RFC 9110 says response.
    case reply
}
