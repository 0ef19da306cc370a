/// The value of (Proxy-)Authorization (RFC 9110 §11.4); reading it never fails, violations are in ``violations``.
package struct Credentials: Sendable, Equatable {
    /// The scheme in its received letter case; empty if the value does not begin with one.
    package var scheme: String
    /// The text that follows the scheme in place of parameters.
    package var token68: String?
    /// In the order of the value; only the first of several with the same name.
    package var parameters: [AuthenticationParameter]
    /// In the order of the value.
    package let violations: [AuthenticationViolation]
    /// The received bytes after the scheme and its blanks; empty if the value was not read.
    package var rest: [UInt8] { Array(unread) }
    private let unread: ArraySlice<UInt8>

    package init(_ value: [UInt8]) {
        var scanner = AuthenticationScanner(.credentials)
        scanner.read(value, line: 0)
        violations = scanner.violations
        let element = scanner.elements.first
        scheme = element?.scheme ?? ""
        token68 = element?.token68
        parameters = element?.parameters ?? []
        var cursor = FieldCursor(value)
        cursor.index += element?.schemeEnd ?? 0
        cursor.skipBlanks()
        var end = value.endIndex
        while end > cursor.index, value[end - 1].isBlank { end -= 1 }
        unread = cursor.index < end ? value[cursor.index..<end] : []
    }

    package init(scheme: String, token68: String? = nil, parameters: [AuthenticationParameter] = []) {
        (self.scheme, self.token68, self.parameters) = (scheme, token68, parameters)
        violations = []
        unread = []
    }

    package func isScheme(_ name: String) -> Bool { AuthenticationScanner.isSame(scheme, name) }

    package subscript(name: String) -> String? { parameters.first(named: name)?.value }

    package subscript(parameter name: String) -> AuthenticationParameter? { parameters.first(named: name) }

    package var bytes: [UInt8] { AuthenticationScanner.written(scheme, token68, parameters: parameters) }

    /// The violations as faults of the credential, or as remarks if they are tolerated; at most the first eight.
    package func grammarFaults(tolerated: Set<Departure>) -> (faults: [CredentialFault], remarks: [CredentialFault]) {
        let toleratesSeparators = tolerated.contains(.credentialSeparators)
        var (faults, remarks): ([CredentialFault], [CredentialFault]) = ([], [])
        for violation in violations.prefix(8) {
            let fault = CredentialFault(
                violation.kind == .duplicateParameter ? .duplicateParameter : .malformedField,
                "at byte \(violation.offset): \(violation.sentence)", section: violation.section)
            let isSeparator = violation.kind == .tabBehindScheme || violation.kind == .strayComma
            if isSeparator, toleratesSeparators { remarks.append(fault) } else { faults.append(fault) }
        }
        return (faults, remarks)
    }
}

package struct CredentialAccount: Sendable, Equatable {
    /// May be empty.
    package let user: String
    /// May be empty; never part of a message.
    package let password: String

    package init(user: String, password: String) {
        (self.user, self.password) = (user, password)
    }
}

/// The result of checking a credential.
package struct CredentialJudgement: Sendable, Equatable {
    /// The user of the credential; nil if none can be read.
    package var user: String?
    package var accountIndex: Int?
    /// Why the credential is refused, in its order; empty if it is accepted.
    package var faults: [CredentialFault] = []
    package var remarks: [CredentialFault] = []

    package var isAdmitted: Bool { faults.isEmpty }
}

/// One fault of a credential, worded so that the author of a client can correct it.
public struct CredentialFault: Error, Sendable, Equatable {
    /// What is wrong, for a program.
    public let kind: Kind
    /// What was expected and what was received, in full; never a secret of another account.
    public let sentence: String
    /// The section of the rule, such as `RFC 7616 §3.4`.
    public let section: String

    package init(_ kind: Kind, _ sentence: String, section: String) {
        (self.kind, self.sentence, self.section) = (kind, sentence, section)
    }

    /// The stable name of each fault.
    public enum Kind: String, Sendable, CaseIterable {
        // Any scheme.
        case malformedField = "malformed-field"
        case severalFields = "several-fields"
        case wrongScheme = "wrong-scheme"
        case unknownUser = "unknown-user"
        case wrongPassword = "wrong-password"
        // Basic.
        case malformedBase64 = "malformed-base64"
        case missingColon = "missing-colon"
        case controlCharacter = "control-character"
        case wrongCharset = "wrong-charset"
        case malformedToken = "malformed-token"
        case unknownToken = "unknown-token"
        case expiredToken = "expired-token"
        case insufficientScope = "insufficient-scope"
        case tokenSentTwice = "token-sent-twice"
        case tokenInQuery = "token-in-query"
        // Signature Version 4 of AWS, which has kinds of Digest too.
        case severalCredentials = "several-credentials"
        case wrongScope = "wrong-scope"
        case wrongDate = "wrong-date"
        case expiredSignature = "expired-signature"
        case unsignedField = "unsigned-field"
        case wrongSignature = "wrong-signature"
        case wrongChunkSignature = "wrong-chunk-signature"
        case malformedContent = "malformed-content"
        // NTLM and Negotiate.
        case malformedMessage = "malformed-message"
        case wrongMechanism = "wrong-mechanism"
        case wrongMIC = "wrong-mic"
        // No fault of the credential: the server does not have the content that it needs for the check.
        case contentNotKept = "content-not-kept"
        case hashRefused = "hash-refused"
        // Digest: the parameters one by one.
        case missingParameter = "missing-parameter"
        case missingQop = "missing-qop"
        case duplicateParameter = "duplicate-parameter"
        case wrongQuoting = "wrong-quoting"
        case wrongRealm = "wrong-realm"
        case unknownNonce = "unknown-nonce"
        case staleNonce = "stale-nonce"
        case nonceOfAnotherRealm = "nonce-of-another-realm"
        case nonceOfAnotherAlgorithm = "nonce-of-another-algorithm"
        case wrongOpaque = "wrong-opaque"
        case wrongAlgorithm = "wrong-algorithm"
        case wrongQop = "wrong-qop"
        case unwantedParameter = "unwanted-parameter"
        case wrongURI = "wrong-uri"
        case malformedNonceCount = "malformed-nonce-count"
        case replayedNonceCount = "replayed-nonce-count"
        case skippedNonceCount = "skipped-nonce-count"
        case emptyClientNonce = "empty-client-nonce"
        case changedClientNonce = "changed-client-nonce"
        case malformedResponse = "malformed-response"
        case wrongUserhash = "wrong-userhash"
        case malformedExtendedUser = "malformed-extended-user"
        // Digest: the response, and the wrong input it was computed from.
        case wrongResponse = "wrong-response"
        case wrongMethod = "wrong-method"
        case wrongContentHash = "wrong-content-hash"
        // Schemes that authenticate a connection.
        case wrongConnection = "wrong-connection"
        // No fault of the credential: the server's own reply lacks the proof that it should have.
        case proofLeftOut = "proof-left-out"
    }
}

extension CredentialFault: CustomStringConvertible {
    /// The sentence and its section in one line.
    public var description: String { "\(sentence) (\(section))" }
}
