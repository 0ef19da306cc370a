/// An alert on the wire (RFC 8446 §6).
package struct TLSAlert: Sendable, Equatable {
    /// Whether this side sent it.
    package let isOurs: Bool
    package let isFatal: Bool
    package let number: UInt8

    package var name: String { AlertDescription.name(of: number) }

    package init(isOurs: Bool, isFatal: Bool, number: UInt8) {
        (self.isOurs, self.isFatal, self.number) = (isOurs, isFatal, number)
    }
}

/// Alert names (RFC 8446 §6, and the IANA registry for older and newer ones).
package enum AlertDescription {
    /// nil for an unknown name.
    package static func number(named name: String) -> UInt8? { table.first { $0.name == name }?.number }

    /// The decimal digits for an unknown number.
    package static func name(of number: UInt8) -> String {
        table.first { $0.number == number }?.name ?? String(number)
    }

    package static var names: [String] { table.map(\.name) }

    private static let table: [(number: UInt8, name: String)] = [
        (0, "close_notify"), (10, "unexpected_message"), (20, "bad_record_mac"), (21, "decryption_failed"),
        (22, "record_overflow"), (30, "decompression_failure"), (40, "handshake_failure"), (41, "no_certificate"),
        (42, "bad_certificate"), (43, "unsupported_certificate"), (44, "certificate_revoked"),
        (45, "certificate_expired"), (46, "certificate_unknown"), (47, "illegal_parameter"), (48, "unknown_ca"),
        (49, "access_denied"), (50, "decode_error"), (51, "decrypt_error"), (52, "too_many_cids_requested"),
        (60, "export_restriction"), (70, "protocol_version"), (71, "insufficient_security"), (80, "internal_error"),
        (86, "inappropriate_fallback"), (90, "user_canceled"), (100, "no_renegotiation"), (109, "missing_extension"),
        (110, "unsupported_extension"), (111, "certificate_unobtainable"), (112, "unrecognized_name"),
        (113, "bad_certificate_status_response"), (114, "bad_certificate_hash_value"), (115, "unknown_psk_identity"),
        (116, "certificate_required"), (117, "general_error"), (120, "no_application_protocol"),
        (121, "ech_required"),
    ]
}
