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
    /// The tokens that Bearer accepts, as its module reads them; nil: there are none.
    package let tokens: (any Sendable)?
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
        tokens: (any Sendable)?, layout: Layout, refusals: [Reply], end: End?, location: SourceLocation
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
        /// A scheme that a module above reads and judges: Bearer, NTLM, Negotiate.
        case other(any SchemeOffer)
        /// A challenge that is sent unchanged, even when it is empty; no credential is accepted for it.
        case verbatim(String)

        package static func == (left: Scheme, right: Scheme) -> Bool {
            switch (left, right) {
            case (.basic(let left), .basic(let right)): left == right
            case (.digest(let left), .digest(let right)): left == right
            case (.other(let left), .other(let right)): left.equals(right)
            case (.verbatim(let left), .verbatim(let right)): left == right
            default: false
            }
        }
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

/// What a guard offers of a scheme that a module above reads and judges.
package protocol SchemeOffer: Sendable, Equatable {
    /// The scheme's name, as sentences have it: `NTLM`.
    var scheme: String { get }
    /// The scheme's name in the challenge.
    var spelling: String { get }
    /// Whether it authenticates a connection by several messages, and not each request.
    var isOfConnection: Bool { get }
    /// Whether credentials are verified, for which the guard needs users or tokens.
    var verifies: Bool { get }

    /// Why no token of the guard is ever right, and what to write; nil: one is, or the scheme has no tokens.
    func fault(of tokens: (any Sendable)?) -> (sentence: String, hint: String)?
}

extension SchemeOffer {
    package var verifies: Bool { true }

    package func fault(of tokens: (any Sendable)?) -> (sentence: String, hint: String)? { nil }

    fileprivate func equals(_ other: any SchemeOffer) -> Bool { other as? Self == self }
}

/// The names of schemes in fixtures: those of the core, and those that modules above have registered.
package enum SchemeNames {
    private static let registered = Locked<[String]>([])

    /// Safe from any thread, and again.
    package static func register(_ name: String) {
        registered.withLock { names in
            if !names.contains(name) { names.append(name) }
        }
    }

    /// The names that also stand in challenges, in any letter case, in the order of messages.
    package static var ofHTTP: [String] { ["basic", "digest"] + registered.withLock { $0 } }

    /// A challenge as it is written.
    package static let verbatim = "verbatim"

    package static var all: [String] { ofHTTP + [verbatim] }
}
