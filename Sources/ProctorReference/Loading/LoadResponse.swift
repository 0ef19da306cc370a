internal import ProctorBase
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

/// What the fields of a response say of its content, as Foundation's URLResponse tells it.
extension LoadResponse {
    /// The fields of the part where there is one, else of the head.
    public var fields: [HTTPField] { [HTTPField](partFields ?? head.fields) }

    /// In lower case, without parameters; nil where no readable Content-Type says it.
    public var mimeType: String? { MediaType(of: fields)?.essence }

    /// In lower case; nil where Content-Type names none.
    public var charset: String? { MediaType(of: fields)?.charset }

    /// Under which name the content is offered for saving; never a path, never empty.
    public var suggestedName: String {
        let fields = fields
        return FileName.suggested(
            url: url, contentDisposition: fields.first(named: "Content-Disposition")?.bytes,
            mimeType: MediaType(of: fields)?.essence)
    }

    /// Bytes of the content as the server announces it, also where none is sent, as after HEAD; nil when it says nothing.
    ///
    /// Of what is coded it says nothing: the length is that of the coded bytes, and those are not what arrives.
    public var expectedByteCount: Int? {
        guard partFields != nil || !ReplyCodings.areUndone(of: head) else { return nil }
        if partFields == nil {
            switch head.framing {
            case .length(let byteCount): return byteCount
            case .chunked, .untilClose, .tunnel: return nil
            case .none: break
            }
        }
        guard let digits = fields.value(of: "Content-Length"), digits.utf8.allSatisfy(\.isASCIIDigit) else {
            return nil
        }
        return Int(digits)
    }
}
