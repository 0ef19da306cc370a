/// The names of what a case learns of a message within a credential, below `credentials.` of its request.
package enum MessageFactNames {
    /// Of a message of NTLM, in the order of the documents.
    package static let ntlm = [
        "ntlm-type", "ntlm-flags", "ntlm-domain", "ntlm-user", "ntlm-workstation", "ntlm-response",
        "ntlm-lm-response", "ntlm-mic",
    ]
    /// Of a token of Negotiate, in the order of the documents.
    package static let negotiate = [
        "negotiate-form", "negotiate-mechanisms", "negotiate-state", "negotiate-mic", "negotiate-leg",
        "negotiate-user", "negotiate-target",
    ]
    package static let all = ntlm + negotiate
}
