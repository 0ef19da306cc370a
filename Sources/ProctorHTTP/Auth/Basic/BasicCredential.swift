import ProctorBase

/// User and password as the Basic scheme sends them (RFC 7617).
public struct BasicCredential: Sendable, Equatable {
    /// Without a colon, which would end it.
    public let user: String
    /// Anything but controls.
    public let password: String

    /// Refuses what the server would read as another user or password.
    public init(user: String, password: String) throws(BasicCredentialError) {
        guard !user.utf8.contains(UInt8(ascii: ":")) else { throw .colonInUser }
        guard !user.utf8.contains(where: \.isControl), !password.utf8.contains(where: \.isControl) else {
            throw .control
        }
        self.user = user
        self.password = password
    }

    /// The value of Authorization or Proxy-Authorization: UTF-8 in base64, whatever charset the challenge names.
    ///
    /// UTF-8 is the only charset that a challenge may name (§2.1), and what is usual where none is named.
    public var fieldValue: String { "Basic " + Base64Text.of("\(user):\(password)".utf8) }
}

/// Why user and password can't be sent this way.
public enum BasicCredentialError: String, Error, Sendable, CustomStringConvertible {
    /// RFC 7617 §2: what stands behind the first colon is the password.
    case colonInUser = "the user has a colon, which Basic can't send; expected a name without one (RFC 7617 §2)"
    /// RFC 7617 §2 forbids them in both.
    case control = "user or password has a control character; expected none (RFC 7617 §2)"

    /// For a person.
    public var description: String { rawValue }
}

/// User and password of a credential, read as strictly as RFC 7617 writes them.
struct BasicReading {
    /// What stands before the first colon.
    private(set) var user: [UInt8] = []
    /// What stands behind the first colon.
    private(set) var password: [UInt8] = []
    /// Empty only where both could be read.
    private(set) var faults: [CredentialFault] = []

    init(_ credentials: Credentials) {
        // The text is looked at before the grammar: it says more of a wrong alphabet.
        let text = credentials.rest.isEmpty ? Array((credentials.token68 ?? "").utf8) : credentials.rest
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
            // The byte of a password is not shown, only where it is.
            faults.append(
                CredentialFault(
                    .controlCharacter, "byte \(index) of the \(name) is a control character; neither part may have one",
                    section: "RFC 7617 §2"))
        }
    }

    /// Notes what is wrong and gives nil then.
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
            return refuse("the padding has \(padding.count) of \"=\"; expected \(wanted) behind \(digits.count) digits")
        }
        guard let bytes = try? Base64Text.decode(text) else { return refuse("this can't be decoded as base64") }
        guard Base64Text.of(bytes).utf8.elementsEqual(text) else {
            return refuse("the last digit has bits that belong to no byte; they have to be zero (RFC 4648 §3.5)")
        }
        return bytes
    }

    private mutating func refuse(_ sentence: String) -> [UInt8]? {
        faults.append(CredentialFault(.malformedBase64, sentence, section: "RFC 7617 §2, RFC 4648 §4"))
        return nil
    }
}

extension UInt8 {
    fileprivate var isBase64Digit: Bool {
        isASCIILetter || isASCIIDigit || self == UInt8(ascii: "+") || self == UInt8(ascii: "/")
    }
}
