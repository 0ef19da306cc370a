internal import COpenSSL

/// Groups for finite-field Diffie–Hellman by their size.
enum DiffieHellmanGroup {
    /// Sizes there are, in bits.
    static let sizes = [512, 768, 1024, 1536, 2048, 3072, 4096, 6144, 8192]

    /// An `EVP_PKEY` of parameters, which the caller owns; nil for another size.
    static func parameters(bits: Int) -> OpaquePointer? {
        _ = OpenSSLStart.once
        switch bits {
        case 512: return unsafe parameters(primeFrom: BN_bin2bn(safePrime512, Int32(safePrime512.count), nil))
        // Oakley's groups (RFC 2409 §6.1, §6.2).
        case 768: return unsafe parameters(primeFrom: BN_get_rfc2409_prime_768(nil))
        case 1024: return unsafe parameters(primeFrom: BN_get_rfc2409_prime_1024(nil))
        // RFC 3526 §2.
        case 1536: return unsafe parameters(primeFrom: BN_get_rfc3526_prime_1536(nil))
        // RFC 7919.
        case 2048, 3072, 4096, 6144, 8192: return unsafe parameters(named: "ffdhe\(bits)")
        default: return nil
        }
    }

    private static func parameters(named name: String) -> OpaquePointer? {
        var key: OpaquePointer?
        guard let context = unsafe EVP_PKEY_CTX_new_from_name(nil, "DH", nil) else { return nil }
        defer { unsafe EVP_PKEY_CTX_free(context) }
        guard unsafe EVP_PKEY_paramgen_init(context) == 1, unsafe EVP_PKEY_CTX_set_group_name(context, name) == 1
        else { return nil }
        unsafe EVP_PKEY_paramgen(context, &key)
        return unsafe key
    }

    /// Takes the prime over; the generator is 2.
    private static func parameters(primeFrom prime: OpaquePointer?) -> OpaquePointer? {
        defer { unsafe BN_free(prime) }
        guard let prime = unsafe prime, let generator = unsafe BN_new() else { return nil }
        defer { unsafe BN_free(generator) }
        unsafe BN_set_word(generator, 2)
        guard let builder = unsafe OSSL_PARAM_BLD_new() else { return nil }
        defer { unsafe OSSL_PARAM_BLD_free(builder) }
        // The builder keeps the pointers to the names.
        unsafe OSSL_PARAM_BLD_push_BN(builder, lasting("p"), prime)
        unsafe OSSL_PARAM_BLD_push_BN(builder, lasting("g"), generator)
        guard let list = unsafe OSSL_PARAM_BLD_to_param(builder) else { return nil }
        defer { unsafe OSSL_PARAM_free(list) }
        guard let context = unsafe EVP_PKEY_CTX_new_from_name(nil, "DH", nil) else { return nil }
        defer { unsafe EVP_PKEY_CTX_free(context) }
        var key: OpaquePointer?
        guard unsafe EVP_PKEY_fromdata_init(context) == 1 else { return nil }
        unsafe EVP_PKEY_fromdata(context, &key, proctor_EVP_PKEY_KEY_PARAMETERS, list)
        return unsafe key
    }

    private static func lasting(_ name: StaticString) -> UnsafePointer<CChar> {
        unsafe UnsafeRawPointer(name.utf8Start).assumingMemoryBound(to: CChar.self)
    }

    /// Nobody standardised one so small; p and (p − 1) / 2 are prime.
    private static let safePrime512: [UInt8] = [
        0xBA, 0xB3, 0x88, 0x75, 0x94, 0xD2, 0xCC, 0x10, 0xC6, 0xE9, 0x7C, 0x04, 0x7A, 0x7D, 0x88, 0xD6,
        0x1F, 0x37, 0x86, 0x75, 0x92, 0x60, 0x92, 0x56, 0x03, 0xAD, 0xF1, 0x92, 0x93, 0x69, 0x5D, 0x7D,
        0x95, 0x1A, 0x0E, 0x4A, 0x90, 0xDB, 0xA4, 0xE9, 0x34, 0x4A, 0xCF, 0x44, 0xB7, 0x71, 0x5F, 0x62,
        0x0E, 0xD6, 0xD0, 0x2E, 0x52, 0xBE, 0x67, 0x54, 0x9A, 0x39, 0x9B, 0x84, 0xB9, 0xB1, 0x30, 0x6F,
    ]
}
