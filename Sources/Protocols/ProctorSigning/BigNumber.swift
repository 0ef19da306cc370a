internal import COpenSSL

/// A number of OpenSSL, which it owns and clears at its end; on one thread at a time.
@safe final class BigNumber {
    /// Null once another owner has it.
    private(set) var pointer: OpaquePointer?

    /// Zero; nil only without memory.
    init?() {
        unsafe pointer = unsafe BN_new()
        if unsafe pointer == nil { return nil }
    }

    /// The most significant byte comes first.
    init?(_ bytes: [UInt8]) {
        unsafe pointer = unsafe bytes.withUnsafeBufferPointer {
            unsafe BN_bin2bn($0.baseAddress, Int32($0.count), nil)
        }
        if unsafe pointer == nil { return nil }
    }

    deinit { unsafe BN_clear_free(pointer) }

    /// Gives the number to another owner.
    func release() -> OpaquePointer? {
        defer { unsafe pointer = nil }
        return unsafe pointer
    }

    /// As few bytes as the number needs.
    var bytes: [UInt8]? { unsafe Self.bytes(of: pointer, count: (Int(BN_num_bits(pointer)) + 7) / 8) }

    /// With zeros in front; nil if the number has more bytes.
    static func bytes(of number: OpaquePointer?, count: Int) -> [UInt8]? {
        guard let number = unsafe number else { return nil }
        var output = [UInt8](repeating: 0, count: count)
        let written = unsafe output.withUnsafeMutableBufferPointer { target in
            unsafe BN_bn2binpad(number, target.baseAddress, Int32(count))
        }
        return Int(written) == count ? output : nil
    }
}
