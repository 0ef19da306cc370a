/// The turns that one connection has of exchanges whose turns go by connections; it keeps them to its end.
///
/// Belongs to its connection and is changed under the stage's lock.
final class ConnectionTurns {
    private var taken: [Int: Turn] = [:]

    private struct Turn {
        /// Which start of the stage it was taken after.
        let start: Int
        let number: Int
    }

    /// The number of this connection among those on which the exchange has answered; `next` when it is a new one.
    func number(of exchange: Int, after start: Int, next: Int) -> Int {
        if let turn = taken[exchange], turn.start == start { return turn.number }
        taken[exchange] = Turn(start: start, number: next)
        return next
    }
}
