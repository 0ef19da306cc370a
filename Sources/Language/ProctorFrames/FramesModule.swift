internal import ProctorFixtures
internal import ProctorScenario

/// HTTP/2 and HTTP/3 in scenarios: the keys of origins and of frames, and what a scenario loses over these protocols.
package enum FramesModule {
    /// Hands them over, for every scenario that this process reads from then on.
    ///
    /// Safe from any thread, and again. Without it a fixture that has one of the keys is refused, and so is a run over HTTP/2 or HTTP/3.
    package static func register() {
        ScenarioReader.http2.register(Shape { $1.http2($0) })
        ScenarioReader.http3.register(Shape { $1.http3($0) })
        ScenarioReader.settings.register(Shape { ScenarioReader.http2Settings.read($0, $1) })
        ScenarioReader.frame.register(Shape { $1.frame($0) })
        ScenarioReader.streamBytes.register(Shape { $1.streamBytes($0) })
        ScenarioReader.push.register(Shape { $1.pushedRequest($0) })
        EffectForm.frames.register { EffectForm.ofFrames }
        Scenario.fitness.register(StreamFitness())
    }
}
