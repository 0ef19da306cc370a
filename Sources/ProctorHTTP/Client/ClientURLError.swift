/// Why a client can't load what it was given as a URL.
public enum ClientURLError: Error, Sendable, Equatable {
    /// There is no `scheme:` at its beginning; the bytes are the first of it.
    case noScheme([UInt8])
    /// Neither `http` nor `https`, in lower case.
    case unsupportedScheme(String)
    /// Nothing stands where the host belongs, which RFC 9110 §4.2.1 makes invalid.
    case noHost
    /// A Location that names user or password: RFC 9110 §4.2.4 wants it treated as an error.
    case userinfoFromServer
    /// The host or the port is none; everything else is mended by escaping.
    case syntax(URIViolation)
}

extension ClientURLError: CustomStringConvertible {
    /// What is wrong and what would be right, in one line.
    public var description: String {
        switch self {
        case .noScheme(let bytes):
            "\(ByteQuote.quote(bytes)) does not begin with a scheme; expected a URL like \"http://example.com/path\""
        case .unsupportedScheme(let scheme): "the scheme \"\(scheme)\" is not served; expected \"http\" or \"https\""
        case .noHost: "the URL names no host; expected one behind \"//\" (RFC 9110 §4.2.1)"
        case .userinfoFromServer:
            "the server's URL names a user or password, which may hide whose it is (RFC 9110 §4.2.4); leave it out"
        case .syntax(let violation): violation.description
        }
    }
}
