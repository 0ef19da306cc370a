public import ProctorHTTP

extension Guard {
    /// Digest (RFC 7616, RFC 2617, RFC 2069).
    public struct DigestOffer: Sendable, Equatable {
        /// nil: the challenge says none, which means MD5 (RFC 7616 §3.3).
        public let algorithm: DigestAlgorithm?
        /// In the order of the challenge; empty: the challenge has no `qop`, and the form of RFC 2069 is wanted.
        public let qops: [QualityOfProtection]
        /// nil: the challenge has none.
        public let opaque: String?
        /// URIs of the protection space; empty: the challenge has none.
        public let domain: [Template]
        /// nil: the challenge doesn't say; true: a hashed name is wanted too, a plain one is taken as well.
        public let userhash: Bool?
        /// `UTF-8` or nil.
        public let charset: String?
        /// How nonces are made and how long they last.
        public let nonces: NoncePolicy
        /// What an admitted reply says in (Proxy-)Authentication-Info (RFC 7616 §3.5).
        public let info: Info
        /// What is made of quotes that a sender must or must not write (RFC 7616 §3.4).
        public let quoting: Quoting
        /// Changes of the challenge as it is written.
        public let overrides: [ParameterOverride]
        /// How the challenge spells the scheme's name; nil: `Digest`.
        public let spelling: String?

        /// How nonces are made and how long they last.
        public struct NoncePolicy: Sendable, Equatable {
            /// Where they come from.
            public let source: Source
            /// How many requests may use the first nonce, the second and so on, and the last number stays.
            ///
            /// One request more is answered as stale; 0: the first already. Empty: any number of requests.
            public let uses: [Int]
            /// How long after its challenge one may be used; nil: for ever.
            public let lifetime: Duration?
            /// Whether a gap in the nonce count is refused; without it only noted.
            public let isGapless: Bool

            /// Where nonces come from.
            public enum Source: Sendable, Equatable {
                /// 128 bits of the system's generator, which cannot be guessed.
                case random
                /// Always this text.
                case fixed(String)
                /// The same ones in each run.
                case seed(UInt64)
            }

            /// The parts as they are.
            public init(
                source: Source = .random, uses: [Int] = [], lifetime: Duration? = nil, isGapless: Bool = false
            ) {
                self.source = source
                self.uses = uses
                self.lifetime = lifetime
                self.isGapless = isGapless
            }
        }

        /// What is made of a credential's quotes.
        public enum Quoting: String, Sendable, CaseIterable {
            /// Wrong ones are refused.
            case exact
            /// Wrong ones are remarked, for many clients have always written `qop="auth"`.
            case any
        }

        /// What an admitted reply says of itself.
        public struct Info: Sendable, Equatable {
            /// nil: no rspauth.
            public let proof: Proof?
            /// Whether a fresh nonce is given for the next request.
            public let givesNextNonce: Bool

            /// The server's own proof that it knows the password.
            public enum Proof: String, Sendable, CaseIterable {
                case right, wrong
            }

            /// The parts as they are.
            public init(proof: Proof? = nil, givesNextNonce: Bool = false) {
                self.proof = proof
                self.givesNextNonce = givesNextNonce
            }
        }

        /// Every part as the fixture gives it, or its default.
        public init(
            algorithm: DigestAlgorithm? = .md5, qops: [QualityOfProtection] = [.authentication],
            opaque: String? = nil, domain: [Template] = [], userhash: Bool? = nil, charset: String? = nil,
            nonces: NoncePolicy = NoncePolicy(), info: Info = Info(), quoting: Quoting = .exact,
            overrides: [ParameterOverride] = [], spelling: String? = nil
        ) {
            self.spelling = spelling
            self.algorithm = algorithm
            self.qops = qops
            self.opaque = opaque
            self.domain = domain
            self.userhash = userhash
            self.charset = charset
            self.nonces = nonces
            self.info = info
            self.quoting = quoting
            self.overrides = overrides
        }
    }
}
