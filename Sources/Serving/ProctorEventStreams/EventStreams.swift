internal import ProctorDocument
internal import ProctorFixtures
internal import ProctorGrading
internal import ProctorScenario

/// Streams of server-sent events as the content of replies: the key `events`, and what a client tells of one.
package enum EventStreams {
    /// Hands the key over to the language, for every scenario that this process reads from then on.
    ///
    /// Safe from any thread, and again. Without it a fixture with the key is refused.
    package static func register() {
        ScenarioReader.eventStream.register(Shape { $1.eventStream($0) })
        ContentChecks.register([EventStreamCheck.self])
    }
}
