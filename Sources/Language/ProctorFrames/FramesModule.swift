internal import ProctorFixtures
internal import ProctorScenario

/// HTTP/2 and HTTP/3 in scenarios: the keys of origins and of frames, and what a scenario loses over these protocols.
package enum FramesModule {
    /// Hands them over, for every scenario that this process reads from then on.
    ///
    /// Safe from any thread, and again. Without it a fixture that has one of the keys is refused, and so is a run over HTTP/2 or HTTP/3.
    package static func register() {
        ScenarioReader.http2.register(
            Shape(ScenarioReader.http2Table.schema, takes: "a mapping") { $1.http2($0) },
            tables: [("h2", ScenarioReader.http2Table.rows)])
        ScenarioReader.http3.register(
            Shape(ScenarioReader.http3Table.schema, takes: "a mapping") { $1.http3($0) },
            tables: [
                ("h3", ScenarioReader.http3Table.rows), ("http3-settings", ScenarioReader.http3Settings.table.rows),
            ])
        ScenarioReader.settings.register(
            Shape(ScenarioReader.http2Settings.table.schema, takes: "[settings](http2.md#settings)") {
                ScenarioReader.http2Settings.read($0, $1)
            }, tables: [("settings", ScenarioReader.http2Settings.table.rows)])
        ScenarioReader.frame.register(
            Shape(ScenarioReader.frameTable.schema, takes: "a [frame](http2.md#frames)") { $1.frame($0) },
            tables: [("frame", ScenarioReader.frameTable.rows)])
        ScenarioReader.streamBytes.register(
            Shape(ScenarioReader.streamBytesTable.schema, takes: "[bytes of a stream](http3.md#bytes-of-a-stream)") {
                $1.streamBytes($0)
            }, tables: [("stream", ScenarioReader.streamBytesTable.rows)])
        Scenario.fitness.register(StreamFitness())
    }
}
