/// Removing excess cookies (RFC 6265 §5.3, its revision §5.7).
extension CookieStore {
    /// Brings the store under its limits again after a cookie of `domain` came; told back for those who explain.
    ///
    /// Expired ones are gone already. Of a domain with too many go, by the revision, those without Secure first; of
    /// cookies that are alike, the one that was used least recently.
    mutating func removeExcess(of domain: String) -> [Cookie] {
        var evicted: [Cookie] = []
        while cookies.count(where: { $0.domain == domain }) > limits.perDomain {
            let group = cookies.indices.filter { cookies[$0].domain == domain }
            let open = edition == .rfc6265 ? [] : group.filter { !cookies[$0].isSecure }
            evict(leastUsed(open.isEmpty ? group : open), &evicted)
        }
        while cookies.count > limits.total {
            evict(leastUsed(Array(cookies.indices)), &evicted)
        }
        return evicted
    }

    private func leastUsed(_ indices: [Int]) -> Int? {
        indices.min { (cookies[$0].use, cookies[$0].order) < (cookies[$1].use, cookies[$1].order) }
    }

    private mutating func evict(_ index: Int?, _ evicted: inout [Cookie]) {
        guard let index else { return }
        evicted.append(cookies.remove(at: index))
    }
}
