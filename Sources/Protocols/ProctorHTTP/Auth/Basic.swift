import ProctorBase

package struct BasicJudge: Sendable {
    private let accounts: [CredentialAccount]
    /// The usual field value of each account, with the account's index.
    private let admitted: [[UInt8]: Int]
    private let tolerated: Set<Departure>

    /// A departure in `tolerated` gives a remark instead of a fault.
    package init(accounts: [CredentialAccount], tolerated: Set<Departure> = []) {
        (self.accounts, self.tolerated) = (accounts, tolerated)
        var admitted: [[UInt8]: Int] = [:]
        for (index, account) in accounts.enumerated() where !account.user.utf8.contains(UInt8(ascii: ":")) {
            let value = Array("Basic \(Base64Text.encode("\(account.user):\(account.password)".utf8))".utf8)
            // A value that `BasicReading` refuses must not be accepted by the table.
            guard BasicReading(Credentials(value)).faults.isEmpty else { continue }
            admitted[value] = admitted[value] ?? index
        }
        self.admitted = admitted
    }

    /// The account of a value that is in the table; nil means that ``judge(_:)`` must decide.
    package func accountIndex(ofFieldValue value: [UInt8]) -> Int? { admitted[value] }

    package func judge(_ credentials: Credentials) -> CredentialJudgement {
        var judgement = CredentialJudgement()
        guard credentials.isScheme("Basic") else {
            judgement.faults = [.wrongScheme(credentials, expected: "Basic")]
            return judgement
        }
        let reading = BasicReading(credentials, tolerated: tolerated)
        judgement.faults = reading.faults
        judgement.remarks = reading.remarks
        guard !reading.faults.contains(where: { $0.kind != .controlCharacter }) else { return judgement }
        judgement.user = FieldText.decode(reading.user)
        // For example a tab after the scheme: readable, but against the grammar.
        let grammar = credentials.grammarFaults(tolerated: tolerated)
        judgement.faults += grammar.faults
        judgement.remarks += grammar.remarks
        let text = reading.user + [UInt8(ascii: ":")] + reading.password
        let known = accounts.firstIndex { $0.user.utf8.elementsEqual(reading.user) }
        if let known {
            judgement.accountIndex = known
            if accounts[known].password.utf8.elementsEqual(reading.password) { return judgement }
        }
        if let (index, fault) = otherCharset(text) {
            judgement.accountIndex = index
            judgement.user = accounts[index].user
            judgement.faults.append(fault)
        } else if known != nil {
            judgement.faults.append(
                CredentialFault(
                    .wrongPassword,
                    "the password for the user \(ByteQuote.quote(reading.user)) is another one (\(reading.password.count) "
                        + "bytes came)", section: "RFC 7617 §2"))
        } else {
            judgement.faults.append(.unknownUser(reading.user, among: accounts, section: "RFC 7617 §2"))
        }
        return judgement
    }

    /// The account whose name and password match if the bytes are decoded by another charset than UTF-8.
    private func otherCharset(_ text: [UInt8]) -> (Int, CredentialFault)? {
        for (index, account) in accounts.enumerated() {
            let wanted = "\(account.user):\(account.password)"
            // The same bytes with a colon in the user name: the server splits them elsewhere.
            guard !wanted.utf8.elementsEqual(text) else { continue }
            let reading: String
            if FieldText.latin1Bytes(of: wanted) == text {
                reading = "ISO-8859-1; expected UTF-8, the only charset a challenge can name"
            } else if String(validating: text, as: UTF8.self) == wanted {
                // Swift compares texts that differ only in normal form as equal.
                reading = "UTF-8 in another normal form; expected precomposed characters (NFC)"
            } else {
                continue
            }
            let sentence = "user and password came as \(reading)"
            return (index, CredentialFault(.wrongCharset, sentence, section: "RFC 7617 §2.1"))
        }
        return nil
    }
}

extension CredentialFault {
    package static func wrongScheme(_ credentials: Credentials, expected: String) -> Self {
        guard !credentials.scheme.isEmpty else {
            return CredentialFault(
                .malformedField,
                credentials.violations.first.map { "at byte \($0.offset): \($0.sentence)" }
                    ?? "the field is empty; expected a scheme and what belongs to it", section: "RFC 9110 §11.6.2")
        }
        return CredentialFault(
            .wrongScheme, "the scheme is \(ByteQuote.quote(Array(credentials.scheme.utf8))); expected \(expected)",
            section: "RFC 9110 §11.4")
    }

    /// Names the nearest user if the name differs by letter case or a typing error.
    static func unknownUser(_ user: [UInt8], among accounts: [CredentialAccount], section: String) -> Self {
        let text = FieldText.decode(user)
        let near = NearestName.find(text, in: accounts.map(\.user))
        let hint = near.map { "; there is \(ByteQuote.quote(Array($0.utf8))), and letter case counts" } ?? ""
        return CredentialFault(.unknownUser, "there is no user \(ByteQuote.quote(user))\(hint)", section: section)
    }
}

package struct BasicCredential: Sendable, Equatable {
    package let user: String
    package let password: String

    /// Throws if the server would read another user or password.
    package init(user: String, password: String) throws(BasicCredentialError) {
        guard !user.utf8.contains(UInt8(ascii: ":")) else { throw .colonInUser }
        guard !user.utf8.contains(where: \.isControl), !password.utf8.contains(where: \.isControl) else {
            throw .control
        }
        (self.user, self.password) = (user, password)
    }

    /// The value of (Proxy-)Authorization: UTF-8 in base64, the only charset a challenge may name (§2.1).
    package var fieldValue: String { "Basic " + Base64Text.encode("\(user):\(password)".utf8) }
}

/// Why user and password can't be sent this way.
package enum BasicCredentialError: String, Error, Sendable, CustomStringConvertible {
    /// RFC 7617 §2: the password begins after the first colon.
    case colonInUser = "the user has a colon, which Basic can't send; expected a name without one (RFC 7617 §2)"
    /// RFC 7617 §2 forbids controls in user and password.
    case control = "user or password has a control character; expected none (RFC 7617 §2)"

    /// The sentence for a person.
    package var description: String { rawValue }
}

struct BasicReading {
    private(set) var user: [UInt8] = []
    private(set) var password: [UInt8] = []
    /// Empty only if both user and password could be read.
    private(set) var faults: [CredentialFault] = []
    private(set) var remarks: [CredentialFault] = []
    private let toleratesPadding: Bool

    init(_ credentials: Credentials, tolerated: Set<Departure> = []) {
        toleratesPadding = tolerated.contains(.basicPadding)
        // The text is checked before the grammar: its errors say more about bytes outside the alphabet.
        let isReadOver =
            !credentials.violations.isEmpty && credentials.grammarFaults(tolerated: tolerated).faults.isEmpty
        let text =
            credentials.rest.isEmpty || isReadOver ? Array((credentials.token68 ?? "").utf8) : credentials.rest
        guard !text.isEmpty else {
            faults = [
                CredentialFault(
                    .malformedField, "nothing follows the scheme; expected base64 of USER:PASSWORD",
                    section: "RFC 7617 §2")
            ]
            return
        }
        guard let bytes = decode(text) else { return }
        guard let colon = bytes.firstIndex(of: UInt8(ascii: ":")) else {
            faults.append(
                CredentialFault(
                    .missingColon,
                    "the base64 holds \(bytes.count) bytes without a colon; expected USER:PASSWORD",
                    section: "RFC 7617 §2"
                ))
            return
        }
        user = Array(bytes[..<colon])
        password = Array(bytes[bytes.index(after: colon)...])
        for (name, part) in [("user", user), ("password", password)] {
            guard let index = part.firstIndex(where: \.isControl) else { continue }
            // The fault names the offset of the byte, never a byte of the password.
            faults.append(
                CredentialFault(
                    .controlCharacter, "byte \(index) of the \(name) is a control character; neither part may have one",
                    section: "RFC 7617 §2"))
        }
    }

    /// Decodes the base64 text; returns nil and adds a fault if that fails.
    private mutating func decode(_ text: [UInt8]) -> [UInt8]? {
        let digits = text.prefix { $0 != UInt8(ascii: "=") }
        if let bad = digits.firstIndex(where: { !$0.isBase64Digit }) {
            return refuse(
                "\(ByteQuote.quote([text[bad]])) at byte \(bad) behind the scheme is not of the base64 alphabet"
                    + (text[bad] == UInt8(ascii: "-") || text[bad] == UInt8(ascii: "_")
                        ? ", but of base64url; use + and / for it" : "; expected A-Z, a-z, 0-9, + and /"))
        }
        let padding = text[digits.endIndex...]
        if let bad = padding.firstIndex(where: { $0 != UInt8(ascii: "=") }) {
            return refuse("\(ByteQuote.quote([text[bad]])) follows the padding; expected nothing behind it")
        }
        let wanted = (4 - digits.count % 4) % 4
        if wanted == 3 { return refuse("\(digits.count) base64 digits make no whole bytes; the text is cut off") }
        guard padding.count == wanted else {
            let sentence = "the padding has \(padding.count) of \"=\"; expected \(wanted) behind \(digits.count) digits"
            guard toleratesPadding, padding.isEmpty else { return refuse(sentence) }
            remarks.append(CredentialFault(.malformedBase64, sentence, section: Self.base64Section))
            return decode(text + Array(repeating: UInt8(ascii: "="), count: wanted))
        }
        guard let bytes = try? Base64Text.decode(text) else { return refuse("this can't be decoded as base64") }
        guard Base64Text.encode(bytes).utf8.elementsEqual(text) else {
            return refuse("the last digit has bits that belong to no byte; they have to be zero (RFC 4648 §3.5)")
        }
        return bytes
    }

    private mutating func refuse(_ sentence: String) -> [UInt8]? {
        faults.append(CredentialFault(.malformedBase64, sentence, section: Self.base64Section))
        return nil
    }

    private static let base64Section = "RFC 7617 §2, RFC 4648 §4"
}

extension UInt8 {
    fileprivate var isBase64Digit: Bool {
        isASCIILetter || isASCIIDigit || self == UInt8(ascii: "+") || self == UInt8(ascii: "/")
    }
}
