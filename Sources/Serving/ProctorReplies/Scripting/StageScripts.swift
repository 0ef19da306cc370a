internal import ProctorBase
package import ProctorScenario
package import ProctorScript

/// The states of Lua of one run: one for each loop, made when a script first runs there, with nothing of another run.
package final class StageScripts: Sendable {
    /// A failure too, so that a library that fails runs no second time.
    private let states: Locked<[State]>
    private let scripts: [FixtureScript]
    private let libraries: [FixtureScript]

    /// Of one loop; there are few of them.
    private struct State {
        let loop: ObjectIdentifier
        let scripts: Result<LoopScripts, ScriptFailure>
    }

    init(_ scenario: Scenario) {
        scripts = scenario.scripts
        libraries = scenario.libraries
        states = Locked([])
    }

    /// On the loop's thread; throws where a library fails, or a script can't be compiled within the bounds of memory.
    ///
    /// `willLoad` is called before anything is loaded.
    package func scripts(on loop: AnyObject, willLoad: () -> Void) throws(ScriptFailure) -> LoopScripts {
        let key = ObjectIdentifier(loop)
        let known = states.withLock { states in states.first { $0.loop == key }?.scripts }
        if let known { return try known.get() }
        willLoad()
        let new = Result { () throws(ScriptFailure) in try LoopScripts(scripts, libraries) }
        // No other thread adds one for this loop.
        states.withLock { $0.append(State(loop: key, scripts: new)) }
        return try new.get()
    }

    /// Makes the next call begin with new states.
    func reset() {
        let old = states.withLock { states in
            defer { states = [] }
            return states
        }
        // Calls that wait hold their states on.
        withExtendedLifetime(old) {}
    }
}

/// The compiled scripts of one run on one loop; on that loop's thread only.
package final class LoopScripts {
    package let state: ScriptState
    /// By the script of the fixture.
    private let compiled: [ObjectIdentifier: ScriptState.Compiled]

    init(_ scripts: [FixtureScript], _ libraries: [FixtureScript]) throws(ScriptFailure) {
        let state = try ScriptState()
        self.state = state
        for library in libraries { try state.load(try state.compile(library.source), for: LibraryHost()) }
        var compiled: [ObjectIdentifier: ScriptState.Compiled] = [:]
        for script in scripts { compiled[ObjectIdentifier(script)] = try state.compile(script.source) }
        self.compiled = compiled
    }

    package func start(_ script: FixtureScript, for request: ScriptedRequest) -> ScriptState.Outcome {
        guard let compiled = compiled[ObjectIdentifier(script)] else {
            return .failure(ScriptFailure("\(script.source.name) was not compiled"))
        }
        return state.start(compiled, for: request)
    }
}

extension Stage {
    /// The script that makes a reply; nil for a reply of the fixture, and for one that a script has made.
    package func script(of part: PlayedPart) -> ReplyScript? {
        guard scripts != nil, !part.isScripted, case .turn(let turn) = part.reply else { return nil }
        return compiled.replyScripts[compiled.firstReplyNumber[part.exchange] + turn]
    }
}
