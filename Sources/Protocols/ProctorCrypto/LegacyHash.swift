import COpenSSL
import ProctorBase

/// MD4 and HMAC-MD5 by OpenSSL, of which NTLM is made (MS-NLMP §6); safe from any thread.
package enum LegacyHash {
    /// Why OpenSSL computes no MD4; nil: it does.
    ///
    /// MD4 is a function of OpenSSL's provider "legacy", which a package of the system may leave out.
    package static let refusal: HashRefusal? = {
        guard md4(Array("abc".utf8)) == (try? HexText.decode(Array("a448017aaf21d8525fc10ae87aa6729d".utf8))) else {
            return HashRefusal(function: nil, reason: Library.shared.md4.reason)
        }
        return nil
    }()

    /// 16 bytes; nil where ``refusal`` says why.
    package static func md4(_ bytes: [UInt8]) -> [UInt8]? {
        guard let function = unsafe Library.shared.md4.pointer else { return nil }
        var output = [UInt8](repeating: 0, count: 16)
        let isDone = unsafe bytes.withUnsafeBytes { source in
            unsafe output.withUnsafeMutableBufferPointer { target in
                unsafe EVP_Digest(source.baseAddress, source.count, target.baseAddress, nil, function, nil) == 1
            }
        }
        return isDone ? output : nil
    }

    /// 16 bytes (RFC 2104); nil where OpenSSL refuses MD5, as its FIPS mode does.
    package static func hmacMD5(_ bytes: [UInt8], key: [UInt8]) -> [UInt8]? {
        _ = OpenSSLFunctions.shared
        var output = [UInt8](repeating: 0, count: 16)
        var count = 0
        let isDone = unsafe bytes.withUnsafeBufferPointer { source in
            unsafe key.withUnsafeBytes { key in
                unsafe output.withUnsafeMutableBufferPointer { target in
                    unsafe EVP_Q_mac(
                        nil, "HMAC", nil, "MD5", nil, key.baseAddress, key.count, source.baseAddress, source.count,
                        target.baseAddress, target.count, &count) != nil
                }
            }
        }
        return isDone && count == output.count ? output : nil
    }

    /// OpenSSL with the provider "legacy", in a context of its own.
    ///
    /// In the default context, a provider that is loaded by name would keep OpenSSL from loading the default one.
    private final class Library: Sendable {
        static let shared = Library()

        let md4: OpenSSLFunctions.Fetched

        private init() {
            _ = OpenSSLFunctions.shared
            // Kept as long as the process, since any thread may hash until its end.
            let context = unsafe OSSL_LIB_CTX_new()
            _ = unsafe OSSL_PROVIDER_load(context, "legacy")
            md4 = unsafe OpenSSLFunctions.Fetched("MD4", in: context)
        }
    }
}
