/// Whom a ``ReferenceConnection`` tells, in the words of NSURLConnection; each method may be left out.
public protocol ReferenceConnectionDelegate: LegacyDelegate {
    /// A stream is needed, for the first sending or another one; nil fails the load (R21, R22). Left out: nil.
    func connectionNeedsNewBodyStream(_ connection: ReferenceConnection) -> BodyStream?

    /// Bytes of the body went out; `expected` is -1 for a stream of unknown length. Totals start again when it is resent.
    func connection(_ connection: ReferenceConnection, didSendBodyData n: Int, total: Int, expected: Int)

    /// The definitive head; another one makes what came before it void (R26).
    func connection(_ connection: ReferenceConnection, didReceive response: LoadResponse)

    /// The next bytes of the content, never none (R30).
    func connection(_ connection: ReferenceConnection, didReceive data: [UInt8])

    /// Whether a reply may be stored, whose content had so many bytes (R32); only asked where the configuration has it so.
    ///
    /// This client stores nothing, whatever is answered. Left out: yes.
    func connection(_ connection: ReferenceConnection, willCache response: LoadResponse, byteCount: Int) -> Bool

    /// The end, if all went well; nothing follows.
    func connectionDidFinishLoading(_ connection: ReferenceConnection)

    /// The end, if not; nothing follows.
    func connection(_ connection: ReferenceConnection, didFailWith error: LoadError)
}

extension ReferenceConnectionDelegate {
    /// None, which fails the load.
    public func connectionNeedsNewBodyStream(_ connection: ReferenceConnection) -> BodyStream? { nil }

    /// Does nothing.
    public func connection(_ connection: ReferenceConnection, didSendBodyData n: Int, total: Int, expected: Int) {}

    /// Does nothing.
    public func connection(_ connection: ReferenceConnection, didReceive response: LoadResponse) {}

    /// Does nothing.
    public func connection(_ connection: ReferenceConnection, didReceive data: [UInt8]) {}

    /// Yes.
    public func connection(
        _ connection: ReferenceConnection, willCache response: LoadResponse, byteCount: Int
    ) -> Bool { true }

    /// Does nothing.
    public func connectionDidFinishLoading(_ connection: ReferenceConnection) {}

    /// Does nothing.
    public func connection(_ connection: ReferenceConnection, didFailWith error: LoadError) {}
}
