/// Which cookies a client takes, as NSHTTPCookieAcceptPolicy has it.
public enum CookiePolicy: Sendable, Hashable, CaseIterable {
    /// Every one that may be set where it comes from.
    case always
    /// None; and none is sent, which Foundation leaves to another switch.
    case never
    /// Those from the site of ``ClientRequest/mainDocument``: Foundation's `onlyFromMainDocumentDomain`.
    ///
    /// A request that names no document is one of its own, so that everything is taken then. Two hosts are of one site
    /// when they are the same, or names with the same last two labels: no list of public suffixes is carried.
    case mainDocument
}
