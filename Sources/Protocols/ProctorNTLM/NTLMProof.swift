internal import ProctorCrypto

/// What NTLM version 2 computes (MS-NLMP §3.3.2); every function returns nil where OpenSSL refuses a hash.
package enum NTLMProof {
    /// The key of an account, NTOWFv2, for the user and the domain as the message has them.
    package static func key(user: String, domain: String, password: String) -> [UInt8]? {
        key(ofText: NTLMText.upperCase(user) + domain, password: password)
    }

    static func key(ofText text: String, password: String) -> [UInt8]? {
        guard let hash = LegacyHash.md4(NTLMText.utf16(password)) else { return nil }
        return LegacyHash.hmacMD5(NTLMText.utf16(text), key: hash)
    }

    /// The proof of an NT response over the server's nonce and what stands behind the proof.
    package static func proof(nonce: [UInt8], input: [UInt8], key: [UInt8]) -> [UInt8]? {
        LegacyHash.hmacMD5(nonce + input, key: key)
    }

    /// The 24 bytes of an LM response of version 2.
    package static func lmResponse(nonce: [UInt8], clientNonce: [UInt8], key: [UInt8]) -> [UInt8]? {
        LegacyHash.hmacMD5(nonce + clientNonce, key: key).map { $0 + clientNonce }
    }

    /// The key of the session, of which the MIC is made where no other was exchanged.
    package static func sessionKey(proof: [UInt8], key: [UInt8]) -> [UInt8]? {
        LegacyHash.hmacMD5(proof, key: key)
    }

    /// The MIC over all three messages (§3.1.5.1.2); that of `authenticate`, at `range`, counts as zeros.
    package static func mic(
        negotiate: [UInt8], challenge: [UInt8], authenticate: [UInt8], sessionKey: [UInt8],
        at range: Range<Int> = NTLMAuthenticate.micRange
    ) -> [UInt8]? {
        var last = authenticate
        guard last.count >= range.upperBound else { return nil }
        last.replaceSubrange(range, with: [UInt8](repeating: 0, count: range.count))
        return LegacyHash.hmacMD5(negotiate + challenge + last, key: sessionKey)
    }

    /// What stands behind the proof (§2.2.2.7); four bytes of zero follow the pairs.
    package static func input(time: UInt64, clientNonce: [UInt8], pairs: [NTLMPair]) -> [UInt8] {
        let zeros = [UInt8](repeating: 0, count: 4)
        return [1, 1, 0, 0] + zeros + NTLMTime.bytes(of: time) + clientNonce + zeros + NTLMWriter.bytes(of: pairs)
            + zeros
    }
}
