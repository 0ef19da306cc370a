extension String.UTF8View {
    /// Whether it is a token (RFC 9110 §5.6.2).
    var isToken: Bool {
        for byte in self where !byte.isTokenByte { return false }
        return !isEmpty
    }
}
