/// What a stage keeps of one connection, to its end.
///
/// Belongs to its connection.
struct ConnectionMemory {
    /// nil where no exchange's turns go by connections.
    let turns: ConnectionTurns?
    /// nil where no guard offers a scheme that is bound to its connection.
    let messages: ConnectionMessages?

    /// nil where there is nothing to keep.
    init?(_ compiled: CompiledScenario) {
        guard compiled.hasTurnsByConnection || compiled.hasMessages else { return nil }
        turns = compiled.hasTurnsByConnection ? ConnectionTurns() : nil
        messages = compiled.hasMessages ? ConnectionMessages() : nil
    }
}
