/// One step of a script on a connection that is no HTTP any more.
public enum OpaqueStep: Sendable {
    /// Something is sent or done.
    case effect(Effect.Action)
    /// These bytes must come next; other ones fail the case and end the connection. nil: the server's own bound of time.
    case expect(ByteSource, within: Duration?)
    /// So many bytes must come next, whatever they are.
    case read(byteCount: Int, within: Duration?)
}
