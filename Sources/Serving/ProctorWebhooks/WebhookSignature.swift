internal import ProctorBase
internal import ProctorCrypto

/// The fields that sign one message.
struct WebhookSignature {
    let form: SignatureForm
    let mistake: SignatureMistake?
    /// As the fixture has it, bound.
    let secret: [UInt8]
    let id: [UInt8]
    let content: [UInt8]
    /// Seconds since 1970, by the clock of the run.
    let now: Int

    typealias Field = (name: String, value: [UInt8])

    /// How far a wrong time stamp is off, in seconds; all forms permit five minutes.
    private static let distance = 600

    /// Throws why it can't be signed, a sentence.
    func fields() throws(WebhookFailure) -> [Field] {
        let shift =
            switch mistake {
            case .old: -Self.distance
            case .ahead: Self.distance
            default: 0
            }
        let time = Array(String(now + shift).utf8)
        let key = try key()
        let signed = message(time: time)
        guard let right = KeyedHash.hmacSHA256(signed, key: key),
            let wrong = KeyedHash.hmacSHA256(signed, key: key + [0x21])
        else { throw WebhookFailure(sentence: "OpenSSL refuses SHA-256") }
        var texts = [text(of: mistake == .otherSecret ? wrong : right)]
        switch mistake {
        case .lastCharacter: texts[0] = Self.changed(texts[0], form: form)
        case .firstHalf: texts[0] = Array(texts[0].prefix(texts[0].count / 2))
        case .empty: texts[0] = []
        case .wrongBefore: texts.insert(text(of: wrong), at: 0)
        default: break
        }
        // What is shown differs from what was signed.
        let shown = mistake == .otherTime ? Array(String(now + shift - 1).utf8) : time
        return fields(texts, time: mistake == .noTime ? nil : shown)
    }

    private func key() throws(WebhookFailure) -> [UInt8] {
        guard form.signsID else {
            guard !secret.isEmpty else { throw WebhookFailure(sentence: "its secret is empty") }
            return secret
        }
        let text = secret.starts(with: "whsec_".utf8) ? Array(secret.dropFirst(6)) : secret
        guard let key = try? Base64Text.decode(text), !key.isEmpty else {
            throw WebhookFailure(
                sentence: "its secret is no base64, which the form \(form.rawValue) has behind whsec_")
        }
        return key
    }

    private func message(time: [UInt8]) -> [UInt8] {
        let content = mistake == .otherBody ? content + [0x20] : content
        let dot: [UInt8] = [0x2E]
        return switch form {
        case .github: content
        case .stripe: time + dot + content
        case .standard, .svix: id + dot + time + dot + content
        case .slack: Array("v0:".utf8) + time + [0x3A] + content
        }
    }

    private func text(of hash: [UInt8]) -> [UInt8] {
        Array((form.signsID ? Base64Text.encode(hash) : hash.map(Self.hexadecimal).joined()).utf8)
    }

    private static func hexadecimal(_ byte: UInt8) -> String {
        (byte < 16 ? "0" : "") + String(byte, radix: 16)
    }

    /// Another digit at the end; in base64 before the padding, where it changes bits that count.
    private static func changed(_ text: [UInt8], form: SignatureForm) -> [UInt8] {
        var text = text
        let index = text.count - (form.signsID ? 3 : 1)
        guard text.indices.contains(index) else { return text }
        text[index] = text[index] == UInt8(ascii: "0") ? UInt8(ascii: "1") : UInt8(ascii: "0")
        return text
    }

    private func fields(_ texts: [[UInt8]], time: [UInt8]?) -> [Field] {
        let version = version
        func joined(_ mark: String, _ separator: String) -> [UInt8] {
            Array(texts.map { Array((version + mark).utf8) + $0 }.joined(separator: Array(separator.utf8)))
        }
        let isSigned = mistake != .missing
        switch form {
        case .github: return isSigned ? [("X-Hub-Signature-256", joined("=", ","))] : []
        case .stripe:
            let stamp = time.map { Array("t=".utf8) + $0 + [0x2C] } ?? []
            return isSigned ? [("Stripe-Signature", stamp + joined("=", ","))] : []
        case .slack:
            return (time.map { [("X-Slack-Request-Timestamp", $0)] } ?? [])
                + (isSigned ? [("X-Slack-Signature", joined("=", ","))] : [])
        case .standard, .svix:
            let prefix = form == .svix ? "svix" : "webhook"
            let shownID = mistake == .otherID ? id + [0x30] : id
            return [("\(prefix)-id", shownID)] + (time.map { [("\(prefix)-timestamp", $0)] } ?? [])
                + (isSigned ? [("\(prefix)-signature", joined(",", " "))] : [])
        }
    }

    /// The one of another version is of no form.
    private var version: String {
        let isOther = mistake == .otherVersion
        return switch form {
        case .github: isOther ? "sha1" : "sha256"
        case .stripe: isOther ? "v0" : "v1"
        case .standard, .svix: isOther ? "v2" : "v1"
        case .slack: isOther ? "v9" : "v0"
        }
    }
}

/// Why a webhook is not sent.
struct WebhookFailure: Error {
    /// A sentence without a subject.
    let sentence: String
}
