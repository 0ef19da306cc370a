package import ProctorBase
package import ProctorHTTP

/// Asks for credentials before exchanges, and judges them (RFC 9110 §11).
package struct Guard: Sendable {
    /// Index into the scenario's guards.
    package let index: Int
    /// Its key under `guards:`, or its place: `exchange N` from 0, or `all exchanges`, with `.1` for a second one.
    package let name: String
    /// Acts as a proxy: 407 and the Proxy- fields (RFC 9110 §11.7).
    package let isProxy: Bool
    /// In the order of the offer; never empty.
    package let schemes: [Scheme]
    /// The realms of challenges in turn, the last one repeats; never empty.
    package let realms: [String]
    package let accounts: [Account]
    /// The tokens that Bearer accepts.
    package let tokens: [Token]
    package let layout: Layout
    /// Replies in turn when the guard refuses, the last one repeats; challenge fields follow the reply's fields.
    ///
    /// Empty: 401 or 407 with a line of text. A reply here always has a structured message.
    package let refusals: [Reply]
    /// When the guard stops asking; nil: never.
    package let end: End?
    package let location: SourceLocation

    /// A user and a password; compared as UTF-8 bytes.
    package struct Account: Sendable, Equatable {
        /// May be empty; has a colon only when Basic is not offered.
        package let user: String
        package let password: String
    }

    /// A Bearer token (RFC 6750).
    package struct Token: Sendable, Equatable {
        package let text: String
        /// The scopes that it grants, each a scope-token.
        package internal(set) var scopes: Set<String> = []
        /// Was valid once and is refused now.
        package internal(set) var isExpired = false
    }

    /// How several challenges stand in the head.
    package enum Layout: String, Sendable, CaseIterable {
        /// One field line for each challenge.
        case lines
        /// One field line with commas.
        case oneLine = "one-line"
    }

    /// The reply after too many wrong credentials.
    package struct End: Sendable {
        /// So many refused credentials get a challenge; one more gets the reply.
        package let failureCount: Int
        /// nil: 403 with a line of text.
        package let reply: Reply?
    }
}

extension Guard {
    /// One offered scheme and what it accepts.
    package enum Scheme: Sendable, Equatable {
        case basic(BasicOffer)
        case digest(DigestOffer)
        case bearer(BearerOffer)
        case messages(MessageOffer)
        /// Sent unchanged among the challenges, even when empty; nothing is accepted for it.
        case verbatim(String)
    }

    package struct BasicOffer: Sendable, Equatable {
        /// The `charset` parameter; nil: left out.
        ///
        /// Credentials are UTF-8 in any case.
        package internal(set) var charset: String?
        package internal(set) var overrides: [ParameterOverride] = []
        /// The scheme's name in the challenge; nil: `Basic`.
        package internal(set) var spelling: String?
    }

    package struct BearerOffer: Sendable, Equatable {
        /// The scopes that a token must have; empty: any valid token.
        package internal(set) var scopes: [String] = []
        /// Where a token may stand.
        package internal(set) var places: Set<Place> = [.header]
        package internal(set) var overrides: [ParameterOverride] = []
        /// The scheme's name in the challenge; nil: `Bearer`.
        package internal(set) var spelling: String?

        /// Where a request carries its token.
        package enum Place: String, Sendable, CaseIterable {
            case header
            /// `access_token` of an application/x-www-form-urlencoded body (§2.2).
            case form
            /// `access_token` of the query (§2.3).
            case query
        }
    }

    /// A scheme of several messages, bound to its connection and never verified: NTLM, Negotiate (RFC 4559).
    package struct MessageOffer: Sendable, Equatable {
        /// `NTLM` or `Negotiate`, in the letter case of the challenge.
        package let scheme: String
        /// The guard's answers to the client's messages in turn, each a token68; the client's next message is accepted,
        /// whatever it is.
        package let tokens: [String]
    }

    /// A change of a parameter of a challenge; several apply in order.
    package struct ParameterOverride: Sendable, Equatable {
        /// Compared without regard to ASCII case; an unknown parameter is added at the end.
        package let name: String
        /// The bytes after `=`, with any quotes; nil: the parameter is left out.
        package let raw: String?
    }
}

extension Guard {
    package struct DigestOffer: Sendable, Equatable {
        /// nil: not named, which means MD5 (RFC 7616 §3.3).
        package internal(set) var algorithm: DigestAlgorithm? = .md5
        /// In the order of the challenge; empty: no `qop`, so RFC 2069.
        package internal(set) var qops: [QualityOfProtection] = [.authentication]
        /// nil: none.
        package internal(set) var opaque: String?
        /// URIs of the protection space; empty: none.
        package internal(set) var domain: [Template] = []
        /// nil: not sent; true: a hashed name is wanted, a plain one is accepted too.
        package internal(set) var userhash: Bool?
        /// `UTF-8` or nil.
        package internal(set) var charset: String?
        package internal(set) var nonces = NoncePolicy()
        /// (Proxy-)Authentication-Info of an accepted request (RFC 7616 §3.5).
        package internal(set) var info = Info()
        package internal(set) var overrides: [ParameterOverride] = []
        /// The scheme's name in the challenge; nil: `Digest`.
        package internal(set) var spelling: String?

        package struct NoncePolicy: Sendable, Equatable {
            package internal(set) var source = Source.random
            /// How many requests may use each nonce, in turn; the last number repeats.
            ///
            /// One request more is stale; 0: the first already. Empty: no limit.
            package internal(set) var uses: [Int] = []
            /// How long a nonce is valid after its challenge; nil: for ever.
            package internal(set) var lifetime: Duration?
            /// Whether a gap in the nonce count is refused or only noted.
            package internal(set) var isGapless = false

            package enum Source: Sendable, Equatable {
                /// 128 random bits.
                case random
                /// Always this text.
                case fixed(String)
                /// The same sequence in each run.
                case seed(UInt64)
            }
        }

        package struct Info: Sendable, Equatable {
            /// nil: no rspauth.
            package internal(set) var proof: Proof?
            /// Whether a `nextnonce` is sent.
            package internal(set) var givesNextNonce = false

            /// The server's proof that it knows the password.
            package enum Proof: String, Sendable, CaseIterable {
                case right, wrong
            }
        }
    }
}
