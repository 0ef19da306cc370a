/// The hash of user, realm and password (A1 of RFC 7616 §3.4.2), which is as good as the password in that realm.
public struct DigestSecret: Sendable, Equatable {
    /// What it is hashed with.
    public let function: HashFunction
    /// In hexadecimal digits; never to be shown.
    public let digits: [UInt8]

    /// Of an account; text is meant as UTF-8 (RFC 7616 §4).
    public init(
        user: some Sequence<UInt8>, realm: some Sequence<UInt8>, password: some Sequence<UInt8>,
        function: HashFunction, by hasher: some DigestHasher
    ) {
        self.function = function
        digits = DigestText.hash(
            function, ofParts: [Array(user), Array(realm), Array(password)], by: hasher)
    }

    private init(function: HashFunction, digits: [UInt8]) {
        self.function = function
        self.digits = digits
    }

    /// The secret of a `-sess` algorithm: with the nonces of the first request that answers a challenge.
    public func session(nonce: [UInt8], clientNonce: [UInt8], by hasher: some DigestHasher) -> Self {
        Self(function: function, digits: DigestText.hash(function, ofParts: [digits, nonce, clientNonce], by: hasher))
    }
}

extension DigestSecret: CustomStringConvertible {
    /// Says nothing of it.
    public var description: String { "a secret of \(digits.count) digits" }
}
