internal import COpenSSL

/// A whole number that is not negative, of any size; wiped when it goes.
@safe final class BigNumber {
    private let pointer: OpaquePointer
    private static let outOfMemory = "OpenSSL has no memory for a number"

    /// From big-endian bytes.
    init(_ bytes: [UInt8]) {
        _ = OpenSSLStart.once
        guard let made = unsafe BN_bin2bn(bytes, Int32(clamping: bytes.count), nil) else {
            preconditionFailure(Self.outOfMemory)
        }
        unsafe pointer = made
    }

    convenience init(_ value: UInt32) {
        self.init((0..<4).reversed().map { UInt8(truncatingIfNeeded: value >> (8 * $0)) })
    }

    deinit { unsafe BN_clear_free(pointer) }

    /// Big-endian, without leading zeros.
    var bytes: [UInt8] {
        var bytes = [UInt8](repeating: 0, count: Int(unsafe BN_num_bits(pointer) + 7) / 8)
        unsafe bytes.withUnsafeMutableBufferPointer { buffer in
            _ = unsafe BN_bn2bin(pointer, buffer.baseAddress)
        }
        return bytes
    }

    func remainder(by word: UInt32) -> UInt32 { UInt32(truncatingIfNeeded: unsafe BN_mod_word(pointer, UInt(word))) }

    static func + (left: BigNumber, right: UInt32) -> BigNumber {
        let sum = BigNumber(left.bytes)
        _ = unsafe BN_add_word(sum.pointer, UInt(right))
        return sum
    }

    /// The minuend must not be smaller.
    static func - (left: BigNumber, right: UInt32) -> BigNumber {
        let difference = BigNumber(left.bytes)
        _ = unsafe BN_sub_word(difference.pointer, UInt(right))
        return difference
    }

    static func * (left: BigNumber, right: BigNumber) -> BigNumber {
        unsafe calculate { unsafe BN_mul($0, left.pointer, right.pointer, $1) }
    }

    static func % (left: BigNumber, right: BigNumber) -> BigNumber {
        unsafe calculate { unsafe BN_div(nil, $0, left.pointer, right.pointer, $1) }
    }

    /// Rounded down.
    var half: BigNumber { unsafe Self.calculate { result, _ in unsafe BN_rshift1(result, pointer) } }

    func power(_ exponent: BigNumber, modulo: BigNumber) -> BigNumber {
        unsafe Self.calculate { unsafe BN_mod_exp($0, pointer, exponent.pointer, modulo.pointer, $1) }
    }

    /// Zero where there is none.
    func inverse(modulo: BigNumber) -> BigNumber {
        unsafe Self.calculate { result, context in
            unsafe BN_mod_inverse(result, pointer, modulo.pointer, context) == nil ? 0 : 1
        }
    }

    static func == (left: BigNumber, right: BigNumber) -> Bool { unsafe BN_cmp(left.pointer, right.pointer) == 0 }
    static func < (left: BigNumber, right: BigNumber) -> Bool { unsafe BN_cmp(left.pointer, right.pointer) < 0 }

    /// What fails leaves zero: no key comes of it, which OpenSSL then says.
    private static func calculate(_ body: (OpaquePointer, OpaquePointer) -> Int32) -> BigNumber {
        guard let context = unsafe BN_CTX_new() else { preconditionFailure(outOfMemory) }
        defer { unsafe BN_CTX_free(context) }
        let result = BigNumber([])
        return unsafe body(result.pointer, context) == 1 ? result : BigNumber([])
    }
}
