extension RequestHead {
    /// Reads one complete head and leaves bytes after it alone.
    ///
    /// Throws the fatal violation, or `incomplete-head` when the bytes end too early.
    public init(parsing bytes: [UInt8], limits: RequestLimits = RequestLimits()) throws(Violation) {
        var reader = RequestReader(limits: limits)
        var offset = 0
        var event = reader.next(bytes.span, at: &offset)
        while let found = event {
            switch found {
            case .head(let head):
                self = head
                return
            case .refused(let violation): throw violation
            case .content, .chunk, .trailers, .violation, .end: event = reader.next(bytes.span, at: &offset)
            }
        }
        throw Violation(.incompleteHead, at: bytes.count, bound: bytes.count)
    }

    /// The path of an origin-form or absolute-form target, as it was sent; nil for the other forms.
    public var path: ArraySlice<UInt8>? { pathAndQuery?.path }

    /// What follows the first `?` of an origin-form or absolute-form target, without it; nil without one.
    public var query: ArraySlice<UInt8>? { pathAndQuery?.query }

    private var pathAndQuery: (path: ArraySlice<UInt8>, query: ArraySlice<UInt8>?)? {
        switch form {
        case .authority, .asterisk: return nil
        case .origin:
            // Never split as a reference: a path may begin with two slashes and names no host then.
            let target = targetBytes
            guard let mark = target.firstIndex(of: UInt8(ascii: "?")) else { return (target, nil) }
            return (target[..<mark], target[(mark + 1)...])
        case .absolute:
            let uri = URIReference(splitting: target)
            return (uri.path, uri.query)
        }
    }
}
