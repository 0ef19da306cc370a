/// The versions of TLS that OpenSSL can speak, by their number on the wire.
public enum TLSVersion: UInt16, Sendable, Comparable, CaseIterable {
    case tls10 = 0x0301
    case tls11 = 0x0302
    case tls12 = 0x0303
    case tls13 = 0x0304

    /// As fixtures write it: `1.3`.
    public var text: String { "1.\(rawValue - 0x0301)" }

    /// nil for anything but `1.0`, `1.1`, `1.2` and `1.3`.
    public init?(text: String) {
        guard let version = Self.allCases.first(where: { $0.text == text }) else { return nil }
        self = version
    }

    /// By age.
    public static func < (left: TLSVersion, right: TLSVersion) -> Bool { left.rawValue < right.rawValue }
}
