/// A field of a request that its connection decides, not its caller.
package enum TransportField {
    /// A field that this client sets itself: of the transport or of the connection (RFC 9110 §7.6.1).
    case ours
    case connection
    case expect

    /// nil for other names; length and first letter exclude nearly all.
    package init?(_ name: String) {
        guard let first = name.utf8.first else { return nil }
        switch (name.utf8.count, Unicode.Scalar(first | 0x20)) {
        case (2, "t"), (4, "h"), (6, "e"), (7, "u"), (10, "c"), (10, "k"), (14, "c"), (16, "p"), (17, "t"): break
        default: return nil
        }
        switch name.lowercased() {
        case "host", "content-length", "transfer-encoding", "te", "upgrade", "keep-alive", "proxy-connection":
            self = .ours
        case "connection": self = .connection
        case "expect": self = .expect
        default: return nil
        }
    }
}
