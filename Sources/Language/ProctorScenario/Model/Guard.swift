package import ProctorBase
package import ProctorHTTP

/// Requires credentials before exchanges, and judges them (RFC 9110 §11).
package struct Guard: Sendable {
    /// Its index in the scenario's guards.
    package let index: Int
    /// Its key under `guards:`, or its place: `exchange N` from 0, or `all exchanges`; a second guard at the same place
    /// has `.1`.
    package let name: String
    /// Whether it acts as a proxy, with 407 and the Proxy- fields (RFC 9110 §11.7).
    package let isProxy: Bool
    /// The schemes in the order of the challenges; never empty.
    package let schemes: [Scheme]
    /// The realms of successive challenges, the last one repeated; never empty.
    package let realms: [String]
    package let accounts: [Account]
    /// The tokens that Bearer accepts.
    package let tokens: [Token]
    package let layout: Layout
    /// Replies of the guard when it refuses, in turn, the last one repeated; the challenge fields follow the reply's
    /// fields.
    ///
    /// Empty: 401 or 407 with a line of text. These replies always have a structured message.
    package let refusals: [Reply]
    /// When the guard sends no further challenge; nil: it always sends one.
    package let end: End?
    package let location: SourceLocation

    package init(
        index: Int, name: String, isProxy: Bool, schemes: [Scheme], realms: [String], accounts: [Account],
        tokens: [Token], layout: Layout, refusals: [Reply], end: End?, location: SourceLocation
    ) {
        (self.index, self.name, self.isProxy, self.schemes, self.realms) = (index, name, isProxy, schemes, realms)
        (self.accounts, self.tokens, self.layout, self.refusals, self.end) = (accounts, tokens, layout, refusals, end)
        self.location = location
    }

    /// A user and a password, compared as UTF-8 bytes.
    package struct Account: Sendable, Equatable {
        /// The user, which may be empty; it contains a colon only when Basic is not offered.
        package let user: String
        package let password: String

        package init(user: String, password: String) {
            (self.user, self.password) = (user, password)
        }
    }

    /// A Bearer token (RFC 6750).
    package struct Token: Sendable, Equatable {
        package let text: String
        /// The scopes of the token, each a scope-token.
        package var scopes: Set<String> = []
        /// Whether the token has expired, so that it is refused.
        package var isExpired = false
        /// How long it is valid from the start of the run, by the clock of the run; nil: for ever.
        package var lifetime: Duration?

        package init(text: String, scopes: Set<String> = [], isExpired: Bool = false, lifetime: Duration? = nil) {
            (self.lifetime, self.text, self.scopes, self.isExpired) = (lifetime, text, scopes, isExpired)
        }
    }

    /// How several challenges are written in the head.
    package enum Layout: String, Sendable, CaseIterable {
        /// One field line for each challenge.
        case lines
        /// One field line, with commas between the challenges.
        case oneLine = "one-line"
    }

    /// The reply after too many wrong credentials.
    package struct End: Sendable {
        /// The number of refused credentials that get a challenge; the next one gets the reply.
        package let failureCount: Int
        /// nil: 403 with a line of text.
        package let reply: Reply?

        package init(failureCount: Int, reply: Reply?) {
            (self.failureCount, self.reply) = (failureCount, reply)
        }
    }
}

extension Guard {
    /// One offered scheme, with its settings.
    package enum Scheme: Sendable, Equatable {
        case basic(BasicOffer)
        case digest(DigestOffer)
        case bearer(BearerOffer)
        case messages(MessageOffer)
        case ntlm(NTLMOffer)
        case negotiate(NegotiateOffer)
        /// A challenge that is sent unchanged, even when it is empty; no credential is accepted for it.
        case verbatim(String)
    }

    package struct BasicOffer: Sendable, Equatable {
        /// The `charset` parameter of the challenge; nil: left out.
        ///
        /// Credentials are read as UTF-8 in both cases.
        package var charset: String?
        package var overrides: [ParameterOverride] = []
        /// The scheme's name in the challenge; nil: `Basic`.
        package var spelling: String?

        package init(charset: String? = nil, overrides: [ParameterOverride] = [], spelling: String? = nil) {
            (self.charset, self.overrides, self.spelling) = (charset, overrides, spelling)
        }
    }

    package struct BearerOffer: Sendable, Equatable {
        /// The scopes that a token must have; empty: any valid token is accepted.
        package var scopes: [String] = []
        /// The places in a request where a token is accepted.
        package var places: Set<Place> = [.header]
        package var overrides: [ParameterOverride] = []
        /// The scheme's name in the challenge; nil: `Bearer`.
        package var spelling: String?

        package init(
            scopes: [String] = [], places: Set<Place> = [.header], overrides: [ParameterOverride] = [],
            spelling: String? = nil
        ) {
            (self.scopes, self.places, self.overrides, self.spelling) = (scopes, places, overrides, spelling)
        }

        /// Where a request carries its token.
        package enum Place: String, Sendable, CaseIterable {
            case header
            /// The `access_token` in an application/x-www-form-urlencoded body (§2.2).
            case form
            /// The `access_token` in the query (§2.3).
            case query
        }
    }

    /// A scheme with several messages on one connection, whose credentials are not verified: NTLM, Negotiate (RFC
    /// 4559).
    package struct MessageOffer: Sendable, Equatable {
        /// `NTLM` or `Negotiate`, in the letter case of the challenge.
        package let scheme: String
        /// The guard's answers to the client's messages in turn, each a token68; then the client's next message is
        /// accepted, whatever it contains.
        package let tokens: [String]

        package init(scheme: String, tokens: [String]) {
            (self.scheme, self.tokens) = (scheme, tokens)
        }
    }

    /// NTLM, whose last message is verified (MS-NLMP).
    package struct NTLMOffer: Sendable, Equatable {
        /// The name of the server in its challenge; never empty.
        package var target = "PROCTOR"
        /// The eight bytes that each challenge asks to be hashed; nil: random ones each time.
        package var nonce: [UInt8]?
        /// Whether the challenge names the time, which asks the client for a MIC.
        package var namesTime = false
        /// Whether the challenge has a Version where the client asks for one.
        package var hasVersion = true
        /// The scheme's name in the challenge; nil: `NTLM`.
        package var spelling: String?

        package init(
            target: String = "PROCTOR", nonce: [UInt8]? = nil, namesTime: Bool = false, hasVersion: Bool = true,
            spelling: String? = nil
        ) {
            (self.target, self.nonce, self.namesTime, self.hasVersion) = (target, nonce, namesTime, hasVersion)
            self.spelling = spelling
        }
    }

    /// Negotiate, whose messages are verified by one of its mechanisms (RFC 4559, RFC 4178).
    package struct NegotiateOffer: Sendable, Equatable {
        /// What the guard accepts inside Negotiate; never empty.
        package var mechanisms: [Mechanism] = [.ntlm]
        /// What NTLM says inside Negotiate.
        package var ntlm = NTLMOffer()
        /// How many tokens the stub mechanism takes before the client is admitted: 2, or 3 with a challenge of the guard.
        package var legs = 3
        /// The last token of the stub mechanism, in the reply that admits the client; nil: left out.
        package var proof: DigestOffer.Info.Proof? = .right
        /// The scheme's name in the challenge; nil: `Negotiate`.
        package var spelling: String?

        package init() {}

        /// The names of mechanisms in fixtures.
        package enum Mechanism: String, Sendable, CaseIterable {
            case ntlm
            /// Of Proctor alone; a scenario has to ask for it.
            case stub
        }
    }

    /// A change of a challenge parameter; several are applied in order.
    package struct ParameterOverride: Sendable, Equatable {
        /// The name, compared without regard to ASCII case; an unknown parameter is added at the end.
        package let name: String
        /// The bytes after `=`, with any quotes; nil: the parameter is left out.
        package let raw: String?

        package init(name: String, raw: String?) {
            (self.name, self.raw) = (name, raw)
        }
    }
}

extension Guard {
    package struct DigestOffer: Sendable, Equatable {
        /// The `algorithm` parameter; nil: left out, which means MD5 (RFC 7616 §3.3).
        package var algorithm: DigestAlgorithm? = .md5
        /// The `qop` options in the order of the challenge; empty: no `qop`, as in RFC 2069.
        package var qops: [QualityOfProtection] = [.authentication]
        /// The `opaque` parameter; nil: left out.
        package var opaque: String?
        /// The URIs of the protection space; empty: no `domain`.
        package var domain: [Template] = []
        /// The `userhash` parameter; nil: left out; true: a hashed user name is wanted, and a plain one is accepted
        /// too.
        package var userhash: Bool?
        /// The `charset` parameter: `UTF-8`, or nil: left out.
        package var charset: String?
        package var nonces = NoncePolicy()
        /// The (Proxy-)Authentication-Info of an accepted request (RFC 7616 §3.5).
        package var info = Info()
        package var overrides: [ParameterOverride] = []
        /// The scheme's name in the challenge; nil: `Digest`.
        package var spelling: String?

        package init(
            algorithm: DigestAlgorithm? = .md5, qops: [QualityOfProtection] = [.authentication], opaque: String? = nil,
            domain: [Template] = [], userhash: Bool? = nil, charset: String? = nil, nonces: NoncePolicy = NoncePolicy(),
            info: Info = Info(), overrides: [ParameterOverride] = [], spelling: String? = nil
        ) {
            (self.algorithm, self.qops, self.opaque, self.domain) = (algorithm, qops, opaque, domain)
            (self.userhash, self.charset, self.nonces, self.info) = (userhash, charset, nonces, info)
            (self.overrides, self.spelling) = (overrides, spelling)
        }

        package struct NoncePolicy: Sendable, Equatable {
            package var source = Source.random
            /// How many requests may use each nonce, in turn; the last number repeats.
            ///
            /// The next request is stale; with 0, the first request already. Empty: no limit.
            package var uses: [Int] = []
            /// How long a nonce is valid after its challenge; nil: no limit.
            package var lifetime: Duration?
            /// Whether a gap in the nonce count is refused; otherwise it is only recorded.
            package var isGapless = false

            package init(
                source: Source = .random, uses: [Int] = [], lifetime: Duration? = nil, isGapless: Bool = false
            ) {
                (self.source, self.uses, self.lifetime, self.isGapless) = (source, uses, lifetime, isGapless)
            }

            package enum Source: Sendable, Equatable {
                /// A nonce of 128 random bits.
                case random
                /// This text every time.
                case fixed(String)
                /// A sequence of nonces that is the same in each run.
                case seed(UInt64)
            }
        }

        package struct Info: Sendable, Equatable {
            /// The `rspauth` parameter; nil: left out.
            package var proof: Proof?
            /// Whether `nextnonce` is sent.
            package var givesNextNonce = false

            package init(proof: Proof? = nil, givesNextNonce: Bool = false) {
                (self.proof, self.givesNextNonce) = (proof, givesNextNonce)
            }

            /// The `rspauth` by which the server proves that it knows the password.
            package enum Proof: String, Sendable, CaseIterable {
                case right, wrong
            }
        }
    }
}

/// The names of schemes in fixtures.
package enum SchemeName: String, CaseIterable {
    case basic, digest, bearer, ntlm, negotiate, verbatim

    /// Whether the name also stands in challenges, in any letter case.
    package var isOfHTTP: Bool { self != .verbatim }
}
