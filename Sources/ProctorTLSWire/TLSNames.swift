/// The versions of TLS that OpenSSL can speak, as fixtures write them.
public enum TLSVersion: String, Sendable, Hashable, Comparable, CaseIterable {
    case tls10 = "1.0"
    case tls11 = "1.1"
    case tls12 = "1.2"
    case tls13 = "1.3"

    /// On the wire: `0x0301` for TLS 1.0.
    package var number: UInt16 {
        switch self {
        case .tls10: 0x0301
        case .tls11: 0x0302
        case .tls12: 0x0303
        case .tls13: 0x0304
        }
    }

    /// nil for a number that OpenSSL has no version to.
    package init?(number: UInt16) {
        guard let version = Self.allCases.first(where: { $0.number == number }) else { return nil }
        self = version
    }

    /// By age.
    public static func < (left: TLSVersion, right: TLSVersion) -> Bool { left.number < right.number }
}

/// Names of numbers on the wire by IANA's registries; an unknown one stands as `0x1301`, one of RFC 8701 as `GREASE`.
package enum TLSNames {
    /// `TLS_AES_128_GCM_SHA256`.
    package static func cipherSuite(_ number: UInt16) -> String { name(of: number, in: cipherSuites) }

    /// `server_name`.
    package static func `extension`(_ number: UInt16) -> String { name(of: number, in: extensions) }

    /// `x25519`.
    package static func group(_ number: UInt16) -> String { name(of: number, in: groups) }

    /// The number of a group's name.
    package static func group(named name: String) -> UInt16? { groups.number(of: name) }

    /// `1.3`; SSL 3.0 stands as `SSL 3.0`.
    package static func version(_ number: UInt16) -> String {
        if let version = TLSVersion(number: number) { return version.rawValue }
        return number == 0x0300 ? "SSL 3.0" : isGREASE(number) ? "GREASE" : hexadecimal(number)
    }

    /// Whether a number means nothing, so that peers learn to bear what they don't know (RFC 8701 §2).
    package static func isGREASE(_ number: UInt16) -> Bool {
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

extension TLSNames {
    /// The registry "TLS ExtensionType Values".
    static let extensions = NameTable(
        """
        0000 server_name
        0001 max_fragment_length
        0003 trusted_ca_keys
        0004 truncated_hmac
        0005 status_request
        000A supported_groups
        000B ec_point_formats
        000C srp
        000D signature_algorithms
        000E use_srtp
        000F heartbeat
        0010 application_layer_protocol_negotiation
        0011 status_request_v2
        0012 signed_certificate_timestamp
        0013 client_certificate_type
        0014 server_certificate_type
        0015 padding
        0016 encrypt_then_mac
        0017 extended_master_secret
        0018 token_binding
        0019 cached_info
        001B compress_certificate
        001C record_size_limit
        0022 delegated_credential
        0023 session_ticket
        0029 pre_shared_key
        002A early_data
        002B supported_versions
        002C cookie
        002D psk_key_exchange_modes
        002F certificate_authorities
        0030 oid_filters
        0031 post_handshake_auth
        0032 signature_algorithms_cert
        0033 key_share
        0034 transparency_info
        0039 quic_transport_parameters
        003A ticket_request
        3374 next_protocol_negotiation
        4469 application_settings
        44CD application_settings
        FE0D encrypted_client_hello
        FF01 renegotiation_info
        """)

    /// The registry "TLS Supported Groups".
    static let groups = NameTable(
        """
        0001 sect163k1
        0006 sect233k1
        0007 sect233r1
        0009 sect283k1
        000A sect283r1
        000B sect409k1
        000C sect409r1
        000D sect571k1
        000E sect571r1
        0012 secp192k1
        0013 secp192r1
        0014 secp224k1
        0015 secp224r1
        0016 secp256k1
        0017 secp256r1
        0018 secp384r1
        0019 secp521r1
        001A brainpoolP256r1
        001B brainpoolP384r1
        001C brainpoolP512r1
        001D x25519
        001E x448
        001F brainpoolP256r1tls13
        0020 brainpoolP384r1tls13
        0021 brainpoolP512r1tls13
        0100 ffdhe2048
        0101 ffdhe3072
        0102 ffdhe4096
        0103 ffdhe6144
        0104 ffdhe8192
        0200 MLKEM512
        0201 MLKEM768
        0202 MLKEM1024
        11EB SecP256r1MLKEM768
        11EC X25519MLKEM768
        11ED SecP384r1MLKEM1024
        6399 X25519Kyber768Draft00
        """)
}

/// Names by number and numbers by name, of a text with a hexadecimal number and a name on each line.
struct NameTable: Sendable {
    private let names: [UInt16: String]
    private let numbers: [String: UInt16]

    /// Leaves out what is no such line.
    init(_ text: String) {
        var names: [UInt16: String] = [:]
        var numbers: [String: UInt16] = [:]
        for line in text.split(separator: "\n") {
            let words = line.split(separator: " ")
            guard words.count == 2, let number = UInt16(words[0], radix: 16) else { continue }
            names[number] = String(words[1])
            numbers[String(words[1])] = number
        }
        self.names = names
        self.numbers = numbers
    }

    /// nil for a number that is not in it.
    subscript(number: UInt16) -> String? { names[number] }

    /// nil for a name that is not in it.
    func number(of name: String) -> UInt16? { numbers[name] }
}
