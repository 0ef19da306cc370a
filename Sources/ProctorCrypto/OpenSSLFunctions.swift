import COpenSSL
import ProctorHTTP

/// The hash functions of the process; fetched when first asked for and never freed.
@safe final class OpenSSLFunctions: Sendable {
    static let shared = OpenSSLFunctions()

    private let md5: Fetched
    private let sha256: Fetched
    private let sha512t256: Fetched

    private init() {
        // Threads may hash until the process is gone.
        proctor_start_openssl()
        md5 = Fetched("MD5")
        sha256 = Fetched("SHA256")
        sha512t256 = Fetched("SHA512-256")
    }

    /// One of them: OpenSSL never changes what a fetched function points to, so any thread may use it.
    @safe private struct Fetched: @unchecked Sendable {
        let pointer: OpaquePointer?
        /// In OpenSSL's words; nil where it was fetched.
        let reason: String?

        init(_ name: String) {
            unsafe pointer = EVP_MD_fetch(nil, name, nil)
            unsafe reason = pointer == nil ? Self.lastError() : nil
        }

        /// Empties the thread's queue of errors.
        private static func lastError() -> String {
            let code = ERR_get_error()
            ERR_clear_error()
            var text = [CChar](repeating: 0, count: 256)
            unsafe text.withUnsafeMutableBufferPointer { unsafe ERR_error_string_n(code, $0.baseAddress, $0.count) }
            return String(decoding: text.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }, as: UTF8.self)
        }
    }

    private func fetched(_ function: HashFunction) -> Fetched {
        switch function {
        case .md5: md5
        case .sha256: sha256
        case .sha512t256: sha512t256
        }
    }

    /// Lives as long as the process.
    func pointer(for function: HashFunction) -> OpaquePointer? { unsafe fetched(function).pointer }

    /// What OpenSSL said when it was asked for the function.
    func reason(for function: HashFunction) -> String? { fetched(function).reason }
}
