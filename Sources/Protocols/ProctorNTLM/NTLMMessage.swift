/// One of the three messages of NTLM (MS-NLMP §2.2.1).
package enum NTLMMessage: Sendable, Equatable {
    case negotiate(NTLMNegotiate)
    case challenge(NTLMChallenge)
    case authenticate(NTLMAuthenticate)

    /// 1 to 3.
    package var type: Int {
        switch self {
        case .negotiate: 1
        case .challenge: 2
        case .authenticate: 3
        }
    }

    package var flags: NTLMFlags {
        switch self {
        case .negotiate(let message): message.flags
        case .challenge(let message): message.flags
        case .authenticate(let message): message.flags
        }
    }
}

/// The client's first message, NEGOTIATE_MESSAGE (§2.2.1.1); its texts have one byte for each character.
package struct NTLMNegotiate: Sendable, Equatable {
    package var flags: NTLMFlags
    package var domain: String
    package var workstation: String
    /// The eight bytes of §2.2.2.10; nil: the message ends before them.
    package var version: [UInt8]?

    package init(flags: NTLMFlags, domain: String = "", workstation: String = "", version: [UInt8]? = nil) {
        (self.flags, self.domain, self.workstation, self.version) = (flags, domain, workstation, version)
    }
}

/// The server's answer, CHALLENGE_MESSAGE (§2.2.1.2).
package struct NTLMChallenge: Sendable, Equatable {
    package var flags: NTLMFlags
    package var target: String
    /// Eight bytes.
    package var nonce: [UInt8]
    /// Without the pair that ends the list.
    package var targetInfo: [NTLMPair]
    /// The eight bytes of §2.2.2.10; nil: eight zeros, since the flags do not announce them.
    package var version: [UInt8]?

    package init(
        flags: NTLMFlags, target: String, nonce: [UInt8], targetInfo: [NTLMPair] = [], version: [UInt8]? = nil
    ) {
        (self.flags, self.target, self.nonce, self.targetInfo) = (flags, target, nonce, targetInfo)
        self.version = version
    }
}

/// The client's last message, AUTHENTICATE_MESSAGE (§2.2.1.3).
package struct NTLMAuthenticate: Sendable, Equatable {
    package var flags: NTLMFlags
    package var domain: String
    package var user: String
    package var workstation: String
    package var lmResponse: [UInt8]
    package var response: NTLMResponse
    /// The session key under the key of the exchange; empty where none was agreed on.
    package var sessionKey: [UInt8]
    /// The 16 bytes that authenticate all three messages; nil: the message has no place for them.
    package var mic: [UInt8]?

    package init(
        flags: NTLMFlags, domain: String = "", user: String, workstation: String = "", lmResponse: [UInt8] = [],
        response: NTLMResponse, sessionKey: [UInt8] = [], mic: [UInt8]? = nil
    ) {
        (self.flags, self.domain, self.user, self.workstation) = (flags, domain, user, workstation)
        (self.lmResponse, self.response, self.sessionKey, self.mic) = (lmResponse, response, sessionKey, mic)
    }

    /// Where the 16 bytes of the MIC stand.
    package static let micRange = 72..<88
    /// Where they stand in the message of a client that leaves the eight bytes of Version out.
    static let shiftedMICRange = 64..<80
}

/// The NtChallengeResponse of a client.
package enum NTLMResponse: Sendable, Equatable {
    /// No byte, as of an anonymous client.
    case none
    /// The 24 bytes of NTLM version 1 (§2.2.2.6).
    case old([UInt8])
    /// NTLM version 2 (§2.2.2.8).
    case new(NTLMNewResponse)
    /// Bytes that are neither.
    case malformed([UInt8])
}

/// A response of NTLM version 2: the proof, and what it proves (§2.2.2.7, §2.2.2.8).
package struct NTLMNewResponse: Sendable, Equatable {
    /// The 16 bytes that only who knows the password can make.
    package var proof: [UInt8]
    /// All bytes behind the proof, which are a part of its input.
    package var input: [UInt8]
    /// Tenths of a microsecond since the year 1601.
    package var time: UInt64
    /// Eight bytes.
    package var clientNonce: [UInt8]
    package var pairs: [NTLMPair]

    package init(proof: [UInt8], input: [UInt8], time: UInt64, clientNonce: [UInt8], pairs: [NTLMPair]) {
        (self.proof, self.input, self.time, self.clientNonce, self.pairs) = (proof, input, time, clientNonce, pairs)
    }
}

/// An item of the target information, AV_PAIR (§2.2.2.1).
package struct NTLMPair: Sendable, Equatable {
    package let id: UInt16
    package let value: [UInt8]

    package init(_ id: ID, _ value: [UInt8]) {
        self.init(id: id.rawValue, value: value)
    }

    package init(id: UInt16, value: [UInt8]) {
        (self.id, self.value) = (id, value)
    }

    package enum ID: UInt16, Sendable, CaseIterable {
        case end, computer, domain, dnsComputer, dnsDomain, dnsTree, flags, time, singleHost, targetName
        case channelBindings
    }

    /// The bit of the pair `flags` that says that the message has a MIC.
    package static let hasMIC: [UInt8] = [2, 0, 0, 0]
}

extension [NTLMPair] {
    /// The value of the first such pair.
    package subscript(id: NTLMPair.ID) -> [UInt8]? { first { $0.id == id.rawValue }?.value }
}
