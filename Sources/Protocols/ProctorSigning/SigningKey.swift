internal import COpenSSL
internal import ProctorCrypto

/// A key of one algorithm, which signs where it is private; safe from any thread.
@safe package final class SigningKey: Sendable {
    package let algorithm: SignatureAlgorithm
    package let parameters: KeyParameters
    /// The address of an `EVP_PKEY`, which nothing changes; 0 for a secret.
    private let address: UInt

    /// The most bytes that are signed or verified at once.
    package static let textByteLimit = 1 << 20
    /// The most bytes of a signature.
    package static let signatureByteLimit = 1024

    package init(_ algorithm: SignatureAlgorithm, _ parameters: KeyParameters) throws(KeyRefusal) {
        try algorithm.check(parameters)
        OpenSSLFunctions.start()
        (self.algorithm, self.parameters) = (algorithm, parameters)
        guard algorithm != .hs256 else {
            address = 0
            return
        }
        address = UInt(bitPattern: unsafe OpenSSLKey.make(algorithm, parameters))
        ERR_clear_error()
        guard address != 0 else {
            throw KeyRefusal(sentence: "OpenSSL reads no key for \(algorithm.rawValue) from these numbers")
        }
    }

    deinit {
        if let key = unsafe key { unsafe EVP_PKEY_free(key) }
    }

    private var key: OpaquePointer? { unsafe OpaquePointer(bitPattern: address) }

    package var isPrivate: Bool { algorithm == .hs256 || parameters["d"] != nil }

    /// The numbers that others may see, or all; with the names of RFC 7518 §6.
    package func shown(withPrivate: Bool) -> KeyParameters {
        let names = algorithm.publicNames + (withPrivate ? algorithm.privateNames : [])
        return parameters.filter { names.contains($0.key) }
    }

    /// nil if the key is public, or the text longer than ``textByteLimit``.
    package func sign(_ text: [UInt8]) -> [UInt8]? {
        guard isPrivate, text.count <= Self.textByteLimit else { return nil }
        guard algorithm != .hs256 else { return KeyedHash.hmacSHA256(text, key: parameters["k"] ?? []) }
        defer { ERR_clear_error() }
        guard let context = unsafe started(EVP_DigestSignInit_ex) else { return nil }
        defer { unsafe EVP_MD_CTX_free(context) }
        var output = [UInt8](repeating: 0, count: Self.signatureByteLimit)
        var count = output.count
        let isDone = unsafe output.withUnsafeMutableBufferPointer { target in
            unsafe text.withUnsafeBufferPointer { source in
                unsafe EVP_DigestSign(context, target.baseAddress, &count, source.baseAddress, source.count) == 1
            }
        }
        guard isDone else { return nil }
        output.removeSubrange(count...)
        return algorithm == .es256 ? SignaturePair.joined(fromDER: output) : output
    }

    /// Whether the signature is one of this text by this key; false for what is longer than the bounds.
    package func verifies(_ signature: [UInt8], of text: [UInt8]) -> Bool {
        guard text.count <= Self.textByteLimit, 1...Self.signatureByteLimit ~= signature.count else { return false }
        guard algorithm != .hs256 else {
            return KeyedHash.hmacSHA256(text, key: parameters["k"] ?? []) == signature
        }
        guard let signature = algorithm == .es256 ? SignaturePair.der(fromJoined: signature) : signature else {
            return false
        }
        defer { ERR_clear_error() }
        guard let context = unsafe started(EVP_DigestVerifyInit_ex) else { return false }
        defer { unsafe EVP_MD_CTX_free(context) }
        return unsafe signature.withUnsafeBufferPointer { given in
            unsafe text.withUnsafeBufferPointer { source in
                unsafe EVP_DigestVerify(context, given.baseAddress, given.count, source.baseAddress, source.count) == 1
            }
        }
    }

    private typealias Start = (
        OpaquePointer?, UnsafeMutablePointer<OpaquePointer?>?, UnsafePointer<CChar>?, OpaquePointer?,
        UnsafePointer<CChar>?, OpaquePointer?, UnsafePointer<OSSL_PARAM>?
    ) -> Int32

    /// A context that is ready for one signature, with its padding; the caller frees it.
    private func started(_ start: Start) -> OpaquePointer? {
        guard let context = unsafe EVP_MD_CTX_new() else { return nil }
        var options: OpaquePointer?
        var isReady = unsafe start(context, &options, algorithm.hash, nil, nil, key, nil) == 1
        if isReady, algorithm == .ps512 {
            isReady =
                unsafe EVP_PKEY_CTX_set_rsa_padding(options, RSA_PKCS1_PSS_PADDING) == 1
                && EVP_PKEY_CTX_set_rsa_pss_saltlen(options, RSA_PSS_SALTLEN_DIGEST) == 1
        }
        guard isReady else {
            unsafe EVP_MD_CTX_free(context)
            return nil
        }
        return unsafe context
    }
}
