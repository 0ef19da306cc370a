import ProctorTestSupport

/// Connects to a URL and talks on a thread of its own; the connection is closed in the end.
func talk<Result: Sendable>(
    to base: String, _ body: @escaping @Sendable (Wire) throws -> Result
) async throws -> Result {
    try await onThread {
        let wire = try Wire(to: base)
        defer { wire.close() }
        return try body(wire)
    }
}

/// Sends bytes, then FIN, and reads to the end.
func exchange(_ bytes: String, with base: String) async throws -> Wire.Received {
    try await onThread { try exchangeNow(bytes, with: base) }
}

/// The same for a thread that may block.
func exchangeNow(_ bytes: String, with base: String) throws -> Wire.Received {
    let wire = try Wire(to: base)
    defer { wire.close() }
    try wire.send(bytes)
    wire.finish()
    return try wire.readToEnd()
}

/// Nanoseconds that something took, with what it returned.
func timed<Result>(_ body: () throws -> Result) rethrows -> (Result, Duration) {
    let clock = ContinuousClock()
    let start = clock.now
    let result = try body()
    return (result, clock.now - start)
}
