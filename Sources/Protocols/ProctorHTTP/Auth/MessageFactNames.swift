/// The names of what a case learns of a message within a credential, below `credentials.` of its request.
package enum MessageFactNames {
    /// The names of an NTLM message's facts, in the order of the documents.
    package static let ntlm = [
        "ntlm-type", "ntlm-flags", "ntlm-domain", "ntlm-user", "ntlm-workstation", "ntlm-response",
        "ntlm-lm-response", "ntlm-mic",
    ]
    /// The names of a Negotiate token's facts, in the order of the documents.
    package static let negotiate = [
        "negotiate-form", "negotiate-mechanisms", "negotiate-state", "negotiate-mic", "negotiate-leg",
        "negotiate-user", "negotiate-target",
    ]
    package static let all = ntlm + negotiate
}
