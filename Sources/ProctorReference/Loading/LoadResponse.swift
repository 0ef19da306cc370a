public import ProctorHTTP

/// A reply as a client is told of it: whose it is, and its head.
public struct LoadResponse: Sendable, Equatable {
    /// Of the request that it answers.
    public var url: ClientURL
    /// As it was read; of a part of multipart/x-mixed-replace, the head of the whole (R26).
    public var head: ReplyHead
    /// The part's own fields, which stand for those of the head; nil when the reply has no parts.
    public var partFields: FieldSection?

    /// The parts as they are.
    public init(url: ClientURL, head: ReplyHead, partFields: FieldSection? = nil) {
        self.url = url
        self.head = head
        self.partFields = partFields
    }

    /// 100...999, as the server wrote it.
    public var status: Int { head.status }
}
