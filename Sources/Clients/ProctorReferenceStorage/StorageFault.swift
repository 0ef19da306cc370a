/// A deliberate fault with what is kept from one launch to the next, by the label of its breakage in `faults.tsv`.
package enum StorageFault: String, Sendable, CaseIterable {
    case sessionCookiesKept = "session-cookies-outlive-it"
    case lastingCookiesLost = "lasting-cookies-end-too"
    case cookiesLiveAnew = "cookies-live-anew"
    case deletedCookiesReturn = "deleted-cookies-return"
    case secureLost = "secure-not-stored"
    case httpOnlyLost = "http-only-not-stored"
    case hostOnlyLost = "host-only-not-stored"
    case pathLost = "path-not-stored"
    case cookieOrderLost = "order-not-stored"
    case ageLost = "age-not-stored"
    case validatorsLost = "validators-not-stored"
    case varyLost = "vary-not-stored"
    case memoryWritten = "memory-goes-to-disk"
    case sessionCredentialsKept = "session-credentials-outlive-it"
    case permanentCredentialsLost = "permanent-credentials-end-too"
    case resumesAByteLate = "resumes-a-byte-late"
}
