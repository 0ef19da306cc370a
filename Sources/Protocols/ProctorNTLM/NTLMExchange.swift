/// What a server has to know of a connection between its challenge and the client's last message.
package struct NTLMExchange: Sendable, Equatable {
    /// The client's first message.
    package let negotiate: [UInt8]
    /// The server's answer, as it is sent.
    package let challenge: [UInt8]
    package let nonce: [UInt8]
    /// Tenths of a microsecond since 1601 in the challenge; nil: it names no time.
    package let time: UInt64?
    let targetInfo: [NTLMPair]

    /// What a server says in its challenge.
    package struct Offer: Sendable, Equatable {
        /// The name of the server, or of its domain.
        package var target: String
        /// Eight bytes; nil: random ones for each challenge.
        package var nonce: [UInt8]?
        /// Whether the challenge names the time, so that a client authenticates all messages by a MIC.
        package var namesTime: Bool
        /// Whether the challenge has a Version where the client asks for one.
        package var hasVersion: Bool

        package init(target: String, nonce: [UInt8]? = nil, namesTime: Bool = false, hasVersion: Bool = true) {
            (self.target, self.nonce, self.namesTime, self.hasVersion) = (target, nonce, namesTime, hasVersion)
        }
    }

    /// Answers a client's first message; `now` is in tenths of a microsecond since 1601.
    package init(
        answering message: NTLMNegotiate, bytes: [UInt8], with offer: Offer, now: UInt64 = NTLMTime.now
    ) {
        negotiate = bytes
        nonce = offer.nonce ?? (0..<8).map { _ in UInt8.random(in: 0...255) }
        time = offer.namesTime ? now : nil
        // No session is signed or sealed over HTTP, so no key is exchanged; a client that asks for signing is told that it
        // may, with keys of the length that it asks for (§2.2.2.5).
        var kept: NTLMFlags = [.requestTarget, .alwaysSign, .extendedSessionSecurity]
        if message.flags.contains(.sign) { kept.formUnion([.sign, .strong, .weak]) }
        if offer.hasVersion { kept.insert(.version) }
        var flags = message.flags.intersection(kept)
        flags.formUnion([.ntlm, .targetInfo, .targetIsServer])
        flags.insert(message.flags.contains(.unicode) ? .unicode : .oem)
        // The pairs are UTF-16 whatever the flags say (§2.2.2.1).
        let name = NTLMText.utf16(offer.target)
        var targetInfo = [NTLMPair(.domain, name), NTLMPair(.computer, name)]
        if let time { targetInfo.append(NTLMPair(.time, NTLMTime.bytes(of: time))) }
        self.targetInfo = targetInfo
        challenge = NTLMWriter.bytes(
            of: .challenge(
                NTLMChallenge(
                    flags: flags, target: offer.target, nonce: nonce, targetInfo: targetInfo,
                    version: flags.contains(.version) ? Self.version : nil)))
    }

    /// Major 10, minor 0, build 0, and the revision of NTLM, which is 15 (§2.2.2.10).
    private static let version: [UInt8] = [10, 0, 0, 0, 0, 0, 0, 15]
}
