import ProctorBase

/// The versions of TLS that OpenSSL supports, as fixtures write them.
public enum TLSVersion: String, Sendable, Hashable, Comparable, CaseIterable {
    case tls10 = "1.0"
    case tls11 = "1.1"
    case tls12 = "1.2"
    case tls13 = "1.3"

    /// The number on the wire: `0x0301` for TLS 1.0.
    package var number: UInt16 {
        switch self {
        case .tls10: 0x0301
        case .tls11: 0x0302
        case .tls12: 0x0303
        case .tls13: 0x0304
        }
    }

    /// nil for a number that OpenSSL does not support.
    package init?(number: UInt16) {
        guard let version = Self.allCases.first(where: { $0.number == number }) else { return nil }
        self = version
    }

    /// Orders by age.
    public static func < (left: TLSVersion, right: TLSVersion) -> Bool { left.number < right.number }
}

/// IANA's names of numbers; an unknown number is written as `0x1301`, one of RFC 8701 as `GREASE`.
package enum TLSNames {
    /// The name of a cipher suite, such as `TLS_AES_128_GCM_SHA256`.
    package static func cipherSuite(_ number: UInt16) -> String { name(of: number, in: cipherSuites) }

    /// The name of an extension, such as `server_name`.
    package static func `extension`(_ number: UInt16) -> String { name(of: number, in: extensions) }

    /// The name of a group, such as `x25519`.
    package static func group(_ number: UInt16) -> String { name(of: number, in: groups) }

    package static func group(named name: String) -> UInt16? { groups.number(of: name) }

    /// A version, such as `1.3`; SSL 3.0 is written as `SSL 3.0`.
    package static func version(_ number: UInt16) -> String {
        TLSVersion(number: number)?.rawValue ?? (number == 0x0300 ? "SSL 3.0" : unknown(number))
    }

    /// Whether a number is reserved to test that peers ignore unknown ones (RFC 8701 §2).
    package static func isGREASE(_ number: UInt16) -> Bool {
        number & 0x0F0F == 0x0A0A && number >> 8 == number & 0xFF
    }

    private static func name(of number: UInt16, in table: NameTable) -> String { table[number] ?? unknown(number) }

    private static func unknown(_ number: UInt16) -> String {
        if isGREASE(number) { return "GREASE" }
        let digits = String(number, radix: 16, uppercase: true)
        return "0x" + String(repeating: "0", count: 4 - digits.count) + digits
    }
}

extension TLSNames {
    static let cipherSuites = NameTable("tls-cipher-suites")
    static let extensions = NameTable("tls-extensions")
    static let groups = NameTable("tls-groups")
}

/// Names by number and numbers by name, from a table of hexadecimal numbers with names; of two the last counts.
struct NameTable: Sendable {
    private let names: [UInt16: String]
    private let numbers: [String: UInt16]

    /// Reads the table of that name in `CFiles/Tables`.
    init(_ name: String) {
        let rows = TableCells.rows(of: name).map { ($0.value("number") { UInt16($0, radix: 16) }, $0["name"]) }
        names = Dictionary(rows) { _, last in last }
        numbers = Dictionary(rows.map { ($1, $0) }) { _, last in last }
    }

    subscript(number: UInt16) -> String? { names[number] }

    func number(of name: String) -> UInt16? { numbers[name] }
}
