internal import COpenSSL

/// Makes keys of OpenSSL from their numbers.
enum OpenSSLKey {
    /// The caller frees the `EVP_PKEY`; nil if OpenSSL refuses the numbers, as a point that is not on the curve.
    static func make(_ algorithm: SignatureAlgorithm, _ parameters: KeyParameters) -> OpaquePointer? {
        switch algorithm {
        case .hs256: nil
        case .edDSA: unsafe edwards(parameters)
        case .es256: unsafe elliptic(parameters)
        case .rs256, .ps512: unsafe rsa(parameters)
        }
    }

    private static func edwards(_ parameters: KeyParameters) -> OpaquePointer? {
        if let secret = parameters["d"] {
            return unsafe secret.withUnsafeBufferPointer {
                unsafe EVP_PKEY_new_raw_private_key_ex(nil, "ED25519", nil, $0.baseAddress, $0.count)
            }
        }
        return unsafe (parameters["x"] ?? []).withUnsafeBufferPointer {
            unsafe EVP_PKEY_new_raw_public_key_ex(nil, "ED25519", nil, $0.baseAddress, $0.count)
        }
    }

    private static func elliptic(_ parameters: KeyParameters) -> OpaquePointer? {
        let point: [UInt8] = [4] + (parameters["x"] ?? []) + (parameters["y"] ?? [])
        return unsafe point.withUnsafeBufferPointer { point in
            unsafe build("EC", [("priv", parameters["d"])], isPrivate: parameters["d"] != nil) { builder in
                unsafe OSSL_PARAM_BLD_push_utf8_string(builder, lasting("group"), lasting("prime256v1"), 0) == 1
                    && OSSL_PARAM_BLD_push_octet_string(builder, lasting("pub"), point.baseAddress, point.count) == 1
            }
        }
    }

    private static func rsa(_ parameters: KeyParameters) -> OpaquePointer? {
        let names: [(StaticString, String)] = [
            ("n", "n"), ("e", "e"), ("d", "d"), ("rsa-factor1", "p"), ("rsa-factor2", "q"), ("rsa-exponent1", "dp"),
            ("rsa-exponent2", "dq"), ("rsa-coefficient1", "qi"),
        ]
        return unsafe build(
            "RSA", names.map { ($0, parameters[$1]) }, isPrivate: parameters["d"] != nil, { _ in true })
    }

    /// Numbers that are nil are left out; `more` adds what is no number.
    private static func build(
        _ type: String, _ numbers: [(name: StaticString, bytes: [UInt8]?)], isPrivate: Bool,
        _ more: (OpaquePointer) -> Bool
    ) -> OpaquePointer? {
        guard let builder = unsafe OSSL_PARAM_BLD_new() else { return nil }
        defer { unsafe OSSL_PARAM_BLD_free(builder) }
        // The builder keeps the pointers to names and numbers until the list is made.
        var kept: [BigNumber] = []
        defer { withExtendedLifetime(kept) {} }
        for case let (name, bytes?) in numbers {
            guard let number = BigNumber(bytes) else { return nil }
            kept.append(number)
            guard unsafe OSSL_PARAM_BLD_push_BN(builder, lasting(name), number.pointer) == 1 else { return nil }
        }
        guard unsafe more(builder), let list = unsafe OSSL_PARAM_BLD_to_param(builder) else { return nil }
        defer { unsafe OSSL_PARAM_free(list) }
        guard let context = unsafe EVP_PKEY_CTX_new_from_name(nil, type, nil) else { return nil }
        defer { unsafe EVP_PKEY_CTX_free(context) }
        var key: OpaquePointer?
        guard unsafe EVP_PKEY_fromdata_init(context) == 1 else { return nil }
        let selection = isPrivate ? proctor_EVP_PKEY_KEYPAIR : proctor_EVP_PKEY_PUBLIC_KEY
        guard unsafe EVP_PKEY_fromdata(context, &key, selection, list) == 1 else { return nil }
        return unsafe key
    }

    private static func lasting(_ name: StaticString) -> UnsafePointer<CChar> {
        unsafe UnsafeRawPointer(name.utf8Start).assumingMemoryBound(to: CChar.self)
    }
}
