#if canImport(Darwin)
    import Darwin
#else
    import Glibc
#endif

/// Addresses as certificates hold them: 4 or 16 bytes (RFC 5280 §4.2.1.6).
enum IPAddressBytes {
    /// nil for what is no address.
    static func of(_ text: String) -> [UInt8]? {
        var four = in_addr()
        if unsafe inet_pton(AF_INET, text, &four) == 1 {
            return unsafe withUnsafeBytes(of: &four) { unsafe Array($0) }
        }
        var sixteen = in6_addr()
        if unsafe inet_pton(AF_INET6, text, &sixteen) == 1 {
            return unsafe withUnsafeBytes(of: &sixteen) { unsafe Array($0) }
        }
        return nil
    }
}
