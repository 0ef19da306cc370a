/// What of a URL goes on the wire; userinfo and fragment never do (RFC 9110 §4.2.4 and §7.1).
extension ClientURL: CustomStringConvertible {
    /// Scheme, authority, path and query, for a request to a proxy (absolute-form, RFC 9112 §3.2.2).
    public var absoluteTarget: [UInt8] { Array(origin.description.utf8) + target }

    /// The value of Host (RFC 9110 §7.2).
    public var hostField: HTTPField { HTTPField("Host", origin.authority) }

    /// Without the `#`; nil where there is none.
    public var fragment: String? { reference.fragment.map { FieldText.decode($0) } }

    /// User and password as they are escaped in the URL, without the `@`.
    public var userinfo: String? { reference.userinfo.map { FieldText.decode($0) } }

    /// The whole canonical URL, userinfo and fragment with it, by the scheme of its user; ASCII.
    public var text: String { calledByItsUser(FieldText.decode(reference.bytes)) }

    /// As `text`, without userinfo, which a line for a person should not show.
    public var description: String {
        calledByItsUser(FieldText.decode(absoluteTarget)) + (fragment.map { "#\($0)" } ?? "")
    }

    private func calledByItsUser(_ text: String) -> String {
        ownScheme.map { $0 + text.dropFirst(origin.scheme.rawValue.count) } ?? text
    }
}
