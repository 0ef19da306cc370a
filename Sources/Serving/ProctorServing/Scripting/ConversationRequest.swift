internal import ProctorJournal
package import ProctorReplies

/// The request that opened a conversation, as scripts among its turns see it; on the loop's thread only.
package final class ConversationRequest {
    package let wire: any ConversationWire
    package let stage: Stage
    private let view: RequestView
    private let exchange: Int
    private let numbers: RequestNumbers
    private let memory: ConnectionMemory?
    private let log: RequestLog

    init(_ request: StageRequest<some Wire>, _ view: RequestView, _ exchange: Int) {
        (wire, stage, numbers) = (request.wire, request.stage, request.numbers)
        (memory, log) = (request.memory, request.log)
        (self.view, self.exchange) = (view, exchange)
    }

    /// Lets the watch of the loop know for which request the thread works; anew behind each wait.
    package func noteWork() {
        wire.noteWork(view.head, log.journal, connection: log.connection, request: log.request)
    }

    /// Lets the watch of the loop know that a script runs, or that the libraries are loaded.
    package func noteScript() { wire.noteStep(.script, exchange: exchange) }
    package func noteLibraries() { wire.noteStep(.libraries) }

    /// What the scripts are asked with.
    package var scriptRequest: ScriptRequest {
        ScriptRequest(stage, view, exchange: exchange, numbers, memory: memory, log: log)
    }
}
