/// An alert that went over the wire (RFC 8446 §6).
public struct TLSAlert: Sendable, Equatable {
    /// Whether this side sent it.
    public let isOurs: Bool
    /// Otherwise it is a warning, as close_notify is.
    public let isFatal: Bool
    /// 0 is close_notify.
    public let number: UInt8

    /// By IANA: `unknown_ca`.
    public var name: String { TLSNames.alert(number) }

    /// Parts as they are.
    public init(isOurs: Bool, isFatal: Bool, number: UInt8) {
        self.isOurs = isOurs
        self.isFatal = isFatal
        self.number = number
    }
}

/// A fault of the next record that is sent.
public enum TLSSpoil: Sendable, Hashable {
    /// Its first half goes out, and nothing ever after.
    case truncated
    /// Its last byte is changed, so that its MAC, if it has one, is wrong.
    case badMAC
}
