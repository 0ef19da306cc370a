internal import COpenSSL
internal import ProctorBase

/// Initialises OpenSSL before its first use in the process.
///
/// Otherwise OpenSSL frees its data at exit, while threads may still make keys and would crash.
enum OpenSSLStart {
    /// Read it before any other use of OpenSSL; takes effect once.
    static let once: Void = proctor_start_openssl()
}

/// An owner of one C object that any thread may use.
@safe final class SharedObject: @unchecked Sendable {
    // Unchecked: OpenSSL counts references under its own locks, and a complete object does not change.
    let pointer: OpaquePointer
    private let free: @Sendable (OpaquePointer) -> Void

    /// Takes ownership of one reference.
    init(owning pointer: OpaquePointer, free: @escaping @Sendable (OpaquePointer) -> Void) {
        unsafe self.pointer = unsafe pointer
        unsafe self.free = unsafe free
    }

    deinit { unsafe free(pointer) }
}

/// The thread's error queue of OpenSSL; clear it before a call whose failure is reported.
package enum OpenSSLErrors {
    /// All errors in one sentence, the oldest first, without duplicates; empties the queue.
    package static func takeSentence() -> String {
        var parts: [String] = []
        while true {
            var data: UnsafePointer<CChar>?
            var flags: Int32 = 0
            let code = unsafe ERR_get_error_all(nil, nil, nil, &data, &flags)
            guard code != 0 else { break }
            var part = unsafe ERR_reason_error_string(code).map { unsafe String(cString: $0) } ?? "error \(code)"
            if flags & ERR_TXT_STRING != 0, let data = unsafe data {
                let more = unsafe String(cString: data)
                if !more.isEmpty { part += " (\(more))" }
            }
            if !parts.contains(part), parts.count < 8 { parts.append(part) }
        }
        return parts.isEmpty ? "OpenSSL gives no reason" : parts.joined(separator: "; ")
    }

    /// A failure with all errors of the thread's queue, which is emptied; the code is that of the newest.
    static func failure(_ call: String) -> CallFailure {
        let code = ERR_peek_last_error()
        return CallFailure(call: call, code: Int32(truncatingIfNeeded: code), text: takeSentence())
    }
}

/// OpenSSL objects from DER; the caller owns them.
enum OpenSSLObjects {
    static func certificate(_ der: [UInt8]) -> OpaquePointer? {
        _ = OpenSSLStart.once
        return unsafe der.withUnsafeBufferPointer { bytes in
            var cursor = bytes.baseAddress
            return unsafe d2i_X509(nil, &cursor, bytes.count)
        }
    }

    static func privateKey(_ der: [UInt8]) -> OpaquePointer? {
        _ = OpenSSLStart.once
        return unsafe der.withUnsafeBufferPointer { bytes in
            var cursor = bytes.baseAddress
            return unsafe d2i_AutoPrivateKey(nil, &cursor, bytes.count)
        }
    }

    /// DER of each certificate of a stack, which the caller still owns.
    static func chain(_ stack: OpaquePointer?) -> [[UInt8]] {
        let count = unsafe proctor_sk_X509_num(stack)
        return (0..<max(0, count)).map { index in
            let certificate = unsafe proctor_sk_X509_value(stack, index)
            return unsafe encoded { unsafe i2d_X509(certificate, $0) }
        }
    }

    /// DER of each name of a list, which the caller still owns.
    static func names(_ stack: OpaquePointer?) -> [[UInt8]] {
        let count = unsafe proctor_sk_X509_NAME_num(stack)
        return (0..<max(0, count)).map { index in
            let name = unsafe proctor_sk_X509_NAME_value(stack, index)
            return unsafe encoded { unsafe i2d_X509_NAME(name, $0) }
        }
    }

    /// The output of an `i2d_…` function; empty on failure.
    static func encoded(_ write: (UnsafeMutablePointer<UnsafeMutablePointer<UInt8>?>?) -> Int32) -> [UInt8] {
        let count = Int(write(nil))
        guard count > 0 else { return [] }
        var bytes = [UInt8](repeating: 0, count: count)
        let written = unsafe bytes.withUnsafeMutableBufferPointer { buffer in
            var cursor = buffer.baseAddress
            return unsafe Int(write(&cursor))
        }
        return written == count ? bytes : []
    }
}

/// Hashes of whole byte strings.
enum HashedBytes {
    static func sha256(_ bytes: [UInt8]) -> [UInt8] { unsafe hash(bytes, EVP_sha256()) }

    /// For OCSP, whose requests identify an issuer by this hash (RFC 6960 §4.1.1).
    static func sha1(_ bytes: [UInt8]) -> [UInt8] { unsafe hash(bytes, EVP_sha1()) }

    /// Empty if OpenSSL refuses the function.
    private static func hash(_ bytes: [UInt8], _ function: OpaquePointer?) -> [UInt8] {
        _ = OpenSSLStart.once
        var hash = [UInt8](repeating: 0, count: Int(EVP_MAX_MD_SIZE))
        var count: UInt32 = 0
        let isDone = unsafe EVP_Digest(bytes, bytes.count, &hash, &count, function, nil) == 1
        return isDone ? Array(hash.prefix(Int(count))) : []
    }
}
