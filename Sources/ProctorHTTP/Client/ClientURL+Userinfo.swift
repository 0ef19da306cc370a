extension ClientURL {
    /// User and password of the URL without their escapes (RFC 3986 §3.2.1); nil where there is no colon between them.
    ///
    /// Either may be empty. They are for a challenge and never stand in a request (RFC 9110 §4.2.4).
    public var userAndPassword: (user: String, password: String)? {
        guard let userinfo = reference.userinfo, let colon = userinfo.firstIndex(of: UInt8(ascii: ":")) else {
            return nil
        }
        return (Self.unescaped(userinfo[..<colon]), Self.unescaped(userinfo[(colon + 1)...]))
    }

    private static func unescaped(_ text: ArraySlice<UInt8>) -> String {
        FieldText.decode(PercentText.decode(text) ?? Array(text))
    }
}
