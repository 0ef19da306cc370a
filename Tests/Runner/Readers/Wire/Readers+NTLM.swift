import Foundation
import ProctorBase
import ProctorCrypto
import ProctorHTTP
import ProctorNTLM

extension ReaderRunner {
    static let ntlm: [String: DataReader] = [
        // A message of NTLM in hexadecimal, also changed: see `ChangedBytes`.
        "ntlm": .text { text, _ in
            let input = try ChangedBytes.bytes(text)
            let reading = NTLMReader.read(input)
            var lines: [String] = []
            if let message = reading.message {
                lines.append(ValueText.text(message))
                let written = NTLMWriter.bytes(of: message)
                if reading.violations.isEmpty, !input.starts(with: written) {
                    lines.append("written as \(written.hexadecimal)")
                }
            }
            if (reading.message == nil) != reading.violations.contains(where: \.isFatal) {
                lines.append("a message and a fatal violation")
            }
            lines += reading.violations.map {
                PlacedText.line($0.kind, $0.offset, isFatal: $0.isFatal, $0.section, $0.sentence)
            }
            for part in reading.violations.isEmpty ? ChangedBytes.beginningsAndFlips(of: input) : [] {
                let reading = NTLMReader.read(part)
                let isSound =
                    reading.violations.allSatisfy { 0...part.count ~= $0.offset }
                    && reading.violations.count <= NTLMReader.violationLimit + 1
                    && (reading.message != nil || reading.violations.last?.isFatal == true)
                if !isSound { lines.append("of \(part.hexadecimal): \(reading)") }
            }
            return lines
        },
        // A challenge in hexadecimal, as a client sees it.
        "ntlm-challenge": .text { text, _ in
            let bytes = try ChangedBytes.bytes(text)
            let token = NTLMServerToken(message: bytes)
            guard token == NTLMServerToken(Base64Text.encode(bytes)) else { return ["other in base64"] }
            return [token == nil ? "not answered" : "answered"]
        },
        // `USER DOMAIN PASSWORD`, nonces `0123456789abcdef` and `aa…`, of the server "Server".
        "ntlm-proof": .line { text in
            let words = text.split(separator: " ").map(String.init)
            guard words.count == 3 else { throw TextError("expected USER DOMAIN PASSWORD") }
            let nonce: [UInt8] = [0x01, 0x23, 0x45, 0x67, 0x89, 0xAB, 0xCD, 0xEF]
            let clientNonce = [UInt8](repeating: 0xAA, count: 8)
            guard let key = NTLMProof.key(user: words[0], domain: words[1], password: words[2]) else { return "no key" }
            let pairs = [
                NTLMPair(.domain, NTLMText.utf16(words[1])), NTLMPair(.computer, NTLMText.utf16("Server")),
            ]
            let input = NTLMProof.input(time: 0, clientNonce: clientNonce, pairs: pairs)
            guard let proof = NTLMProof.proof(nonce: nonce, input: input, key: key),
                let session = NTLMProof.sessionKey(proof: proof, key: key),
                let old = NTLMProof.lmResponse(nonce: nonce, clientNonce: clientNonce, key: key)
            else { return "no proof" }
            return
                "key \(key.hexadecimal), proof \(proof.hexadecimal), session \(session.hexadecimal), old \(old.hexadecimal)"
        },
        // `md4 TEXT`, `hmac-md5 KEY TEXT`, `upper TEXT`, `refused REASON`.
        "legacy-hash": .line { text in
            let words = text.split(separator: " ", maxSplits: 1, omittingEmptySubsequences: false).map(String.init)
            let rest = words.count > 1 ? words[1] : ""
            switch words[0] {
            case "md4": return LegacyHash.md4(Array(rest.utf8))?.hexadecimal ?? "none"
            case "hmac-md5":
                let parts = rest.split(separator: " ", maxSplits: 1)
                return LegacyHash.hmacMD5(Array(parts[1].utf8), key: Array(parts[0].utf8))?.hexadecimal ?? "none"
            case "upper": return NTLMText.upperCase(rest)
            default: return "\(HashRefusal(function: nil, reason: rest))"
            }
        },
        // `USER PASSWORD` and words, what a judge says of the client's last message: `account USER`, `password P`, `nonce`,
        // `time` (in the challenge), `flip N` (a byte of the message), `old`, `none` or `malformed` (the response), `other`
        // (challenge), `shifted` (without the eight bytes of Version).
        "ntlm-judgement": .line { text in try NTLMTalk(text).judgement() },
    ]
}

/// A client's two messages and the challenge between them.
private struct NTLMTalk {
    private let words: [String]

    init(_ text: String) throws {
        words = text.split(separator: " ").map { String($0).replacing("_", with: " ") }
        guard words.count > 1 else { throw TextError("expected USER PASSWORD") }
    }

    private func value(_ name: String) -> String? {
        words.firstIndex(of: name).flatMap { $0 + 1 < words.count ? words[$0 + 1] : nil }
    }

    /// The message of a client that leaves Version out, and computes its MIC over that.
    private static func shifted(
        _ bytes: [UInt8], of message: NTLMAuthenticate, after exchange: NTLMExchange
    ) throws -> (NTLMAuthenticate, [UInt8]) {
        var bytes = bytes
        bytes.removeSubrange(64..<72)
        // The offsets of the fields, of which none reaches 65,536.
        for place in stride(from: 16, through: 56, by: 8) {
            let offset = Int(bytes[place]) + Int(bytes[place + 1]) << 8 - 8
            (bytes[place], bytes[place + 1]) = (UInt8(offset & 0xFF), UInt8(offset >> 8))
        }
        guard case .new(let response) = message.response,
            let key = NTLMProof.key(user: message.user, domain: message.domain, password: "pass"),
            let session = NTLMProof.sessionKey(proof: response.proof, key: key),
            let mic = NTLMProof.mic(
                negotiate: exchange.negotiate, challenge: exchange.challenge, authenticate: bytes, sessionKey: session,
                at: 64..<80)
        else { throw TextError("no MIC") }
        bytes.replaceSubrange(64..<80, with: mic)
        guard case .authenticate(let message)? = NTLMReader.read(bytes).message else { throw TextError("no message") }
        return (message, bytes)
    }

    func judgement() throws -> String {
        let account = CredentialAccount(user: value("account") ?? "user", password: value("password") ?? "pass")
        var (message, bytes, exchange) = try talk()
        if let place = value("flip").flatMap({ Int($0) }) { bytes[place] ^= 1 }
        if words.contains("shifted") { (message, bytes) = try Self.shifted(bytes, of: message, after: exchange) }
        if words.contains("old") { message.response = .old([UInt8](1...24)) }
        if words.contains("none") { message.response = .none }
        if words.contains("malformed") { message.response = .malformed([1]) }
        if words.contains("other") { exchange = try talk().exchange }
        let judgement = NTLMJudge(accounts: [account]).judge(message, bytes: bytes, after: exchange)
        let faults = judgement.faults.map { "\($0.kind.rawValue): \($0.sentence)" }
        let remarks = judgement.remarks.map { "remark \($0.kind.rawValue): \($0.sentence)" }
        let old = message.lmResponse.allSatisfy { $0 == 0 } ? ["an old response of zeros"] : []
        return ((faults.isEmpty ? ["admitted"] : faults) + remarks + (message.mic == nil ? [] : ["with a MIC"]) + old)
            .joined(separator: "; ")
    }

    private func talk() throws -> (message: NTLMAuthenticate, bytes: [UInt8], exchange: NTLMExchange) {
        func field(_ session: inout NTLMSession) throws -> [UInt8] {
            let value = session.fieldValue(user: words[0], password: words[1] == "-" ? "" : words[1]) ?? []
            return try Base64Text.decode(Array(value.dropFirst(5)))
        }
        var session = NTLMSession()
        let first = try field(&session)
        // Its connection is lost, and it begins again.
        guard session.awaitsChallenge, try field(&session) == first else { throw TextError("another first message") }
        guard case .negotiate(let negotiate)? = NTLMReader.read(first).message else {
            throw TextError("no first message")
        }
        var lost = session
        lost.receive(nil)
        guard !lost.awaitsChallenge, !lost.isBound else { throw TextError("still bound without a challenge") }
        let offer = NTLMExchange.Offer(
            target: "X", nonce: words.contains("nonce") ? [UInt8](1...8) : nil, namesTime: words.contains("time"))
        let exchange = NTLMExchange(answering: negotiate, bytes: first, with: offer)
        session.receive(NTLMServerToken(message: exchange.challenge))
        let bytes = try field(&session)
        let reading = NTLMReader.read(bytes)
        guard case .authenticate(let message)? = reading.message, reading.violations.isEmpty, !session.isBound,
            !session.awaitsChallenge
        else { throw TextError("no last message: \(reading)") }
        return (message, bytes, exchange)
    }
}

/// Bytes in hexadecimal, and behind ` > ` changes of them with `; ` between.
///
/// `4=73 00` puts bytes there, `first 12` cuts, `+ 00` appends, `+ 16384 zeros` too.
enum ChangedBytes {
    static func bytes(_ text: String) throws -> [UInt8] {
        let parts = text.split(separator: ">", maxSplits: 1)
        return try apply(parts.dropFirst().joined(), to: ByteText.hexadecimal(parts.first ?? ""))
    }

    static func apply(_ changes: String, to bytes: [UInt8]) throws -> [UInt8] {
        var bytes = bytes
        for change in changes.components(separatedBy: ";") {
            let change = change.split(separator: " ").joined(separator: " ")
            let words = change.split(separator: " ")
            if change.isEmpty { continue }
            if words[0] == "first", let count = Int(words[1]) {
                bytes = Array(bytes.prefix(count))
            } else if words[0] == "+", words.last == "zeros", let count = Int(words[1]) {
                bytes += [UInt8](repeating: 0, count: count)
            } else if words[0] == "+" {
                bytes += try ByteText.hexadecimal(change.dropFirst(2))
            } else {
                let halves = change.split(separator: "=")
                guard halves.count == 2, let place = Int(halves[0]) else { throw TextError("no change: \(change)") }
                let new = try ByteText.hexadecimal(halves[1])
                guard place + new.count <= bytes.count else { throw TextError("\(place) lies behind the bytes") }
                bytes.replaceSubrange(place..<place + new.count, with: new)
            }
        }
        return bytes
    }

    /// What must be survived; of a long input its beginning alone.
    static func beginningsAndFlips(of bytes: [UInt8]) -> [[UInt8]] {
        guard bytes.count < 1_000 else { return [] }
        return (0..<bytes.count).map { Array(bytes.prefix($0)) }
            + bytes.indices.map { place in
                var changed = bytes
                changed[place] ^= 1 << UInt8(place % 8)
                return changed
            }
    }
}
