extension ClientURL {
    /// Where a Location leads that came with the answer to this URL (RFC 9110 §10.2.2).
    ///
    /// It is resolved against this URL (RFC 3986 §5.2) after being mended as `init(_:)` does, and its host as a typed one's;
    /// an empty one is this very URL. Where it has no fragment, this URL's goes on.
    /// The scheme of its user stays where Location names none, or that one.
    /// One with userinfo of its own is refused: a server has no business with another's password (RFC 9110 §4.2.4).
    public func resolving(location: some Collection<UInt8>) throws(ClientURLError) -> ClientURL {
        let (location, isCalled) = Self.withoutOwnScheme(Array(location), ownScheme)
        let reference = Self.mended(location).spellingHostInASCII()
        let target = reference.resolved(against: self.reference)
        let resolved = try ClientURL(
            canonicalising: URIReference.compose(
                scheme: target.scheme, authority: target.authority, path: Array(target.path), query: target.query,
                fragment: target.fragment ?? self.reference.fragment))
        guard reference.userinfo == nil else { throw .userinfoFromServer }
        return isCalled || reference.scheme == nil ? resolved.called(ownScheme) : resolved
    }
}
