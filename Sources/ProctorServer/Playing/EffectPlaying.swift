internal import ProctorScenario

/// Plays effects on a connection or on a stream; on the loop's thread only.
protocol EffectPlaying {
    /// Bytes of the reply that were sent so far.
    var sentByteCount: Int { get }

    /// Throws how the stream or the connection ended.
    mutating func perform(_ action: Effect.Action) async throws(ConnectionEnd)
}

extension Player: EffectPlaying {}
