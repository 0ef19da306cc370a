import COpenSSL
import ProctorBase
package import ProctorHTTP

/// Hashes for Digest by OpenSSL; safe from any thread.
///
/// The functions are fetched once for the process, which costs more than hashing a short text.
package struct OpenSSLHasher: DigestHasher {
    /// OpenSSL is started by the first hash: that takes as long as all else that a server does at its start.
    private var functions: OpenSSLFunctions { .shared }

    package init() {}

    /// Throws if OpenSSL refuses a hash function, as its FIPS mode does for MD5, or computes a wrong hash.
    package func check(_ wanted: [HashFunction] = HashFunction.allCases) throws(HashRefusal) {
        for function in wanted {
            var hash: [UInt8] = []
            appendHash(function, of: Array("abc".utf8).span, to: &hash)
            guard hash == function.hashOfABC else {
                throw HashRefusal(function: function, reason: functions.reason(for: function))
            }
        }
    }

    /// Appends nothing if OpenSSL refuses the function; no response equals an empty one.
    package func appendHash(_ function: HashFunction, of bytes: Span<UInt8>, to output: inout [UInt8]) {
        guard let algorithm = unsafe functions.pointer(for: function) else { return }
        let start = output.count
        for _ in 0..<function.byteCount { output.append(0) }
        let isDone = unsafe bytes.withUnsafeBytes { source in
            unsafe output.withUnsafeMutableBufferPointer { target in
                // Each call has its own context, which is cheap to make once the function is fetched.
                guard let context = unsafe EVP_MD_CTX_new() else { return false }
                defer { unsafe EVP_MD_CTX_free(context) }
                guard let base = target.baseAddress else { return false }
                return unsafe EVP_DigestInit_ex2(context, algorithm, nil) == 1
                    && EVP_DigestUpdate(context, source.baseAddress, source.count) == 1
                    && EVP_DigestFinal_ex(context, base + start, nil) == 1
            }
        }
        if !isDone { output.removeSubrange(start...) }
    }
}

/// The hash functions of OpenSSL, fetched once for the process; safe from any thread.
@safe package final class OpenSSLFunctions: Sendable {
    static let shared = OpenSSLFunctions()

    /// Comes before other calls of OpenSSL, whose state then stays to the end of the process.
    package static func start() { _ = shared }

    private let md5: Fetched
    private let sha256: Fetched
    private let sha512t256: Fetched

    private init() {
        // Prevents OpenSSL from freeing its state at exit, since threads may hash until the process ends.
        proctor_start_openssl()
        md5 = Fetched("MD5")
        sha256 = Fetched("SHA256")
        sha512t256 = Fetched("SHA512-256")
    }

    /// One fetched function.
    ///
    /// OpenSSL never changes or frees it, so any thread may use the address.
    private struct Fetched: Sendable {
        private let address: UInt
        /// OpenSSL's error text; nil if the function was fetched.
        let reason: String?

        init(_ name: String) {
            address = UInt(bitPattern: unsafe EVP_MD_fetch(nil, name, nil))
            reason = address == 0 ? Self.lastError() : nil
        }

        var pointer: OpaquePointer? { unsafe OpaquePointer(bitPattern: address) }

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

    /// Valid as long as the process.
    func pointer(for function: HashFunction) -> OpaquePointer? { unsafe fetched(function).pointer }

    /// OpenSSL's error when it refused to fetch the function.
    func reason(for function: HashFunction) -> String? { fetched(function).reason }
}

/// A hash function that OpenSSL does not compute correctly.
package struct HashRefusal: Error, Sendable, Equatable {
    /// nil: those of NTLM, which are MD4 and MD5.
    package let function: HashFunction?
    /// OpenSSL's error text; nil if it computed a wrong hash.
    package let reason: String?

    package init(function: HashFunction?, reason: String?) {
        (self.function, self.reason) = (function, reason)
    }
}

extension HashRefusal: CustomStringConvertible {
    /// The missing function and what to do.
    package var description: String {
        let said = reason.map { ", which says \"\(PrintableText.sanitize($0, limit: 200))\"" } ?? ""
        guard let function else {
            return "NTLM, by MD4 and MD5, can't be computed with the system's OpenSSL\(said); expected one that was "
                + "built with MD4 and is not in FIPS mode"
        }
        let help =
            function == .md5
            ? "a system in FIPS mode has no MD5: offer SHA-256, or run where OpenSSL's default provider is active"
            : "expected OpenSSL 3 with its default provider"
        return "Digest by \(function.rawValue) can't be computed with the system's OpenSSL\(said); \(help)"
    }
}

extension HashFunction {
    /// RFC 1321 §A.5 and the examples of FIPS 180-4.
    var hashOfABC: [UInt8] {
        switch self {
        case .md5: Self.bytes("900150983cd24fb0d6963f7d28e17f72")
        case .sha256: Self.bytes("ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad")
        case .sha512t256: Self.bytes("53048e2681941ef99b2e29b76b4c7dabe4c2d0c634fc6d46e0e2f13107e7af23")
        }
    }

    private static func bytes(_ digits: String) -> [UInt8] { (try? HexText.decode(Array(digits.utf8))) ?? [] }
}
