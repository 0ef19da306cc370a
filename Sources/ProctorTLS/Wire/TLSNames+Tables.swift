extension TLSNames {
    /// Of the registry "TLS ExtensionType Values".
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

    /// Of the registry "TLS Supported Groups".
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

    /// Of the registry "TLS SignatureScheme", and the pairs of hash and signature of RFC 5246 §7.4.1.4.1.
    static let signatureSchemes = NameTable(
        """
        0101 rsa_pkcs1_md5
        0201 rsa_pkcs1_sha1
        0202 dsa_sha1_RESERVED
        0203 ecdsa_sha1
        0301 rsa_pkcs1_sha224
        0302 dsa_sha224_RESERVED
        0303 ecdsa_sha224
        0401 rsa_pkcs1_sha256
        0402 dsa_sha256_RESERVED
        0403 ecdsa_secp256r1_sha256
        0501 rsa_pkcs1_sha384
        0502 dsa_sha384_RESERVED
        0503 ecdsa_secp384r1_sha384
        0601 rsa_pkcs1_sha512
        0602 dsa_sha512_RESERVED
        0603 ecdsa_secp521r1_sha512
        0804 rsa_pss_rsae_sha256
        0805 rsa_pss_rsae_sha384
        0806 rsa_pss_rsae_sha512
        0807 ed25519
        0808 ed448
        0809 rsa_pss_pss_sha256
        080A rsa_pss_pss_sha384
        080B rsa_pss_pss_sha512
        081A ecdsa_brainpoolP256r1tls13_sha256
        081B ecdsa_brainpoolP384r1tls13_sha384
        081C ecdsa_brainpoolP512r1tls13_sha512
        """)

    /// Of the registry "TLS Alerts".
    static let alerts = NameTable(
        """
        00 close_notify
        0A unexpected_message
        14 bad_record_mac
        15 decryption_failed
        16 record_overflow
        1E decompression_failure
        28 handshake_failure
        29 no_certificate
        2A bad_certificate
        2B unsupported_certificate
        2C certificate_revoked
        2D certificate_expired
        2E certificate_unknown
        2F illegal_parameter
        30 unknown_ca
        31 access_denied
        32 decode_error
        33 decrypt_error
        34 too_many_cids_requested
        3C export_restriction
        46 protocol_version
        47 insufficient_security
        50 internal_error
        56 inappropriate_fallback
        5A user_canceled
        64 no_renegotiation
        6D missing_extension
        6E unsupported_extension
        6F certificate_unobtainable
        70 unrecognized_name
        71 bad_certificate_status_response
        72 bad_certificate_hash_value
        73 unknown_psk_identity
        74 certificate_required
        78 no_application_protocol
        79 ech_required
        """)
}
