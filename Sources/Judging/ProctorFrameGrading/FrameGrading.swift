internal import ProctorGrading

/// What is judged of the frames of HTTP/2 and HTTP/3: the facts `stream[N]`, `h2[N]` and `h3[N]`.
package enum FrameGrading {
    /// Hands them over, for the fixtures and the journals that this process reads from then on; safe from any thread, and again.
    package static func register() {
        FactGatherers.register(SeenStreams.self)
        FactGatherers.register(SeenHTTP2Connections.self)
        FactGatherers.register(SeenHTTP3Connections.self)
    }
}
