/// Removing excess cookies (RFC 6265 §5.3, its revision §5.7).
extension CookieStore {
    /// Brings the store under its limits again after a cookie of `domain` came; told back for those who explain.
    ///
    /// Expired ones are gone already. Of a domain with too many go, by the revision, those without Secure first; of
    /// cookies that are alike, the one that was used least recently.
    mutating func removeExcess(of domain: String) -> [Cookie] {
        var evicted: [Cookie] = []
        while ledger.count(of: domain) > limits.perDomain {
            let open = edition == .rfc6265 ? nil : leastUsed { $0.domain == domain && !$0.isSecure }
            guard let index = open ?? leastUsed(where: { $0.domain == domain }) else { break }
            evicted.append(remove(index))
        }
        while cookies.count > limits.total, let index = leastUsed(where: { _ in true }) {
            evicted.append(remove(index))
        }
        return evicted
    }

    private func leastUsed(where isOpen: (Cookie) -> Bool) -> Int? {
        var least: Int?
        for index in cookies.indices where isOpen(cookies[index]) {
            guard let other = least else {
                least = index
                continue
            }
            // Of equals the older stays the least, for they stand in their order.
            if cookies[index].use < cookies[other].use { least = index }
        }
        return least
    }
}
