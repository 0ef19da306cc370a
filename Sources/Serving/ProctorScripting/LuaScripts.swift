internal import ProctorBase
internal import ProctorJournal
internal import ProctorReplies
internal import ProctorScenario
internal import ProctorScript

/// The states of Lua of one run: one for each loop, made when a script first runs there, with nothing of another run.
final class LuaScripts: RunScripts {
    /// A failure too, so that a library that fails runs no second time.
    private let states: Locked<[State]>
    private let scripts: [FixtureScript]
    private let libraries: [FixtureScript]
    private let channels = ScriptChannels()

    /// The scripts of one loop, or why there are none; there are few loops.
    private struct State {
        let loop: ObjectIdentifier
        let scripts: Result<LuaLoop, ScriptFault>
    }

    init(_ scenario: Scenario) {
        scripts = scenario.scripts
        libraries = scenario.libraries
        states = Locked([])
    }

    func scripts(on loop: AnyObject, willLoad: () -> Void) throws(ScriptFault) -> any LoopScripts {
        let key = ObjectIdentifier(loop)
        let known = states.withLock { states in states.first { $0.loop == key }?.scripts }
        if let known { return try known.get() }
        willLoad()
        let new = Result { () throws(ScriptFault) in try LuaLoop(scripts, libraries, channels) }
        // No other thread adds one for this loop.
        states.withLock { $0.append(State(loop: key, scripts: new)) }
        return try new.get()
    }

    func reset() {
        let old = states.withLock { states in
            defer { states = [] }
            return states
        }
        // Calls that wait hold their states on.
        withExtendedLifetime(old) {}
        channels.reset()
    }
}

/// The compiled scripts of one run on one loop; on that loop's thread only.
final class LuaLoop: LoopScripts {
    private let state: ScriptState
    private let channels: ScriptChannels
    /// The compiled scripts, by the script of the fixture.
    private let programs: [ObjectIdentifier: CompiledProgram]

    init(
        _ scripts: [FixtureScript], _ libraries: [FixtureScript], _ channels: ScriptChannels
    ) throws(ScriptFault) {
        self.channels = channels
        do throws(ScriptFailure) {
            let state = try ScriptState(effects: EffectVerb.functions)
            self.state = state
            for library in libraries {
                guard let program = library.program as? LuaProgram else { continue }
                try state.load(try state.compile(program.source), for: LibraryHost())
            }
            var programs: [ObjectIdentifier: CompiledProgram] = [:]
            for script in scripts {
                guard let program = script.program as? LuaProgram else { continue }
                programs[ObjectIdentifier(script)] = try CompiledProgram(program, in: state)
            }
            self.programs = programs
        } catch {
            throw ScriptFault(error.message)
        }
    }

    func reply(by script: ReplyScript, _ request: consuming ScriptRequest) -> ScriptedReply {
        guard let program = programs[ObjectIdentifier(script.script)] else { return .failure(missing(script.script)) }
        let host = ScriptedRequest(request, at: script.script.location, channels: channels)
        return program.reply(state.start(program.compiled, for: host, pauses: true), host, behind: nil)
    }

    func turn(
        by script: ReplyScript, _ request: consuming ScriptRequest, wake: @escaping @Sendable () -> Void
    ) -> ScriptedTurn {
        guard let program = programs[ObjectIdentifier(script.script)] else { return .failure(missing(script.script)) }
        let socket = ScriptedSocket(channels, wake: wake)
        let host = ScriptedRequest(request, at: script.script.location, channels: channels, on: socket)
        return program.turn(state.start(program.compiled, for: host, pauses: true), on: socket, behind: nil)
    }

    func isWanted(by script: FixtureScript, _ request: consuming ScriptRequest) -> Result<Bool, ScriptFault> {
        guard let program = programs[ObjectIdentifier(script)] else {
            return .failure(ScriptFault(missing(script)))
        }
        switch state.start(program.compiled, for: ScriptedRequest(request, at: script.location, channels: channels)) {
        case .answer(.flag(let flag)): return .success(flag)
        case .answer(.nothing): return .success(false)
        case .answer: return .failure(ScriptFault("\(script.name): the script of a request returns true or false"))
        case .step(_, let call):
            state.abandon(call)
            return .failure(ScriptFault("\(script.name): the script of a request neither sends nor waits"))
        case .failure(let failure): return .failure(ScriptFault(failure.message))
        }
    }

    private func missing(_ script: FixtureScript) -> String { "\(script.name) was not compiled" }
}

/// A script as the state of one loop has it.
///
/// A class, since each request looks one up.
final class CompiledProgram {
    let compiled: ScriptState.Compiled
    /// The name of the script's file, for errors.
    let name: String
    let tables: ScriptTables
    let state: ScriptState

    init(_ program: LuaProgram, in state: ScriptState) throws(ScriptFailure) {
        compiled = try state.compile(program.source)
        (name, tables, self.state) = (program.source.name, program.tables, state)
    }

    /// The effect of a step, or why it has none; `place` is where the step was made, as `in a reply`.
    func effect(of step: ScriptStep, _ place: String) -> Result<Effect.Action, ScriptFailure> {
        Result { () throws(ScriptFailure) in
            if let action = try tables.action(of: step) { return action }
            throw ScriptFailure("the step has no meaning \(place)")
        }
    }
}
