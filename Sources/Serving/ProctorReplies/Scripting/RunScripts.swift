package import ProctorJournal
package import ProctorScenario

/// The scripts of one run, as the module that runs them hands them over; safe from any thread.
package protocol RunScripts: AnyObject, Sendable {
    /// Returns the scripts of one loop, on its thread.
    ///
    /// Throws where a library fails, or a script can't be compiled within the bounds.
    ///
    /// `willLoad` is called before anything is compiled or loaded.
    func scripts(on loop: AnyObject, willLoad: () -> Void) throws(ScriptFault) -> any LoopScripts

    /// Makes the next call begin with nothing of the calls before; those that wait go on.
    func reset()
}

/// The scripts of one run on one loop; on that loop's thread only.
package protocol LoopScripts: AnyObject {
    /// Runs a script to its reply or its first step.
    func reply(by script: ReplyScript, _ request: consuming ScriptRequest) -> ScriptedReply

    /// Whether the script of an exchange takes the request.
    func isWanted(by script: FixtureScript, _ request: consuming ScriptRequest) -> Result<Bool, ScriptFault>

    /// Runs a script that is a turn of a WebSocket to its end or its first step.
    ///
    /// `wake` is called from any thread when a message of another script has come.
    func turn(
        by script: ReplyScript, _ request: consuming ScriptRequest, wake: @escaping @Sendable () -> Void
    ) -> ScriptedTurn
}

/// What a module plays as a reply by itself, in the place of a script's text.
package protocol ReplyProgram: AnyObject, Sendable {
    /// Runs to the reply or to the first step; on the thread of the request's loop.
    func reply(to request: consuming ScriptRequest) -> ScriptedReply
}

extension Stage {
    /// The place of what runs scripts; looked up once for a run.
    package static let scriptSlot = PartSlot<@Sendable (Scenario) -> any RunScripts>("the part for scripts")

    /// The script that makes a reply; nil for a reply of the fixture, and for one that a script has made.
    package func script(of part: PlayedPart) -> ReplyScript? {
        guard compiled.hasScripts, !part.isScripted, case .turn(let turn) = part.reply else { return nil }
        return compiled.replyScripts[compiled.firstReplyNumber[part.exchange] + turn]
    }
}

/// What a script is asked about.
package struct ScriptRequest {
    package let stage: Stage
    package let view: RequestView
    package let exchange: CompiledExchange
    package let numbers: RequestNumbers
    package let memory: ConnectionMemory?
    /// nil while an exchange is chosen, when nothing can be changed.
    package let log: RequestLog?
    /// Whether a reply may be bytes as they are, with no field of a guard, no cuts and no frames.
    package let takesShortReplies: Bool

    package init(
        _ stage: Stage, _ view: RequestView, exchange: Int, _ numbers: RequestNumbers, memory: ConnectionMemory?,
        log: RequestLog?, takesShortReplies: Bool = false
    ) {
        (self.stage, self.view, self.exchange) = (stage, view, stage.compiled.exchanges[exchange])
        (self.numbers, self.memory, self.log) = (numbers, memory, log)
        self.takesShortReplies = takesShortReplies
    }
}

/// An error of a script, a bound that it reached, or a value that it must not return.
package struct ScriptFault: Error, Sendable {
    /// With file and line where they are known: `reply.lua:3: attempt to index a nil value`.
    package let message: String

    package init(_ message: String) { self.message = message }
}
