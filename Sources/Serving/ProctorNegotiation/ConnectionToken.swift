internal import ProctorBase
internal import ProctorHTTP
internal import ProctorReplies

/// One token of a scheme that authenticates a connection instead of a request: NTLM and Negotiate.
struct ConnectionToken {
    let bytes: [UInt8]

    /// The token of the credentials, which `noun` calls in a fault: that there is none, or none in base64, as `section` says.
    init(_ noun: String, of credentials: Credentials, section: String) throws(CredentialFault) {
        guard let token = credentials.token68, credentials.violations.isEmpty else {
            throw CredentialFault(
                .malformedField, "no \(noun) follows \(credentials.scheme); expected one in base64", section: section)
        }
        do throws(EncodedTextError) {
            bytes = try Base64Text.decode(Array(token.utf8))
        } catch {
            throw CredentialFault(
                .malformedBase64, "at character \(error.offset) of the \(noun): \(error.sentence)", section: section)
        }
    }

    /// The field's value that has the token.
    static func value(_ token: [UInt8], of scheme: String) -> [UInt8] {
        Array("\(scheme) \(Base64Text.encode(token))".utf8)
    }
}
