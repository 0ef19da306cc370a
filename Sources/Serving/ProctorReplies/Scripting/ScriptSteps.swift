internal import ProctorJournal
package import ProctorScenario

/// What a script makes of a request.
package enum ScriptedReply {
    /// A plain reply.
    case short(ShortReply)
    /// No reply follows what the steps have sent.
    case nothing
    /// A table that is planned as a reply of the fixture is.
    indirect case reply(Reply)
    /// The script waits until the step is done.
    indirect case step(ReplyStep, any ReplyCall)
    /// With file and line.
    case failure(String)
}

/// What a script that is a turn of a WebSocket has come to.
package enum ScriptedTurn {
    case over
    /// The script waits until the step is done.
    indirect case step(TurnStep, any TurnCall)
    /// With file and line.
    case failure(String)
}

/// A call of a script that waits for a step; on its loop's thread only.
package protocol WaitingCall: AnyObject {
    /// Frees what a call has that is not resumed; no effect behind its end.
    func abandon()
}

/// A call of a script that makes a reply.
package protocol ReplyCall: WaitingCall {
    /// Goes on behind the step.
    func resume(with result: StepResult) -> ScriptedReply
}

/// A call of a script that is a turn of a WebSocket.
package protocol TurnCall: WaitingCall {
    /// Goes on behind the step.
    func resume(with result: StepResult) -> ScriptedTurn

    /// Lets the bounds of one call begin anew, for a script that has received a message: it is answered as a request is.
    func beginPart()

    /// The next message of another script; nil where none waits.
    func takeArrival() -> StepResult?
}

/// A step of a script that makes a reply.
package enum ReplyStep {
    /// Its result is whether the client may still get it, where the script outlives its client.
    case effect(Effect.Action)
    /// Reads at most so many further bytes of the request's content; the result is these, or nothing at the end.
    case read(Int)
    /// Others have their turn.
    case pause

    /// What the step returns where the client has left; nil: such a step ends the script.
    package var resultAfterEnd: StepResult? {
        if case .effect(let action) = self, action.outlivesClient { .flag(false) } else { nil }
    }
}

/// A step of a script that is a turn of a WebSocket.
package enum TurnStep {
    /// Its result is whether the client may still get the message.
    case send(TurnMessage)
    /// Sends a Close with this code, or without any.
    case close(code: UInt16?, reason: [UInt8])
    /// Waits for a message of the client or of another script; nil: as long as the server lets a client be silent.
    case receive(within: Duration?)
    case wait(Duration)
    case effect(Effect.Action)
    /// Others have their turn.
    case pause

    /// What the step returns where the client has left; nil: such a step ends the script.
    package var resultAfterEnd: StepResult? {
        switch self {
        case .pause: nil
        case .send, .wait: .flag(false)
        case .close: .nothing
        case .receive: .noMessage(.left)
        case .effect(let action): action.outlivesClient ? .flag(false) : nil
        }
    }
}

extension Effect.Action {
    /// Whether a script that plays it goes on where the client has left, and learns so by what the step returns.
    package var outlivesClient: Bool { row.ends != .connection }
}

/// A message that a script sends or receives.
package struct TurnMessage: Sendable {
    /// The raw values are the words of scripts.
    package enum Kind: String, Sendable {
        case text, binary, ping, pong
    }

    package let kind: Kind
    package let content: [UInt8]

    package init(_ kind: Kind, _ content: [UInt8]) { (self.kind, self.content) = (kind, content) }
}

/// What a step returns to its script.
package enum StepResult: Sendable {
    case nothing
    case flag(Bool)
    /// Content of the request.
    case bytes([UInt8])
    /// `channel` is nil for a message of the client.
    case message(TurnMessage, channel: [UInt8]?)
    /// `closeCode` is that of a Close.
    case noMessage(Lack, closeCode: UInt16? = nil)

    /// Why there is no message.
    package enum Lack: String, Sendable {
        case close, timeout, left
    }

    /// So many steps may follow the end of the client, for a script that does not look at what they return.
    package static let countAfterEnd = 100
}
