internal import ProctorBase
public import ProctorHTTP

/// What the fields of a response say of its content, as Foundation's URLResponse tells it.
extension LoadResponse {
    /// Those of the part where there is one, else of the head.
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
