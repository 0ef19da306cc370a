/// How far one connection has come with schemes that are bound to it, for each guard.
///
/// Belongs to its connection; loop thread only.
final class ConnectionMessages {
    private var states: [Int: State] = [:]

    struct State: Equatable {
        /// Index into the guard's schemes.
        let scheme: Int
        /// Messages of the client that were taken.
        var count: Int
        /// The connection needs no credential any more.
        var isAdmitted: Bool
    }

    subscript(guard index: Int) -> State? {
        get { states[index] }
        set { states[index] = newValue }
    }
}
