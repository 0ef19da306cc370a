/// The object identifier of a mechanism, by the contents of its encoding (RFC 4178 §4.1, X.690 §8.19).
package struct MechanismID: Sendable, Hashable {
    /// At most ``byteLimit``, well formed.
    package let bytes: [UInt8]

    static let byteLimit = 64

    private init(known bytes: [UInt8]) { self.bytes = bytes }

    /// nil: no identifier has these contents, or they are longer than ``byteLimit``.
    package init?(_ bytes: [UInt8]) {
        guard let last = bytes.last, last < 0x80, bytes.count <= Self.byteLimit else { return nil }
        // No part begins with a digit of zero.
        var isStart = true
        for byte in bytes {
            if isStart, byte == 0x80 { return nil }
            isStart = byte < 0x80
        }
        self.bytes = bytes
    }

    /// SPNEGO itself, 1.3.6.1.5.5.2.
    package static let spnego = MechanismID(known: [0x2B, 6, 1, 5, 5, 2])
    /// The identifier 1.3.6.1.4.1.311.2.2.10.
    package static let ntlm = MechanismID(known: [0x2B, 6, 1, 4, 1, 0x82, 0x37, 2, 2, 10])
    /// Version 5, 1.2.840.113554.1.2.2.
    package static let kerberos = MechanismID(known: [0x2A, 0x86, 0x48, 0x86, 0xF7, 0x12, 1, 2, 2])
    /// 1.2.840.48018.1.2.2, Kerberos as old systems of Microsoft write it (MS-SPNG §1.9).
    package static let oldKerberos = MechanismID(known: [0x2A, 0x86, 0x48, 0x82, 0xF7, 0x12, 1, 2, 2])
    /// The identifier 1.3.6.1.4.1.311.2.2.30.
    package static let negoex = MechanismID(known: [0x2B, 6, 1, 4, 1, 0x82, 0x37, 2, 2, 30])
    /// Proctor's own: 2.25.147695777699599237138291872526763778516, an identifier made of a UUID (X.667).
    package static let stub = MechanismID(known: [
        0x69, 0x81, 0xDE, 0x9D, 0x96, 0x83, 0xC9, 0xB7, 0xD2, 0xB4, 0xF3, 0x9C, 0xAA, 0xE3, 0xC5, 0xF0, 0xD3, 0xED,
        0xC3, 0x54,
    ])

    /// A word for a known mechanism, else the numbers of the identifier.
    package var name: String {
        switch self {
        case .spnego: "spnego"
        case .ntlm: "ntlm"
        case .kerberos: "kerberos"
        case .oldKerberos: "old-kerberos"
        case .negoex: "negoex"
        case .stub: "stub"
        default: numbers
        }
    }

    /// With points; a number beyond 64 bits is written as `?`.
    private var numbers: String {
        var parts: [UInt64?] = []
        var value: UInt64? = 0
        for byte in bytes {
            value = value.flatMap { $0 >> 57 == 0 ? $0 << 7 | UInt64(byte & 0x7F) : nil }
            if byte < 0x80 {
                parts.append(value)
                value = 0
            }
        }
        // The first part holds two numbers (X.690 §8.19.4).
        let first = parts.first ?? nil
        let root = first.map { min($0 / 40, 2) }
        let head: [UInt64?] = [root, first.flatMap { first in root.map { first - 40 * $0 } }]
        return (head + parts.dropFirst()).map { $0.map(String.init) ?? "?" }.joined(separator: ".")
    }
}
