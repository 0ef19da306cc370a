import ProctorBase

/// What was read of a message, and what is wrong with it.
package struct NTLMReading: Sendable, Equatable {
    /// nil after a fatal violation.
    package var message: NTLMMessage?
    /// In the order in which they were found; at most ``NTLMReader/violationLimit``.
    package var violations: [NTLMViolation] = []
}

/// Reads the messages of NTLM with every field (MS-NLMP §2.2.1); any bytes may come.
package struct NTLMReader {
    /// The most bytes of a message.
    package static let byteLimit = 16_384
    package static let violationLimit = 16
    static let signature = Array("NTLMSSP".utf8) + [0]

    private let bytes: [UInt8]
    private var violations: [NTLMViolation] = []
    /// Ranges of the fields that are not empty, and where their descriptions stand.
    private var fields: [(range: Range<Int>, offset: Int)] = []

    private init(_ bytes: [UInt8]) { self.bytes = bytes }

    package static func read(_ bytes: [UInt8]) -> NTLMReading {
        var reader = NTLMReader(bytes)
        do throws(NTLMViolation) {
            let message = try reader.message()
            return NTLMReading(message: message, violations: reader.violations)
        } catch {
            reader.report(error)
            return NTLMReading(message: nil, violations: reader.violations)
        }
    }

    private mutating func message() throws(NTLMViolation) -> NTLMMessage {
        guard bytes.count <= Self.byteLimit else {
            throw NTLMViolation(
                .tooLong, at: Self.byteLimit,
                "the message has \(bytes.count) bytes; at most \(Self.byteLimit) are permitted")
        }
        for (index, byte) in Self.signature.enumerated() where index < bytes.count && bytes[index] != byte {
            throw NTLMViolation(.badSignature, at: index, "the message does not begin with NTLMSSP and a zero")
        }
        try require(12, "the signature and the type")
        switch number(at: 8) {
        case 1: return .negotiate(try negotiate())
        case 2: return .challenge(try challenge())
        case 3: return .authenticate(try authenticate())
        case let type:
            throw NTLMViolation(.unknownType, at: 8, "the message has the type \(type); there are 1, 2 and 3")
        }
    }

    // MARK: The messages

    /// Old clients end behind the flags, or behind the descriptions of both names.
    private mutating func negotiate() throws(NTLMViolation) -> NTLMNegotiate {
        try require(16, "the flags")
        let flags = readFlags(at: 12)
        if !flags.contains(.unicode), !flags.contains(.oem) {
            report(
                .noEncoding, at: 12,
                "the flags \(flags.text) have neither UNICODE nor OEM, so no text can be written")
        }
        var message = NTLMNegotiate(flags: flags)
        guard bytes.count > 16 else { return message }
        try require(32, "the descriptions of domain and workstation")
        let (domain, workstation) = (try field(at: 16, "domain"), try field(at: 24, "workstation"))
        checkFields(headerEnd: 32)
        message.domain = oemText(domain)
        message.workstation = oemText(workstation)
        if headerEnd >= 40 { message.version = Array(bytes[32..<40]) }
        return message
    }

    private mutating func challenge() throws(NTLMViolation) -> NTLMChallenge {
        try require(32, "the challenge")
        let target = try field(at: 12, "target name")
        let flags = readFlags(at: 20)
        var targetInfo: Range<Int>?
        if flags.contains(.targetInfo) {
            try require(48, "the description of the target information")
            targetInfo = try field(at: 40, "target information")
        }
        checkFields(headerEnd: targetInfo == nil ? 32 : 48)
        if bytes.count >= 40, headerEnd >= 40, bytes[32..<40].contains(where: { $0 != 0 }) {
            report(.reservedNotZero, at: 32, "the reserved bytes behind the challenge are not zero")
        }
        return NTLMChallenge(
            flags: flags, target: text(target, flags), nonce: Array(bytes[24..<32]),
            targetInfo: targetInfo.map { pairs(in: $0, "target information") } ?? [],
            version: flags.contains(.version) && headerEnd >= 56 ? Array(bytes[48..<56]) : nil)
    }

    private mutating func authenticate() throws(NTLMViolation) -> NTLMAuthenticate {
        try require(52, "the descriptions of responses and names")
        let (lm, response) = (try field(at: 12, "LM response"), try field(at: 20, "NT response"))
        let (domain, user) = (try field(at: 28, "domain"), try field(at: 36, "user"))
        let workstation = try field(at: 44, "workstation")
        // The oldest clients end here; UTF-16 is what nearly all of them write.
        var flags: NTLMFlags = [.unicode, .ntlm]
        var key = bytes.count..<bytes.count
        var end = 52
        if headerEnd >= 64 {
            (key, end) = (try field(at: 52, "session key"), 64)
            flags = readFlags(at: 60)
        }
        checkFields(headerEnd: end)
        var message = NTLMAuthenticate(
            flags: flags, domain: text(domain, flags), user: text(user, flags), workstation: text(workstation, flags),
            lmResponse: Array(bytes[lm]), response: readResponse(in: response), sessionKey: Array(bytes[key]))
        if headerEnd >= NTLMAuthenticate.micRange.upperBound { message.mic = Array(bytes[NTLMAuthenticate.micRange]) }
        return message
    }

    private mutating func readResponse(in range: Range<Int>) -> NTLMResponse {
        let all = Array(bytes[range])
        switch range.count {
        case 0: return .none
        case 24: return .old(all)
        case ..<44:
            report(
                .badResponse, at: range.lowerBound,
                "the NT response has \(range.count) bytes; that of version 1 has 24, and that of version 2 at least 44")
            return .malformed(all)
        default: break
        }
        let start = range.lowerBound + 16
        if bytes[start] != 1 || bytes[start + 1] != 1 {
            report(
                .badResponse, at: start,
                "the response has the versions \(bytes[start]) and \(bytes[start + 1]); expected 1 and 1")
        }
        for part in [start + 2..<start + 8, start + 24..<start + 28]
        where bytes[part].contains(where: { $0 != 0 }) {
            report(.reservedNotZero, at: part.lowerBound, "reserved bytes of the response are not zero")
        }
        return .new(
            NTLMNewResponse(
                proof: Array(bytes[range.prefix(16)]), input: Array(bytes[start..<range.upperBound]),
                time: UInt64(number(at: start + 8)) | UInt64(number(at: start + 12)) << 32,
                clientNonce: Array(bytes[start + 16..<start + 24]),
                pairs: pairs(in: start + 28..<range.upperBound, "response")))
    }

    // MARK: Parts

    private mutating func readFlags(at offset: Int) -> NTLMFlags {
        let flags = NTLMFlags(rawValue: number(at: offset))
        let reserved = flags.intersection(.reserved)
        if !reserved.isEmpty {
            report(.reservedFlag, at: offset, "the flags \(flags.text) have the reserved bits \(reserved.text)")
        }
        if !flags.contains(.ntlm) {
            report(.noNTLM, at: offset, "the flags \(flags.text) lack NTLM, 0x00000200, which every message has")
        }
        return flags
    }

    /// A field by its length and offset; the second length, of what was reserved for it, has no meaning.
    private mutating func field(at offset: Int, _ name: String) throws(NTLMViolation) -> Range<Int> {
        let count = Int(bytes[offset]) | Int(bytes[offset + 1]) << 8
        guard count > 0 else { return bytes.count..<bytes.count }
        let start = Int(number(at: offset + 4))
        guard start <= bytes.count, count <= bytes.count - start else {
            throw NTLMViolation(
                .fieldOutside, at: offset,
                "the \(name) is said to have \(count) bytes from byte \(start) on, and the message has \(bytes.count)")
        }
        fields.append((start..<start + count, offset))
        return start..<start + count
    }

    /// Where the first field begins, which is the end of what stands at fixed places.
    private var headerEnd: Int { fields.map(\.range.lowerBound).min() ?? bytes.count }

    private mutating func checkFields(headerEnd end: Int) {
        let sorted = fields.sorted { $0.range.lowerBound < $1.range.lowerBound }
        for field in sorted where field.range.lowerBound < end {
            report(
                .fieldInHeader, at: field.offset,
                "a field begins at byte \(field.range.lowerBound), within the \(end) bytes of the header")
        }
        for (field, next) in zip(sorted, sorted.dropFirst()) where next.range.lowerBound < field.range.upperBound {
            report(
                .fieldsOverlap, at: next.offset,
                "a field begins at byte \(next.range.lowerBound), before the one that ends at byte \(field.range.upperBound)"
            )
        }
    }

    private mutating func text(_ range: Range<Int>, _ flags: NTLMFlags) -> String {
        guard flags.contains(.unicode) else { return oemText(range) }
        if range.count % 2 != 0 {
            report(.oddText, at: range.lowerBound, "a text of UTF-16 has \(range.count) bytes, which is no even number")
        }
        let units = stride(from: range.lowerBound, to: range.upperBound - 1, by: 2).map {
            UInt16(bytes[$0]) | UInt16(bytes[$0 + 1]) << 8
        }
        if String(validating: units, as: UTF16.self) == nil {
            report(.badText, at: range.lowerBound, "a text of UTF-16 has half of a pair of surrogates")
        }
        return String(decoding: units, as: UTF16.self)
    }

    /// Bytes beyond ASCII depend on a code page that the message does not tell; UTF-8 is tried, then ISO 8859-1.
    private func oemText(_ range: Range<Int>) -> String {
        String(validating: bytes[range], as: UTF8.self)
            ?? String(String.UnicodeScalarView(bytes[range].map { Unicode.Scalar($0) }))
    }

    /// The pairs up to the one that ends the list; four bytes of zero may follow it.
    private mutating func pairs(in range: Range<Int>, _ name: String) -> [NTLMPair] {
        var pairs: [NTLMPair] = []
        var seen: Set<UInt16> = []
        var offset = range.lowerBound
        while range.upperBound - offset >= 4 {
            let id = UInt16(bytes[offset]) | UInt16(bytes[offset + 1]) << 8
            let count = Int(bytes[offset + 2]) | Int(bytes[offset + 3]) << 8
            let start = offset + 4
            guard count <= range.upperBound - start else {
                report(
                    .badPair, at: offset,
                    "the pair \(id) of the \(name) is said to have \(count) bytes, and \(range.upperBound - start) follow"
                )
                return pairs
            }
            let expected = Self.length(ofPair: id)
            if let expected, count != expected {
                report(.badPair, at: offset, "the pair \(id) of the \(name) has \(count) bytes; expected \(expected)")
            }
            guard id != NTLMPair.ID.end.rawValue else { return pairs }
            if !seen.insert(id).inserted {
                report(.repeatedPair, at: offset, "the pair \(id) stands twice in the \(name)")
            }
            pairs.append(NTLMPair(id: id, value: Array(bytes[start..<start + count])))
            offset = start + count
        }
        report(.badPair, at: offset, "the \(name) ends without the pair 0, which ends the list")
        return pairs
    }

    private static func length(ofPair id: UInt16) -> Int? {
        switch NTLMPair.ID(rawValue: id) {
        case .end: 0
        case .flags: 4
        case .time: 8
        case .channelBindings: 16
        case .computer, .domain, .dnsComputer, .dnsDomain, .dnsTree, .singleHost, .targetName, nil: nil
        }
    }

    // MARK: Bytes

    private func require(_ count: Int, _ what: String) throws(NTLMViolation) {
        guard bytes.count < count else { return }
        throw NTLMViolation(
            .incomplete, at: bytes.count,
            "the message ends after \(bytes.count) bytes; the first \(count) hold \(what)")
    }

    private func number(at offset: Int) -> UInt32 {
        (0..<4).reduce(0) { $0 | UInt32(bytes[offset + $1]) << (8 * UInt32($1)) }
    }

    private mutating func report(_ kind: NTLMViolation.Kind, at offset: Int, _ sentence: String) {
        report(NTLMViolation(kind, at: offset, sentence))
    }

    private mutating func report(_ violation: NTLMViolation) {
        if violations.count < Self.violationLimit || violation.isFatal { violations.append(violation) }
    }
}
