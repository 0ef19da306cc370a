/// A deliberate fault with what is kept from one launch to the next; `Breakage.wire` describes each.
package enum StorageFault: Sendable, Hashable, CaseIterable {
    /// Deviate from RFC 6265 §5.3: cookies of a session end with it, and the others keep their attributes and their end.
    case sessionCookiesKept, lastingCookiesLost, cookiesLiveAnew, secureLost, httpOnlyLost, hostOnlyLost, pathLost
    /// Deviates from RFC 6265 §5.4, which sends cookies in the order of their creation.
    case cookieOrderLost
    /// Adds to the file and removes nothing from it.
    case deletedCookiesReturn
    /// Deviate from RFC 9111: stored responses keep their age (§4.2.3), their validators (§4.3.1) and what Vary names (§4.1).
    case ageLost, validatorsLost, varyLost
    /// Writes responses that are stored in memory only.
    case memoryWritten
    case sessionCredentialsKept, permanentCredentialsLost
    /// Takes the first byte of a download's rest for one that is there already.
    case resumesAByteLate
}
