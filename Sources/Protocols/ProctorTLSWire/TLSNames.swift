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
    static let cipherSuites = NameTable(
        """
        0000 TLS_NULL_WITH_NULL_NULL                          0001 TLS_RSA_WITH_NULL_MD5
        0002 TLS_RSA_WITH_NULL_SHA                            0003 TLS_RSA_EXPORT_WITH_RC4_40_MD5
        0004 TLS_RSA_WITH_RC4_128_MD5                         0005 TLS_RSA_WITH_RC4_128_SHA
        0006 TLS_RSA_EXPORT_WITH_RC2_CBC_40_MD5               0007 TLS_RSA_WITH_IDEA_CBC_SHA
        0008 TLS_RSA_EXPORT_WITH_DES40_CBC_SHA                0009 TLS_RSA_WITH_DES_CBC_SHA
        000A TLS_RSA_WITH_3DES_EDE_CBC_SHA                    000D TLS_DH_DSS_WITH_3DES_EDE_CBC_SHA
        0010 TLS_DH_RSA_WITH_3DES_EDE_CBC_SHA                 0011 TLS_DHE_DSS_EXPORT_WITH_DES40_CBC_SHA
        0012 TLS_DHE_DSS_WITH_DES_CBC_SHA                     0013 TLS_DHE_DSS_WITH_3DES_EDE_CBC_SHA
        0014 TLS_DHE_RSA_EXPORT_WITH_DES40_CBC_SHA            0015 TLS_DHE_RSA_WITH_DES_CBC_SHA
        0016 TLS_DHE_RSA_WITH_3DES_EDE_CBC_SHA                0018 TLS_DH_anon_WITH_RC4_128_MD5
        001B TLS_DH_anon_WITH_3DES_EDE_CBC_SHA                002C TLS_PSK_WITH_NULL_SHA
        002D TLS_DHE_PSK_WITH_NULL_SHA                        002E TLS_RSA_PSK_WITH_NULL_SHA
        002F TLS_RSA_WITH_AES_128_CBC_SHA                     0030 TLS_DH_DSS_WITH_AES_128_CBC_SHA
        0031 TLS_DH_RSA_WITH_AES_128_CBC_SHA                  0032 TLS_DHE_DSS_WITH_AES_128_CBC_SHA
        0033 TLS_DHE_RSA_WITH_AES_128_CBC_SHA                 0034 TLS_DH_anon_WITH_AES_128_CBC_SHA
        0035 TLS_RSA_WITH_AES_256_CBC_SHA                     0036 TLS_DH_DSS_WITH_AES_256_CBC_SHA
        0037 TLS_DH_RSA_WITH_AES_256_CBC_SHA                  0038 TLS_DHE_DSS_WITH_AES_256_CBC_SHA
        0039 TLS_DHE_RSA_WITH_AES_256_CBC_SHA                 003A TLS_DH_anon_WITH_AES_256_CBC_SHA
        003B TLS_RSA_WITH_NULL_SHA256                         003C TLS_RSA_WITH_AES_128_CBC_SHA256
        003D TLS_RSA_WITH_AES_256_CBC_SHA256                  003E TLS_DH_DSS_WITH_AES_128_CBC_SHA256
        003F TLS_DH_RSA_WITH_AES_128_CBC_SHA256               0040 TLS_DHE_DSS_WITH_AES_128_CBC_SHA256
        0041 TLS_RSA_WITH_CAMELLIA_128_CBC_SHA                0044 TLS_DHE_DSS_WITH_CAMELLIA_128_CBC_SHA
        0045 TLS_DHE_RSA_WITH_CAMELLIA_128_CBC_SHA            0046 TLS_DH_anon_WITH_CAMELLIA_128_CBC_SHA
        0067 TLS_DHE_RSA_WITH_AES_128_CBC_SHA256              006A TLS_DHE_DSS_WITH_AES_256_CBC_SHA256
        006B TLS_DHE_RSA_WITH_AES_256_CBC_SHA256              006C TLS_DH_anon_WITH_AES_128_CBC_SHA256
        006D TLS_DH_anon_WITH_AES_256_CBC_SHA256              0084 TLS_RSA_WITH_CAMELLIA_256_CBC_SHA
        0087 TLS_DHE_DSS_WITH_CAMELLIA_256_CBC_SHA            0088 TLS_DHE_RSA_WITH_CAMELLIA_256_CBC_SHA
        0089 TLS_DH_anon_WITH_CAMELLIA_256_CBC_SHA            008C TLS_PSK_WITH_AES_128_CBC_SHA
        008D TLS_PSK_WITH_AES_256_CBC_SHA                     0090 TLS_DHE_PSK_WITH_AES_128_CBC_SHA
        0091 TLS_DHE_PSK_WITH_AES_256_CBC_SHA                 0094 TLS_RSA_PSK_WITH_AES_128_CBC_SHA
        0095 TLS_RSA_PSK_WITH_AES_256_CBC_SHA                 0096 TLS_RSA_WITH_SEED_CBC_SHA
        0099 TLS_DHE_DSS_WITH_SEED_CBC_SHA                    009A TLS_DHE_RSA_WITH_SEED_CBC_SHA
        009C TLS_RSA_WITH_AES_128_GCM_SHA256                  009D TLS_RSA_WITH_AES_256_GCM_SHA384
        009E TLS_DHE_RSA_WITH_AES_128_GCM_SHA256              009F TLS_DHE_RSA_WITH_AES_256_GCM_SHA384
        00A0 TLS_DH_RSA_WITH_AES_128_GCM_SHA256               00A1 TLS_DH_RSA_WITH_AES_256_GCM_SHA384
        00A2 TLS_DHE_DSS_WITH_AES_128_GCM_SHA256              00A3 TLS_DHE_DSS_WITH_AES_256_GCM_SHA384
        00A4 TLS_DH_DSS_WITH_AES_128_GCM_SHA256               00A5 TLS_DH_DSS_WITH_AES_256_GCM_SHA384
        00A6 TLS_DH_anon_WITH_AES_128_GCM_SHA256              00A7 TLS_DH_anon_WITH_AES_256_GCM_SHA384
        00A8 TLS_PSK_WITH_AES_128_GCM_SHA256                  00A9 TLS_PSK_WITH_AES_256_GCM_SHA384
        00AA TLS_DHE_PSK_WITH_AES_128_GCM_SHA256              00AB TLS_DHE_PSK_WITH_AES_256_GCM_SHA384
        00AC TLS_RSA_PSK_WITH_AES_128_GCM_SHA256              00AD TLS_RSA_PSK_WITH_AES_256_GCM_SHA384
        00AE TLS_PSK_WITH_AES_128_CBC_SHA256                  00AF TLS_PSK_WITH_AES_256_CBC_SHA384
        00B0 TLS_PSK_WITH_NULL_SHA256                         00B1 TLS_PSK_WITH_NULL_SHA384
        00B2 TLS_DHE_PSK_WITH_AES_128_CBC_SHA256              00B3 TLS_DHE_PSK_WITH_AES_256_CBC_SHA384
        00B4 TLS_DHE_PSK_WITH_NULL_SHA256                     00B5 TLS_DHE_PSK_WITH_NULL_SHA384
        00B6 TLS_RSA_PSK_WITH_AES_128_CBC_SHA256              00B7 TLS_RSA_PSK_WITH_AES_256_CBC_SHA384
        00B8 TLS_RSA_PSK_WITH_NULL_SHA256                     00B9 TLS_RSA_PSK_WITH_NULL_SHA384
        00BA TLS_RSA_WITH_CAMELLIA_128_CBC_SHA256             00BD TLS_DHE_DSS_WITH_CAMELLIA_128_CBC_SHA256
        00BE TLS_DHE_RSA_WITH_CAMELLIA_128_CBC_SHA256         00BF TLS_DH_anon_WITH_CAMELLIA_128_CBC_SHA256
        00C0 TLS_RSA_WITH_CAMELLIA_256_CBC_SHA256             00C3 TLS_DHE_DSS_WITH_CAMELLIA_256_CBC_SHA256
        00C4 TLS_DHE_RSA_WITH_CAMELLIA_256_CBC_SHA256         00C5 TLS_DH_anon_WITH_CAMELLIA_256_CBC_SHA256
        00C6 TLS_SM4_GCM_SM3                                  00C7 TLS_SM4_CCM_SM3
        00FF TLS_EMPTY_RENEGOTIATION_INFO_SCSV                1301 TLS_AES_128_GCM_SHA256
        1302 TLS_AES_256_GCM_SHA384                           1303 TLS_CHACHA20_POLY1305_SHA256
        1304 TLS_AES_128_CCM_SHA256                           1305 TLS_AES_128_CCM_8_SHA256
        5600 TLS_FALLBACK_SCSV                                C002 TLS_ECDH_ECDSA_WITH_RC4_128_SHA
        C003 TLS_ECDH_ECDSA_WITH_3DES_EDE_CBC_SHA             C004 TLS_ECDH_ECDSA_WITH_AES_128_CBC_SHA
        C005 TLS_ECDH_ECDSA_WITH_AES_256_CBC_SHA              C006 TLS_ECDHE_ECDSA_WITH_NULL_SHA
        C007 TLS_ECDHE_ECDSA_WITH_RC4_128_SHA                 C008 TLS_ECDHE_ECDSA_WITH_3DES_EDE_CBC_SHA
        C009 TLS_ECDHE_ECDSA_WITH_AES_128_CBC_SHA             C00A TLS_ECDHE_ECDSA_WITH_AES_256_CBC_SHA
        C00C TLS_ECDH_RSA_WITH_RC4_128_SHA                    C00D TLS_ECDH_RSA_WITH_3DES_EDE_CBC_SHA
        C00E TLS_ECDH_RSA_WITH_AES_128_CBC_SHA                C00F TLS_ECDH_RSA_WITH_AES_256_CBC_SHA
        C010 TLS_ECDHE_RSA_WITH_NULL_SHA                      C011 TLS_ECDHE_RSA_WITH_RC4_128_SHA
        C012 TLS_ECDHE_RSA_WITH_3DES_EDE_CBC_SHA              C013 TLS_ECDHE_RSA_WITH_AES_128_CBC_SHA
        C014 TLS_ECDHE_RSA_WITH_AES_256_CBC_SHA               C015 TLS_ECDH_anon_WITH_NULL_SHA
        C018 TLS_ECDH_anon_WITH_AES_128_CBC_SHA               C019 TLS_ECDH_anon_WITH_AES_256_CBC_SHA
        C01D TLS_SRP_SHA_WITH_AES_128_CBC_SHA                 C01E TLS_SRP_SHA_RSA_WITH_AES_128_CBC_SHA
        C01F TLS_SRP_SHA_DSS_WITH_AES_128_CBC_SHA             C020 TLS_SRP_SHA_WITH_AES_256_CBC_SHA
        C021 TLS_SRP_SHA_RSA_WITH_AES_256_CBC_SHA             C022 TLS_SRP_SHA_DSS_WITH_AES_256_CBC_SHA
        C023 TLS_ECDHE_ECDSA_WITH_AES_128_CBC_SHA256          C024 TLS_ECDHE_ECDSA_WITH_AES_256_CBC_SHA384
        C025 TLS_ECDH_ECDSA_WITH_AES_128_CBC_SHA256           C026 TLS_ECDH_ECDSA_WITH_AES_256_CBC_SHA384
        C027 TLS_ECDHE_RSA_WITH_AES_128_CBC_SHA256            C028 TLS_ECDHE_RSA_WITH_AES_256_CBC_SHA384
        C029 TLS_ECDH_RSA_WITH_AES_128_CBC_SHA256             C02A TLS_ECDH_RSA_WITH_AES_256_CBC_SHA384
        C02B TLS_ECDHE_ECDSA_WITH_AES_128_GCM_SHA256          C02C TLS_ECDHE_ECDSA_WITH_AES_256_GCM_SHA384
        C02D TLS_ECDH_ECDSA_WITH_AES_128_GCM_SHA256           C02E TLS_ECDH_ECDSA_WITH_AES_256_GCM_SHA384
        C02F TLS_ECDHE_RSA_WITH_AES_128_GCM_SHA256            C030 TLS_ECDHE_RSA_WITH_AES_256_GCM_SHA384
        C031 TLS_ECDH_RSA_WITH_AES_128_GCM_SHA256             C032 TLS_ECDH_RSA_WITH_AES_256_GCM_SHA384
        C035 TLS_ECDHE_PSK_WITH_AES_128_CBC_SHA               C036 TLS_ECDHE_PSK_WITH_AES_256_CBC_SHA
        C037 TLS_ECDHE_PSK_WITH_AES_128_CBC_SHA256            C038 TLS_ECDHE_PSK_WITH_AES_256_CBC_SHA384
        C039 TLS_ECDHE_PSK_WITH_NULL_SHA                      C03A TLS_ECDHE_PSK_WITH_NULL_SHA256
        C03B TLS_ECDHE_PSK_WITH_NULL_SHA384                   C050 TLS_RSA_WITH_ARIA_128_GCM_SHA256
        C051 TLS_RSA_WITH_ARIA_256_GCM_SHA384                 C052 TLS_DHE_RSA_WITH_ARIA_128_GCM_SHA256
        C053 TLS_DHE_RSA_WITH_ARIA_256_GCM_SHA384             C056 TLS_DHE_DSS_WITH_ARIA_128_GCM_SHA256
        C057 TLS_DHE_DSS_WITH_ARIA_256_GCM_SHA384             C05C TLS_ECDHE_ECDSA_WITH_ARIA_128_GCM_SHA256
        C05D TLS_ECDHE_ECDSA_WITH_ARIA_256_GCM_SHA384         C060 TLS_ECDHE_RSA_WITH_ARIA_128_GCM_SHA256
        C061 TLS_ECDHE_RSA_WITH_ARIA_256_GCM_SHA384           C06A TLS_PSK_WITH_ARIA_128_GCM_SHA256
        C06B TLS_PSK_WITH_ARIA_256_GCM_SHA384                 C06C TLS_DHE_PSK_WITH_ARIA_128_GCM_SHA256
        C06D TLS_DHE_PSK_WITH_ARIA_256_GCM_SHA384             C06E TLS_RSA_PSK_WITH_ARIA_128_GCM_SHA256
        C06F TLS_RSA_PSK_WITH_ARIA_256_GCM_SHA384             C072 TLS_ECDHE_ECDSA_WITH_CAMELLIA_128_CBC_SHA256
        C073 TLS_ECDHE_ECDSA_WITH_CAMELLIA_256_CBC_SHA384     C076 TLS_ECDHE_RSA_WITH_CAMELLIA_128_CBC_SHA256
        C077 TLS_ECDHE_RSA_WITH_CAMELLIA_256_CBC_SHA384       C094 TLS_PSK_WITH_CAMELLIA_128_CBC_SHA256
        C095 TLS_PSK_WITH_CAMELLIA_256_CBC_SHA384             C096 TLS_DHE_PSK_WITH_CAMELLIA_128_CBC_SHA256
        C097 TLS_DHE_PSK_WITH_CAMELLIA_256_CBC_SHA384         C098 TLS_RSA_PSK_WITH_CAMELLIA_128_CBC_SHA256
        C099 TLS_RSA_PSK_WITH_CAMELLIA_256_CBC_SHA384         C09A TLS_ECDHE_PSK_WITH_CAMELLIA_128_CBC_SHA256
        C09B TLS_ECDHE_PSK_WITH_CAMELLIA_256_CBC_SHA384       C09C TLS_RSA_WITH_AES_128_CCM
        C09D TLS_RSA_WITH_AES_256_CCM                         C09E TLS_DHE_RSA_WITH_AES_128_CCM
        C09F TLS_DHE_RSA_WITH_AES_256_CCM                     C0A0 TLS_RSA_WITH_AES_128_CCM_8
        C0A1 TLS_RSA_WITH_AES_256_CCM_8                       C0A2 TLS_DHE_RSA_WITH_AES_128_CCM_8
        C0A3 TLS_DHE_RSA_WITH_AES_256_CCM_8                   C0A4 TLS_PSK_WITH_AES_128_CCM
        C0A5 TLS_PSK_WITH_AES_256_CCM                         C0A6 TLS_DHE_PSK_WITH_AES_128_CCM
        C0A7 TLS_DHE_PSK_WITH_AES_256_CCM                     C0A8 TLS_PSK_WITH_AES_128_CCM_8
        C0A9 TLS_PSK_WITH_AES_256_CCM_8                       C0AA TLS_PSK_DHE_WITH_AES_128_CCM_8
        C0AB TLS_PSK_DHE_WITH_AES_256_CCM_8                   C0AC TLS_ECDHE_ECDSA_WITH_AES_128_CCM
        C0AD TLS_ECDHE_ECDSA_WITH_AES_256_CCM                 C0AE TLS_ECDHE_ECDSA_WITH_AES_128_CCM_8
        C0AF TLS_ECDHE_ECDSA_WITH_AES_256_CCM_8               CCA8 TLS_ECDHE_RSA_WITH_CHACHA20_POLY1305_SHA256
        CCA9 TLS_ECDHE_ECDSA_WITH_CHACHA20_POLY1305_SHA256    CCAA TLS_DHE_RSA_WITH_CHACHA20_POLY1305_SHA256
        CCAB TLS_PSK_WITH_CHACHA20_POLY1305_SHA256            CCAC TLS_ECDHE_PSK_WITH_CHACHA20_POLY1305_SHA256
        CCAD TLS_DHE_PSK_WITH_CHACHA20_POLY1305_SHA256        CCAE TLS_RSA_PSK_WITH_CHACHA20_POLY1305_SHA256
        """)

    static let extensions = NameTable(
        """
        0000 server_name                              0001 max_fragment_length
        0003 trusted_ca_keys                          0004 truncated_hmac
        0005 status_request                           000A supported_groups
        000B ec_point_formats                         000C srp
        000D signature_algorithms                     000E use_srtp
        000F heartbeat                                0010 application_layer_protocol_negotiation
        0011 status_request_v2                        0012 signed_certificate_timestamp
        0013 client_certificate_type                  0014 server_certificate_type
        0015 padding                                  0016 encrypt_then_mac
        0017 extended_master_secret                   0018 token_binding
        0019 cached_info                              001B compress_certificate
        001C record_size_limit                        0022 delegated_credential
        0023 session_ticket                           0029 pre_shared_key
        002A early_data                               002B supported_versions
        002C cookie                                   002D psk_key_exchange_modes
        002F certificate_authorities                  0030 oid_filters
        0031 post_handshake_auth                      0032 signature_algorithms_cert
        0033 key_share                                0034 transparency_info
        0039 quic_transport_parameters                003A ticket_request
        3374 next_protocol_negotiation                4469 application_settings
        44CD application_settings                     FE0D encrypted_client_hello
        FF01 renegotiation_info
        """)

    static let groups = NameTable(
        """
        0001 sect163k1             0006 sect233k1             0007 sect233r1             0009 sect283k1
        000A sect283r1             000B sect409k1             000C sect409r1             000D sect571k1
        000E sect571r1             0012 secp192k1             0013 secp192r1             0014 secp224k1
        0015 secp224r1             0016 secp256k1             0017 secp256r1             0018 secp384r1
        0019 secp521r1             001A brainpoolP256r1       001B brainpoolP384r1       001C brainpoolP512r1
        001D x25519                001E x448                  001F brainpoolP256r1tls13  0020 brainpoolP384r1tls13
        0021 brainpoolP512r1tls13  0100 ffdhe2048             0101 ffdhe3072             0102 ffdhe4096
        0103 ffdhe6144             0104 ffdhe8192             0200 MLKEM512              0201 MLKEM768
        0202 MLKEM1024             11EB SecP256r1MLKEM768     11EC X25519MLKEM768        11ED SecP384r1MLKEM1024
        6399 X25519Kyber768Draft00
        """)
}

/// Names by number and numbers by name, from a text of hexadecimal numbers with names.
struct NameTable: Sendable {
    private let names: [UInt16: String]
    private let numbers: [String: UInt16]

    /// Skips malformed pairs.
    init(_ text: String) {
        var names: [UInt16: String] = [:]
        var numbers: [String: UInt16] = [:]
        let words = text.split { $0 == " " || $0 == "\n" }
        for index in stride(from: 0, to: words.count - 1, by: 2) {
            guard let number = UInt16(words[index], radix: 16) else { continue }
            let name = String(words[index + 1])
            names[number] = name
            numbers[name] = number
        }
        self.names = names
        self.numbers = numbers
    }

    subscript(number: UInt16) -> String? { names[number] }

    func number(of name: String) -> UInt16? { numbers[name] }
}
