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
