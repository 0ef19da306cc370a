internal import COpenSSL
internal import ProctorBase
internal import ProctorCrypto

/// The keys of a run, each a function of the run's seed, of its kind and of its name; safe from any thread.
///
/// So every loop of a run has the same keys without keeping any, and a run with the same seed has them again. Whoever
/// knows a seed knows its keys: they protect nothing.
package enum DerivedKey {
    private struct Place: Hashable {
        let seed: UInt64
        let type: String
        let name: [UInt8]
    }

    /// The numbers of keys that were asked for, since an RSA key takes a tenth of a second to compute.
    private static let known = Locked<[Place: KeyParameters]>([:])
    private static let knownCount = 256

    /// nil only if OpenSSL lacks the algorithm.
    ///
    /// RS256 and PS512 of one name have one key.
    package static func key(_ algorithm: SignatureAlgorithm, seed: UInt64, name: [UInt8]) -> SigningKey? {
        let place = Place(seed: seed, type: algorithm.keyType, name: name)
        if let parameters = known.withLock({ $0[place] }) { return try? SigningKey(algorithm, parameters) }
        OpenSSLFunctions.start()
        var stream = HashStream(Array("\(seed) \(algorithm.keyType) ".utf8) + name)
        guard let parameters = parameters(algorithm, from: &stream) else { return nil }
        known.withLock {
            if $0.count >= knownCount { $0.removeAll() }
            $0[place] = parameters
        }
        return try? SigningKey(algorithm, parameters)
    }

    private static func parameters(_ algorithm: SignatureAlgorithm, from stream: inout HashStream) -> KeyParameters? {
        switch algorithm {
        case .hs256: ["k": stream.bytes(32)]
        case .rs256, .ps512: RSANumbers(from: &stream)?.parameters
        case .es256: elliptic(from: &stream)
        case .edDSA: edwards(secret: stream.bytes(32))
        }
    }

    private static func edwards(secret: [UInt8]) -> KeyParameters? {
        guard let key = unsafe OpenSSLKey.make(.edDSA, ["d": secret]) else { return nil }
        defer { unsafe EVP_PKEY_free(key) }
        var output = [UInt8](repeating: 0, count: 32)
        var count = output.count
        let isDone = unsafe output.withUnsafeMutableBufferPointer { target in
            unsafe EVP_PKEY_get_raw_public_key(key, target.baseAddress, &count) == 1
        }
        return isDone && count == 32 ? ["d": secret, "x": output] : nil
    }

    private static func elliptic(from stream: inout HashStream) -> KeyParameters? {
        guard let group = unsafe EC_GROUP_new_by_curve_name(NID_X9_62_prime256v1) else { return nil }
        defer { unsafe EC_GROUP_free(group) }
        guard let point = unsafe EC_POINT_new(group) else { return nil }
        defer { unsafe EC_POINT_free(point) }
        // The first four bytes of the order are all ones: a number with others there is less, and is not zero.
        var secret = stream.bytes(32)
        while secret[..<4] == [255, 255, 255, 255] || secret[..<4] == [0, 0, 0, 0] { secret = stream.bytes(32) }
        guard let number = BigNumber(secret) else { return nil }
        var output = [UInt8](repeating: 0, count: 65)
        let isDone = unsafe output.withUnsafeMutableBufferPointer { target in
            unsafe EC_POINT_mul(group, point, number.pointer, nil, nil, nil) == 1
                && EC_POINT_point2oct(group, point, POINT_CONVERSION_UNCOMPRESSED, target.baseAddress, 65, nil) == 65
        }
        return isDone ? ["d": secret, "x": Array(output[1...32]), "y": Array(output[33...])] : nil
    }
}

/// Bytes without end that follow from a text, by SHA-512.
struct HashStream {
    private let text: [UInt8]
    private var count = 0

    init(_ text: [UInt8]) { self.text = text }

    mutating func bytes(_ byteCount: Int) -> [UInt8] {
        var output: [UInt8] = []
        while output.count < byteCount {
            let block = Array("proctor key \(count) ".utf8) + text
            output += OpenSSLDigest.hash("sha512", of: block) ?? [UInt8](repeating: 7, count: 64)
            count += 1
        }
        return Array(output[..<byteCount])
    }
}
