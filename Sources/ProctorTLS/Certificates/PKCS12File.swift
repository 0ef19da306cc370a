internal import COpenSSL
import ProctorBase

/// A PKCS#12 file (RFC 7292) with certificates, and a key where there is one.
enum PKCS12File {
    /// Triple DES, SHA-1 and 2048 rounds: what Apple's and Java's older readers open as well; the key is worth nothing.
    static func make(
        name: String, chain: [[UInt8]], key: PrivateKey?, passphrase: String
    ) throws(CallFailure) -> [UInt8] {
        ERR_clear_error()
        guard let others = unsafe proctor_sk_X509_new() else { throw OpenSSLWords.failure("sk_X509_new") }
        defer { unsafe proctor_sk_X509_free(others) }
        var leaf: OpaquePointer?
        defer { unsafe X509_free(leaf) }
        for (index, der) in chain.enumerated() {
            guard let certificate = unsafe OpenSSLObjects.certificate(der) else {
                throw OpenSSLWords.failure("d2i_X509")
            }
            if index == 0 { unsafe leaf = certificate } else { unsafe proctor_sk_X509_push(others, certificate) }
        }
        let algorithm = Int32(NID_pbe_WithSHA1And3_Key_TripleDES_CBC)
        // The MAC is set apart: this call's own would be SHA-256, which readers of that age do not know.
        let file = unsafe PKCS12_create(
            passphrase, name, key?.handle, leaf, others, key == nil ? -1 : algorithm, algorithm, 2_048, -1, 0)
        guard let file = unsafe file else { throw OpenSSLWords.failure("PKCS12_create") }
        defer { unsafe PKCS12_free(file) }
        guard unsafe PKCS12_set_mac(file, passphrase, -1, nil, 0, 2_048, EVP_sha1()) == 1 else {
            throw OpenSSLWords.failure("PKCS12_set_mac")
        }
        return unsafe OpenSSLWords.encoded { unsafe i2d_PKCS12(file, $0) }
    }
}
