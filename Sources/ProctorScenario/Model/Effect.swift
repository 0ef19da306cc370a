package import ProctorBase

/// An action at a position of a reply, just before the byte of that position.
package struct Effect: Sendable {
    /// The action happens just before its first byte.
    package let position: Position
    package let action: Action
    package let location: SourceLocation

    /// Bytes count from 0.
    package enum Position: Sendable, Equatable {
        /// Byte N of the status line and fields; `head` means `head 0`.
        case head(Int)
        /// Byte N of the content, as coded.
        case body(Int)
        /// Byte N of the body as framed, with chunk heads.
        case wire(Int)
        /// Before frame N of the reply, over HTTP/2: 0 is the first HEADERS, an interim one too.
        case frame(Int)
        /// After the last byte of the reply.
        case end
    }

    /// What can be done to a connection while a reply is sent.
    package enum Action: Sendable {
        case wait(Duration)
        /// A time of the range, by the seed of the run.
        case waitBetween(ClosedRange<Duration>, RandomPlace)
        /// Sends everything, then FIN; `abrupt` does not wait for the peer.
        ///
        /// With TLS, `notify` sends close_notify before FIN (RFC 8446 §6.1).
        case close(abrupt: Bool, notify: Bool)
        /// RST.
        ///
        /// Unless `abrupt`, waits (bounded) until the peer has received everything.
        case reset(abrupt: Bool)
        /// FIN, while reading goes on.
        case halfClose
        /// Neither sends nor reads until the peer closes or the run's bound is reached.
        case stall
        case send(ByteSource)
        /// Waits (bounded) until the client has reported the event.
        case await(SyncPoint)
        /// A fatal alert of TLS (RFC 8446 §6), then the connection is closed.
        case alert(UInt8)
        /// Half of the next record, then the connection is closed.
        case truncateRecord
        /// Changes the last byte of the next record, so that it can't be authenticated.
        case badMAC
        /// Over HTTP/2 alone.
        case frames(FrameAction)
    }

    /// The word with which fixtures and journals begin an action.
    package enum Verb: String, Sendable {
        case wait, close, reset, stall, send, await, alert
        case halfClose = "half-close"
        case truncateRecord = "truncate-record"
        case badMAC = "bad-mac"
        case goaway, rst, settings, ping, window, frame, push, pad, continuation

        /// Whether nothing of the reply arrives behind it, or nothing that is whole; `goaway` needs its details.
        fileprivate var cutsReply: Bool {
            switch self {
            case .close, .reset, .halfClose, .stall, .alert, .truncateRecord, .badMAC, .rst: true
            case .wait, .send, .await, .goaway, .settings, .ping, .window, .frame, .push, .pad, .continuation: false
            }
        }

        /// The same of an action as a journal has it, in a reply on this stream of HTTP/2; nil where its verb is unknown.
        package static func cutsReply(_ text: String, on stream: UInt32?) -> Bool? {
            let words = text.split(separator: " ")
            guard let word = words.first, let verb = Verb(rawValue: String(word)) else { return nil }
            guard verb == .goaway, words.count > 3, words[words.count - 2] == "last", let last = words.last else {
                return verb.cutsReply
            }
            // A GOAWAY below the stream says that its request is not answered (RFC 9113 §6.8).
            return last == "before" || UInt32(last).map { $0 < stream ?? 0 } ?? false
        }
    }
}

extension Effect.Action {
    /// Whether nothing of the reply arrives behind it, or nothing that is whole.
    package var cutsReply: Bool {
        if case .frames(let action) = self { action.endsTheReply } else { verb.cutsReply }
    }

    /// What is done, without the details.
    package var verb: Effect.Verb {
        switch self {
        case .wait, .waitBetween: .wait
        case .close: .close
        case .reset: .reset
        case .halfClose: .halfClose
        case .stall: .stall
        case .send: .send
        case .await: .await
        case .alert: .alert
        case .truncateRecord: .truncateRecord
        case .badMAC: .badMAC
        case .frames(let action): action.verb
        }
    }

    /// How long, at most, the server holds a reply back by itself and then goes on; nil where it does not.
    var heldTime: Duration? {
        switch self {
        case .wait(let time): time
        case .waitBetween(let range, _): range.upperBound
        case .close, .reset, .halfClose, .stall, .send, .await, .alert, .truncateRecord, .badMAC, .frames: nil
        }
    }
}

/// An event that the client must report before the reply continues.
package struct SyncPoint: Sendable, Equatable {
    /// The neutral name, such as `response` or `data`.
    package let event: String
    /// 0-based; nil: of any task.
    package internal(set) var task: Int?
    /// How many such events, 1 or more.
    package internal(set) var count = 1
    /// The longest wait; nil: the server's bound.
    package internal(set) var limit: Duration?
}
