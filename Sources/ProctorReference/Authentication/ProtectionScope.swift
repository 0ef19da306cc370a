internal import ProctorHTTP

/// The requests that a credential may be sent with unasked.
struct ProtectionScope: Sendable, Equatable {
    /// Paths, and what is below them.
    private var prefixes: [[UInt8]]
    /// Targets that were challenged themselves.
    private var targets: Set<[UInt8]>
    private var isWhole = false

    /// What the challenge of a reply to a request for `url` says of it.
    ///
    /// Basic: whatever is as deep in the path as what was asked for, or deeper (RFC 7617 §2.2); Bearer, which says
    /// nothing, the same. Digest: what its domain names, or the whole origin (RFC 7616 §3.3), and never another origin,
    /// which has not asked. A proxy: everything.
    init(of offer: AuthenticationOffer, to url: ClientURL) {
        prefixes = []
        targets = [url.target]
        guard !offer.space.isProxy else {
            isWhole = true
            return
        }
        switch offer.scheme {
        case .basic, .bearer:
            let path = url.reference.path
            prefixes = [Array(path[...(path.lastIndex(of: UInt8(ascii: "/")) ?? path.startIndex)])]
        case .digest(let challenge):
            isWhole = challenge.domain.isEmpty
            prefixes = challenge.domain.compactMap { text in
                guard let named = try? url.resolving(location: text), named.origin == url.origin else { return nil }
                return Array(named.reference.path)
            }
        }
    }

    /// Adds what another challenge of the same space has said.
    mutating func formUnion(_ other: ProtectionScope) {
        isWhole = isWhole || other.isWhole
        prefixes += other.prefixes.filter { !prefixes.contains($0) }
        if prefixes.count > Self.bound { prefixes.removeFirst(prefixes.count - Self.bound) }
        targets = targets.count < Self.bound ? targets.union(other.targets) : other.targets
    }

    /// How well it fits, to choose among several spaces of an origin: the longer the better; nil: not at all.
    func fit(of url: ClientURL) -> Int? {
        if targets.contains(url.target) { return .max }
        let path = url.reference.path
        let longest = prefixes.filter { Self.isPrefix($0, of: path) }.map(\.count).max()
        return longest ?? (isWhole ? 0 : nil)
    }

    /// Paths and targets of one space that are kept.
    private static let bound = 100

    /// By whole segments: `/a` is no prefix of `/ab`.
    private static func isPrefix(_ prefix: [UInt8], of path: ArraySlice<UInt8>) -> Bool {
        guard path.starts(with: prefix) else { return false }
        let slash = UInt8(ascii: "/")
        return prefix.count == path.count || prefix.last == slash || path[path.startIndex + prefix.count] == slash
    }
}
