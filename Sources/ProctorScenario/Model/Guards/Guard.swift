public import ProctorBase

/// What stands before exchanges, asks for credentials and judges them (RFC 9110 §11).
public struct Guard: Sendable {
    /// Index into the scenario's guards.
    public let index: Int
    /// Its key under `guards:`, or its place: `exchange N`, counted from 0, or `all exchanges`; `.1` for a second one there.
    public let name: String
    /// Asks as a proxy does: 407, Proxy-Authenticate, Proxy-Authorization, Proxy-Authentication-Info (RFC 9110 §11.7).
    public let isProxy: Bool
    /// What is offered, in this order; never empty.
    public let schemes: [Scheme]
    /// Of the challenges by turn, the last one stays; never empty.
    public let realms: [String]
    /// The users that Basic and Digest accept, with their passwords.
    public let accounts: [Account]
    /// The tokens that Bearer accepts.
    public let tokens: [Token]
    /// Whether every challenge has a field line of its own.
    public let layout: Layout
    /// Played by turn where the guard asks, the last one stays; its challenge fields follow the fields of the reply.
    ///
    /// Empty: 401 or 407 with a line of text. A reply here always has a structured message.
    public let refusals: [Reply]
    /// When it asks no more; nil: never.
    public let end: End?
    /// Where the guard begins in the file.
    public let location: SourceLocation

    /// A name and its password; compared as UTF-8 bytes.
    public struct Account: Sendable, Equatable {
        /// May be empty; has a colon only where no Basic is offered.
        public let user: String
        /// May be empty.
        public let password: String

        /// The parts as they are.
        public init(user: String, password: String) {
            self.user = user
            self.password = password
        }
    }

    /// A Bearer token (RFC 6750).
    public struct Token: Sendable, Equatable {
        /// A b64token (RFC 6750 §2.1).
        public let text: String
        /// What it may be used for, each a scope-token.
        public let scopes: Set<String>
        /// Once valid, refused now.
        public let isExpired: Bool

        /// The parts as they are.
        public init(text: String, scopes: Set<String> = [], isExpired: Bool = false) {
            self.text = text
            self.scopes = scopes
            self.isExpired = isExpired
        }
    }

    /// How several challenges stand in the head.
    public enum Layout: String, Sendable, CaseIterable {
        /// A field line for each.
        case lines
        /// All in one, parted by commas.
        case oneLine = "one-line"
    }

    /// What is played when credentials were wrong too often.
    public struct End: Sendable {
        /// Refused credentials that are answered with a challenge; one more is answered with the reply.
        public let failureCount: Int
        /// nil: 403 with a line of text.
        public let reply: Reply?

        /// The parts as they are.
        public init(failureCount: Int, reply: Reply?) {
            self.failureCount = failureCount
            self.reply = reply
        }
    }

    /// Every part as the fixture gives it, or its default.
    public init(
        index: Int, name: String, isProxy: Bool, schemes: [Scheme], realms: [String], accounts: [Account],
        tokens: [Token], layout: Layout, refusals: [Reply], end: End?, location: SourceLocation
    ) {
        self.index = index
        self.name = name
        self.isProxy = isProxy
        self.schemes = schemes
        self.realms = realms
        self.accounts = accounts
        self.tokens = tokens
        self.layout = layout
        self.refusals = refusals
        self.end = end
        self.location = location
    }
}

extension Guard {
    /// One scheme that a guard offers, and what it accepts of it.
    public enum Scheme: Sendable, Equatable {
        case basic(BasicOffer)
        case digest(DigestOffer)
        case bearer(BearerOffer)
        case messages(MessageOffer)
        /// Sent as it is, in its place among the challenges; nothing is accepted for it. Empty text is sent too.
        case verbatim(String)
    }

    /// Basic (RFC 7617).
    public struct BasicOffer: Sendable, Equatable {
        /// The parameter of that name; nil: it is left out, and credentials are UTF-8 all the same.
        public let charset: String?
        /// Changes of the challenge as it is written.
        public let overrides: [ParameterOverride]
        /// How the challenge spells the scheme's name; nil: `Basic`.
        public let spelling: String?

        /// The parts as they are.
        public init(charset: String? = nil, overrides: [ParameterOverride] = [], spelling: String? = nil) {
            self.spelling = spelling
            self.charset = charset
            self.overrides = overrides
        }
    }

    /// Bearer (RFC 6750).
    public struct BearerOffer: Sendable, Equatable {
        /// What a token must allow, all of it; empty: any valid token will do.
        public let scopes: [String]
        /// Where a token may stand.
        public let places: Set<Place>
        /// Changes of the challenge as it is written.
        public let overrides: [ParameterOverride]
        /// How the challenge spells the scheme's name; nil: `Bearer`.
        public let spelling: String?

        /// Where a request carries its token.
        public enum Place: String, Sendable, CaseIterable {
            /// Authorization (RFC 6750 §2.1).
            case header
            /// `access_token` of an application/x-www-form-urlencoded body (§2.2).
            case form
            /// `access_token` of the query (§2.3).
            case query
        }

        /// The parts as they are.
        public init(
            scopes: [String] = [], places: Set<Place> = [.header], overrides: [ParameterOverride] = [],
            spelling: String? = nil
        ) {
            self.spelling = spelling
            self.scopes = scopes
            self.places = places
            self.overrides = overrides
        }
    }

    /// A scheme of several messages, bound to its connection, offered and never verified: NTLM, Negotiate (RFC 4559).
    public struct MessageOffer: Sendable, Equatable {
        /// `NTLM`, `Negotiate`, in whatever case the challenge has it.
        public let scheme: String
        /// What the guard sends in answer to the client's first, second … message, each a token68; the message after
        /// the last of them is admitted, whatever it is.
        public let tokens: [String]

        /// The parts as they are.
        public init(scheme: String, tokens: [String]) {
            self.scheme = scheme
            self.tokens = tokens
        }
    }

    /// A parameter of a challenge written otherwise than it would be; several of them apply one after the other.
    public struct ParameterOverride: Sendable, Equatable {
        /// Compared without regard to ASCII case; one that the challenge doesn't have is added at its end.
        public let name: String
        /// What stands behind the `=`, byte for byte, quotes and all; nil: the parameter is left out.
        public let raw: String?

        /// The parts as they are.
        public init(name: String, raw: String?) {
            self.name = name
            self.raw = raw
        }
    }
}
