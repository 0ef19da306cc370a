internal import COpenSSL

/// The numbers of an RSA key of 2,048 bits, computed from a stream (RFC 8017 §3.2).
struct RSANumbers {
    let parameters: KeyParameters

    private static let exponent: [UInt8] = [1, 0, 1]

    /// nil only if OpenSSL has no memory.
    init?(from stream: inout HashStream) {
        guard let context = unsafe BN_CTX_new() else { return nil }
        defer { unsafe BN_CTX_free(context) }
        guard let one = unsafe Self.prime(stream.bytes(128), context),
            let other = unsafe Self.prime(stream.bytes(128), context)
        else { return nil }
        // The coefficient is less than the larger prime, which is the first.
        let (p, q) = one.lexicographicallyPrecedes(other) ? (other, one) : (one, other)
        guard let first = BigNumber(p), let second = BigNumber(q), let e = BigNumber(Self.exponent),
            let n = BigNumber(), let d = BigNumber(), let dp = BigNumber(), let dq = BigNumber(), let qi = BigNumber(),
            let product = BigNumber()
        else { return nil }
        guard unsafe BN_mul(n.pointer, first.pointer, second.pointer, context) == 1,
            unsafe BN_mod_inverse(qi.pointer, second.pointer, first.pointer, context) != nil,
            // From here on the two are p - 1 and q - 1.
            unsafe BN_sub_word(first.pointer, 1) == 1, unsafe BN_sub_word(second.pointer, 1) == 1,
            unsafe BN_mul(product.pointer, first.pointer, second.pointer, context) == 1,
            unsafe BN_mod_inverse(d.pointer, e.pointer, product.pointer, context) != nil,
            unsafe BN_div(nil, dp.pointer, d.pointer, first.pointer, context) == 1,
            unsafe BN_div(nil, dq.pointer, d.pointer, second.pointer, context) == 1
        else { return nil }
        var parameters: KeyParameters = ["p": p, "q": q, "e": Self.exponent]
        for (name, number) in [("n", n), ("d", d), ("dp", dp), ("dq", dq), ("qi", qi)] {
            parameters[name] = number.bytes
        }
        self.parameters = parameters
    }

    /// The first prime from 128 bytes on, whose two highest bits are set so that a product of two has 2,048 bits.
    private static func prime(_ bytes: [UInt8], _ context: OpaquePointer) -> [UInt8]? {
        var bytes = bytes
        bytes[0] |= 0xC0
        bytes[127] |= 1
        guard let number = BigNumber(bytes) else { return nil }
        while true {
            // The exponent is prime, so it has an inverse unless it divides the prime less 1.
            if unsafe BN_mod_word(number.pointer, 65537) != 1,
                unsafe BN_check_prime(number.pointer, context, nil) == 1
            {
                return number.bytes
            }
            guard unsafe BN_add_word(number.pointer, 2) == 1 else { return nil }
        }
    }
}
