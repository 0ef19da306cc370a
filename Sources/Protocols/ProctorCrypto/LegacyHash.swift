import COpenSSL
import ProctorBase

/// MD4 and HMAC-MD5 by OpenSSL, of which NTLM is made (MS-NLMP §6); safe from any thread.
package enum LegacyHash {
    /// Why OpenSSL does not compute them; nil: it does.
    package static let refusal: HashRefusal? = {
        guard let digest = md4(Array("abc".utf8)) else {
            return HashRefusal(function: nil, reason: "MD4 is not part of this build")
        }
        let mac = hmacMD5(Array("what do ya want for nothing?".utf8), key: Array("Jefe".utf8))
        // RFC 1320 §A.5 and RFC 2202 §2.
        let isRight =
            digest == (try? HexText.decode(Array("a448017aaf21d8525fc10ae87aa6729d".utf8)))
            && mac == (try? HexText.decode(Array("750c783e6ab0b503eaa86e310a5db738".utf8)))
        return isRight ? nil : HashRefusal(function: nil, reason: nil)
    }()

    /// 16 bytes; nil where ``refusal`` says why.
    ///
    /// By the function itself: a program that is linked whole can't load the provider "legacy", which has it too.
    package static func md4(_ bytes: [UInt8]) -> [UInt8]? {
        var output = [UInt8](repeating: 0, count: 16)
        let isDone = unsafe bytes.withUnsafeBufferPointer { source in
            unsafe output.withUnsafeMutableBufferPointer { target in
                unsafe proctor_MD4(source.baseAddress, source.count, target.baseAddress) == 1
            }
        }
        return isDone ? output : nil
    }

    /// 16 bytes (RFC 2104); nil where OpenSSL refuses MD5, as its FIPS mode does.
    package static func hmacMD5(_ bytes: [UInt8], key: [UInt8]) -> [UInt8]? {
        KeyedHash.hmac("MD5", byteCount: 16, bytes, key: key)
    }
}
