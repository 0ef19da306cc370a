internal import COpenSSL
internal import ProctorTLS

/// A cipher suite of TLS 1.3 as it protects packets of QUIC (RFC 9001 §5.3, §5.4, §6.6).
package enum PacketSuite: Sendable, CaseIterable {
    case aes128, aes256, chacha20

    /// nil for other suites, such as those of AES-CCM.
    init?(_ number: UInt16) {
        switch number {
        case 0x1301: self = .aes128
        case 0x1302: self = .aes256
        case 0x1303: self = .chacha20
        default: return nil
        }
    }

    /// The length of the tag behind each packet, in bytes.
    package static let tagByteCount = 16

    /// How many packets one key may protect.
    package var mostSealed: UInt64 { self == .chacha20 ? 1 << 62 : 1 << 23 }

    /// How many packets that can't be opened end a connection.
    package var mostRefused: UInt64 { self == .chacha20 ? 1 << 36 : 1 << 52 }

    var keyByteCount: Int { self == .aes128 ? 16 : 32 }

    var digest: OpaquePointer? { unsafe self == .aes256 ? EVP_sha384() : EVP_sha256() }

    fileprivate var cipher: OpaquePointer? {
        switch self {
        case .aes128: unsafe EVP_aes_128_gcm()
        case .aes256: unsafe EVP_aes_256_gcm()
        case .chacha20: unsafe EVP_chacha20_poly1305()
        }
    }

    fileprivate var headerCipher: OpaquePointer? {
        switch self {
        case .aes128: unsafe EVP_aes_128_ecb()
        case .aes256: unsafe EVP_aes_256_ecb()
        case .chacha20: unsafe EVP_chacha20()
        }
    }
}

/// The secrets of Initial packets, which anybody can compute (RFC 9001 §5.2).
package enum InitialSecrets {
    private static let salt: [UInt8] = [
        0x38, 0x76, 0x2C, 0xF7, 0xF5, 0x59, 0x34, 0xB3, 0x4D, 0x17, 0x9A, 0xE6, 0xA4, 0xC8, 0x0C, 0xAD, 0xCC, 0xBB,
        0x7F,
        0x0A,
    ]

    /// The initial secrets of version 1, from the Destination Connection ID of the client's first packet.
    package static func derive(from connectionID: [UInt8]) -> (client: [UInt8], server: [UInt8]) {
        let digest = unsafe EVP_sha256()
        let secret = unsafe KeyDerivation.mac(of: connectionID, key: salt, by: digest)
        guard let digest = unsafe digest, !secret.isEmpty else { return ([], []) }
        return unsafe (
            KeyDerivation.expandLabel("client in", of: secret, by: digest, count: 32),
            KeyDerivation.expandLabel("server in", of: secret, by: digest, count: 32)
        )
    }
}

/// What protects the packets of one direction, from a traffic secret (RFC 9001 §5.1).
package struct PacketKeys {
    package let payload: PayloadKey
    package let header: HeaderKey
    /// 12 bytes.
    package let iv: [UInt8]

    /// nil if OpenSSL refuses, or if there is no memory.
    package init?(_ suite: PacketSuite, secret: [UInt8], isSending: Bool) {
        guard let digest = unsafe suite.digest else { return nil }
        func expand(_ label: String, _ count: Int) -> [UInt8] {
            unsafe KeyDerivation.expandLabel(label, of: secret, by: digest, count: count)
        }
        guard
            let payload = PayloadKey(suite, key: expand("quic key", suite.keyByteCount), isSending: isSending),
            let header = HeaderKey(suite, key: expand("quic hp", suite.keyByteCount))
        else { return nil }
        self.payload = payload
        self.header = header
        iv = expand("quic iv", 12)
    }

    /// The secret after a key update (RFC 9001 §6.1).
    package static func updated(_ secret: [UInt8], _ suite: PacketSuite) -> [UInt8] {
        guard let digest = unsafe suite.digest else { return [] }
        return unsafe KeyDerivation.expandLabel("quic ku", of: secret, by: digest, count: secret.count)
    }
}

/// A key, and OpenSSL's context for it, which is made when it is needed and can be given back while it is not; of one thread at a
/// time.
@safe package class CipherKey {
    fileprivate let suite: PacketSuite
    private let key: [UInt8]
    private var made: OpaquePointer?

    fileprivate init?(_ suite: PacketSuite, key: [UInt8]) {
        guard key.count == suite.keyByteCount else { return nil }
        (self.suite, self.key) = (suite, key)
    }

    deinit { rest() }

    /// Gives the context back; the next packet makes another one.
    package func rest() {
        unsafe EVP_CIPHER_CTX_free(made)
        unsafe made = nil
    }

    /// nil if OpenSSL refuses the key, or if there is no memory.
    fileprivate var context: OpaquePointer? {
        if let made = unsafe made { return unsafe made }
        guard let context = unsafe EVP_CIPHER_CTX_new() else { return nil }
        guard unsafe setKey(of: context, key) else {
            unsafe EVP_CIPHER_CTX_free(context)
            return nil
        }
        unsafe made = unsafe context
        return unsafe context
    }

    fileprivate func setKey(of context: OpaquePointer, _ key: [UInt8]) -> Bool { false }
}

/// The AEAD of packets in one direction; of one thread at a time.
@safe package final class PayloadKey: CipherKey {
    private let isSending: Bool

    init?(_ suite: PacketSuite, key: [UInt8], isSending: Bool) {
        self.isSending = isSending
        super.init(suite, key: key)
    }

    fileprivate override func setKey(of context: OpaquePointer, _ key: [UInt8]) -> Bool {
        unsafe EVP_CipherInit_ex(context, suite.cipher, nil, key, nil, isSending ? 1 : 0) == 1
    }

    /// A key for one packet of each connection, such as that of Retry (RFC 9001 §5.8).
    package convenience init?(key: [UInt8]) { self.init(.aes128, key: key, isSending: true) }

    /// Writes the sealed text and its tag, of 16 bytes more than the text; `nonce` has 12 bytes.
    package func seal(
        _ text: UnsafeBufferPointer<UInt8>, nonce: UnsafePointer<UInt8>, extra: UnsafeBufferPointer<UInt8>,
        into target: UnsafeMutablePointer<UInt8>
    ) -> Bool {
        var count: Int32 = 0
        return unsafe beginPacket(nonce, extra)
            && EVP_CipherUpdate(context, target, &count, text.baseAddress, Int32(clamping: text.count)) == 1
            && EVP_CipherFinal_ex(context, target + text.count, &count) == 1
            && EVP_CIPHER_CTX_ctrl(
                context, EVP_CTRL_AEAD_GET_TAG, Int32(PacketSuite.tagByteCount), target + text.count) == 1
    }

    /// Writes the text of sealed bytes, of 16 bytes fewer; false if they were sealed with another key or changed.
    package func open(
        _ sealed: UnsafeBufferPointer<UInt8>, nonce: UnsafePointer<UInt8>, extra: UnsafeBufferPointer<UInt8>,
        into target: UnsafeMutablePointer<UInt8>
    ) -> Bool {
        let textCount = sealed.count - PacketSuite.tagByteCount
        guard textCount >= 0, let start = sealed.baseAddress else { return false }
        let tag = unsafe UnsafeMutableRawPointer(mutating: start + textCount)
        var count: Int32 = 0
        let isOpen =
            unsafe beginPacket(nonce, extra)
            && EVP_CipherUpdate(context, target, &count, start, Int32(clamping: textCount)) == 1
            && EVP_CIPHER_CTX_ctrl(context, EVP_CTRL_AEAD_SET_TAG, Int32(PacketSuite.tagByteCount), tag) == 1
            && EVP_CipherFinal_ex(context, target + textCount, &count) == 1
        // The last call fails for each forged packet, and would fill OpenSSL's queue of errors.
        if !isOpen { ERR_clear_error() }
        return isOpen
    }

    private func beginPacket(_ nonce: UnsafePointer<UInt8>, _ extra: UnsafeBufferPointer<UInt8>) -> Bool {
        var count: Int32 = 0
        guard let context = unsafe context else { return false }
        return unsafe EVP_CipherInit_ex(context, nil, nil, nil, nonce, -1) == 1
            && EVP_CipherUpdate(context, nil, &count, extra.baseAddress, Int32(clamping: extra.count)) == 1
    }
}

/// What hides packet numbers and flags in one direction (RFC 9001 §5.4); of one thread at a time.
@safe package final class HeaderKey: CipherKey {
    private var isStream: Bool { suite == .chacha20 }

    override init?(_ suite: PacketSuite, key: [UInt8]) { super.init(suite, key: key) }

    fileprivate override func setKey(of context: OpaquePointer, _ key: [UInt8]) -> Bool {
        unsafe EVP_EncryptInit_ex(context, suite.headerCipher, nil, key, nil) == 1
            && EVP_CIPHER_CTX_set_padding(context, 0) == 1
    }

    /// Writes the five bytes of the mask for a sample of 16 bytes.
    package func writeMask(of sample: UnsafePointer<UInt8>, into target: UnsafeMutablePointer<UInt8>) -> Bool {
        guard let context = unsafe context else { return false }
        // OpenSSL writes two blocks at most.
        return unsafe withUnsafeTemporaryAllocation(of: UInt8.self, capacity: 32) { block in
            guard let block = block.baseAddress else { return false }
            var count: Int32 = 0
            let isDone =
                unsafe isStream
                // The sample is the block counter and the nonce (RFC 9001 §5.4.4).
                ? EVP_EncryptInit_ex(context, nil, nil, nil, sample) == 1
                    && EVP_EncryptUpdate(context, block, &count, [0, 0, 0, 0, 0], 5) == 1
                : EVP_EncryptUpdate(context, block, &count, sample, 16) == 1
            guard isDone, count >= 5 else { return false }
            unsafe target.update(from: block, count: 5)
            return true
        }
    }
}

/// HMAC for tokens of our own.
package enum TokenHash {
    /// 32 bytes; empty if OpenSSL refuses.
    package static func sha256(_ bytes: [UInt8], key: [UInt8]) -> [UInt8] {
        unsafe KeyDerivation.mac(of: bytes, key: key, by: EVP_sha256())
    }
}
