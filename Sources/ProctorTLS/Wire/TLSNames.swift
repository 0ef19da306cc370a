/// Names of numbers on the wire by IANA's registries; an unknown one stands as `0x1301`, one of RFC 8701 as `GREASE`.
public enum TLSNames {
    /// `TLS_AES_128_GCM_SHA256`.
    public static func cipherSuite(_ number: UInt16) -> String { name(of: number, in: cipherSuites) }

    /// `unknown_ca`; an unknown one stands as its decimal number.
    public static func alert(_ number: UInt8) -> String { alerts[UInt16(number)] ?? String(number) }

    /// The number of an alert's name.
    public static func alert(named name: String) -> UInt8? { alerts.number(of: name).flatMap(UInt8.init(exactly:)) }

    /// Every alert that has a name.
    public static var alertNames: [String] { alerts.all.compactMap { alerts[$0] } }

    /// `server_name`.
    public static func `extension`(_ number: UInt16) -> String { name(of: number, in: extensions) }

    /// `x25519`.
    public static func group(_ number: UInt16) -> String { name(of: number, in: groups) }

    /// The number of a group's name.
    public static func group(named name: String) -> UInt16? { groups.number(of: name) }

    /// `1.3`; SSL 3.0 stands as `SSL 3.0`.
    public static func version(_ number: UInt16) -> String {
        if let version = TLSVersion(rawValue: number) { return version.text }
        return number == 0x0300 ? "SSL 3.0" : isGREASE(number) ? "GREASE" : hexadecimal(number)
    }

    /// `ecdsa_secp256r1_sha256`.
    public static func signatureScheme(_ number: UInt16) -> String { name(of: number, in: signatureSchemes) }

    /// Whether a number means nothing, so that peers learn to bear what they don't know (RFC 8701 §2).
    public static func isGREASE(_ number: UInt16) -> Bool {
        number & 0x0F0F == 0x0A0A && number >> 8 == number & 0xFF
    }

    private static func name(of number: UInt16, in table: NameTable) -> String {
        table[number] ?? (isGREASE(number) ? "GREASE" : hexadecimal(number))
    }

    private static func hexadecimal(_ number: UInt16) -> String {
        let digits = String(number, radix: 16, uppercase: true)
        return "0x" + String(repeating: "0", count: 4 - digits.count) + digits
    }
}
