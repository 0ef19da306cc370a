import ProctorBase

/// Compares Basic credentials with accounts (RFC 7617); passwords stand in none of its sentences.
public struct BasicJudge: Sendable {
    private let accounts: [CredentialAccount]
    /// Whole values of the field as nearly every client writes them.
    private let admitted: [[UInt8]: Int]

    /// Users and passwords are expected as UTF-8 (§2.1).
    public init(accounts: [CredentialAccount]) {
        self.accounts = accounts
        var admitted: [[UInt8]: Int] = [:]
        for (index, account) in accounts.enumerated() where !account.user.utf8.contains(UInt8(ascii: ":")) {
            let value = Array("Basic \(Base64Text.of("\(account.user):\(account.password)".utf8))".utf8)
            // What is read strictly would be refused here too.
            guard BasicReading(Credentials(value)).faults.isEmpty else { continue }
            admitted[value] = admitted[value] ?? index
        }
        self.admitted = admitted
    }

    /// The cheap way to admit: one look-up of the whole value.
    ///
    /// nil says nothing, ask ``judge(_:)`` then.
    public func accountIndex(ofFieldValue value: [UInt8]) -> Int? { admitted[value] }

    /// Says all that is wrong with a credential.
    public func judge(_ credentials: Credentials) -> CredentialJudgement {
        var judgement = CredentialJudgement()
        guard credentials.isScheme("Basic") else {
            judgement.faults = [.wrongScheme(credentials, expected: "Basic")]
            return judgement
        }
        let reading = BasicReading(credentials)
        judgement.faults = reading.faults
        guard !reading.faults.contains(where: { $0.kind != .controlCharacter }) else { return judgement }
        judgement.user = FieldText.decode(reading.user)
        // A tab behind the scheme and the like: read well, but not well-formed.
        judgement.faults += credentials.grammarFaults
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

    /// The account that is meant by bytes that are not its UTF-8.
    private func otherCharset(_ text: [UInt8]) -> (Int, CredentialFault)? {
        for (index, account) in accounts.enumerated() {
            let wanted = "\(account.user):\(account.password)"
            // The right bytes, but with a colon in the user, where a server splits them.
            guard !wanted.utf8.elementsEqual(text) else { continue }
            if let latin = FieldText.latin1Bytes(of: wanted), latin == text {
                return (
                    index,
                    CredentialFault(
                        .wrongCharset,
                        "user and password came as ISO-8859-1; expected UTF-8, the only charset a challenge can name",
                        section: "RFC 7617 §2.1")
                )
            }
            // Text that looks the same compares equal, whatever its normal form.
            if let came = String(validating: text, as: UTF8.self), came == wanted {
                return (
                    index,
                    CredentialFault(
                        .wrongCharset,
                        "user and password came as UTF-8 in another normal form; expected precomposed characters (NFC)",
                        section: "RFC 7617 §2.1")
                )
            }
        }
        return nil
    }
}

extension CredentialFault {
    static func wrongScheme(_ credentials: Credentials, expected: String) -> Self {
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

    /// Says the nearest name if the letter case or a typing error is all that differs.
    static func unknownUser(_ user: [UInt8], among accounts: [CredentialAccount], section: String) -> Self {
        let text = FieldText.decode(user)
        let near = NearestName.find(text, in: accounts.map(\.user))
        let hint = near.map { "; there is \(ByteQuote.quote(Array($0.utf8))), and letter case counts" } ?? ""
        return CredentialFault(.unknownUser, "there is no user \(ByteQuote.quote(user))\(hint)", section: section)
    }
}
