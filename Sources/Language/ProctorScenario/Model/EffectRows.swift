import ProctorBase
import ProctorDocument
package import ProctorHTTP
package import ProctorJournal
import ProctorTLSWire

// Every effect: its action and its row. The facts of its verb are in EffectVerb.swift, its text form in
// EffectForms.swift.

extension Effect {
    /// What can be done to a connection while a reply is sent.
    package enum Action: Sendable {
        case wait(Duration)
        /// A wait whose duration is drawn by the seed of the run.
        case waitRandom(RandomTime, RandomPlace)
        /// Sends everything, then FIN; when `abrupt`, does not wait until the peer has received it.
        ///
        /// With TLS, `notify` sends close_notify before FIN (RFC 8446 §6.1).
        case close(abrupt: Bool, notify: Bool)
        /// Sends RST.
        ///
        /// Unless `abrupt`, first waits, for a bounded time, until the peer has received everything.
        case reset(abrupt: Bool)
        /// Sends FIN and continues to read.
        case halfClose
        /// Neither sends nor reads until the peer closes the connection or the run's time limit is reached.
        case stall
        case send(ByteSource)
        /// Waits, for a bounded time, until the client has reported the event.
        case await(SyncPoint)
        /// Changes the clock of the run.
        case clock(ClockChange)
        /// Sends a fatal TLS alert (RFC 8446 §6), then closes the connection.
        case alert(UInt8)
        /// Sends half of the next TLS record, then closes the connection.
        case truncateRecord
        /// Changes the last byte of the next TLS record, so that its authentication fails.
        case badMAC
        /// Sends KeyUpdate (RFC 8446 §4.6.3), behind which this side's records have new keys; `both` asks the client for its own.
        case keyUpdate(both: Bool)
        /// An action with frames, over HTTP/2 and HTTP/3 only.
        case frames(FrameAction)
    }
}

/// What an effect does with frames on a connection of HTTP/2 (RFC 9113 §6) or HTTP/3 (RFC 9114 §7, RFC 9000 §19).
package enum FrameAction: Sendable {
    /// A GOAWAY: streams above the last one are not answered, and the connection ends after the others (§6.8).
    case goAway(ErrorCode, last: LastStream)
    /// Ends the stream of the reply with RST_STREAM (§6.4), or over HTTP/3 a stream of the server with RESET_STREAM (RFC 9000
    /// §19.4).
    case resetStream(EndCode, on: FrameTemplate.Stream)
    /// Over HTTP/3: STOP_SENDING for the client's half of a stream (RFC 9000 §19.5).
    case stopSending(EndCode, on: FrameTemplate.Stream)
    /// Over HTTP/3: CONNECTION_CLOSE with a code of HTTP/3, or of the transport (RFC 9000 §19.19).
    case closeConnection(EndCode, isOfTransport: Bool)
    /// Over HTTP/3: bytes on a unidirectional stream of the server.
    case bytes(StreamBytes)
    /// A SETTINGS frame, whose parameters apply from then on (§6.5).
    case settings([Setting])
    /// A PING that requires an acknowledgement (§6.7).
    case ping
    /// A WINDOW_UPDATE for the reply's stream or for the connection (§6.9).
    case window(increment: UInt32, isOfConnection: Bool)
    /// Any frame, valid or not.
    case frame(FrameTemplate)
    /// Promises a request and sends its response, unless the client has disabled push (§8.4).
    case push(PushedRequest)
    /// From then on, the reply's DATA and HEADERS have this many bytes of padding (§6.1).
    case pad(UInt8)
    /// From then on, the reply's field blocks are sent in frames of at most this many bytes (§6.10).
    case continuation(byteCount: Int)
}

/// The properties of an effect that are known before it is played.
package struct EffectRow: Sendable {
    package let verb: EffectVerb
    package let ends: EffectEnd
    /// Whether the effect needs the stream of a reply, so that it can't be played on a connection before a request.
    let needsStream: Bool
    /// The most time for which the server delays a reply by itself and then continues; nil: it does not.
    package let delay: Duration?
    private let makeDetails: @Sendable () -> String

    fileprivate init(
        _ verb: EffectVerb, _ details: @autoclosure @escaping @Sendable () -> String = "", ends: EffectEnd? = nil,
        needsStream: Bool = false, delay: Duration? = nil
    ) {
        self.verb = verb
        self.ends = ends ?? verb.facts.ends
        (self.needsStream, self.delay) = (needsStream, delay)
        makeDetails = details
    }

    package var layer: EffectVerb.Layer { verb.facts.layer }

    /// Whether no other effect can follow this one.
    package var isLast: Bool { ends.cutsReply() && !verb.facts.isFollowed }

    /// Whether the effect only takes time: it sends nothing and ends nothing.
    package var onlyWaits: Bool { layer == .time && ends == .nothing }

    /// Why the effect can't be played on a connection before a request; nil when it can.
    package func fault(at position: ConnectionEffect.Position) -> (sentence: String, hint: String)? {
        switch (layer, position) {
        case (.http3, _):
            return ("\(quoted(verb.rawValue)) has its place in a reply", "put it under effects: of a reply")
        case (.http2, .preface), (.frames, .preface):
            guard needsStream else { return nil }
            return (
                "\(quoted(verb.rawValue)) is about the stream of a reply, and here is none",
                "put it under effects: of a reply"
            )
        case (.http2, _), (.frames, _):
            return ("frames of HTTP/2 have their place at preface, or in a reply", "write at: preface")
        case (.tls, .handshake) where verb == .keyUpdate:
            return (
                "\(quoted(verb.rawValue)) changes the keys of records behind the handshake",
                "put it under effects: of a reply"
            )
        case (.tls, .handshake), (.time, _), (.bytes, _), (.connection, _): return nil
        case (.tls, _):
            return (
                "\(quoted(verb.rawValue)) has its place at handshake, or in a reply",
                "write at: handshake, or put it under effects: of a reply"
            )
        }
    }

    /// The effect as a fixture writes it, with times in seconds.
    package var text: String { played(at: "").action }

    /// The effect for a journal; `position` as a fixture writes it.
    package func played(at position: String, remark: String = "") -> PlayedEffect {
        PlayedEffect(verb, makeDetails() + remark, ends: ends, at: position)
    }
}

extension Effect.Action {
    package var verb: EffectVerb { row.verb }

    /// Whether it can end a connection at any time.
    package var canEndByTime: Bool {
        switch self {
        case .close, .reset: true
        default: false
        }
    }

    package var row: EffectRow {
        switch self {
        case .wait(let time): EffectRow(.wait, "\(time)", delay: time)
        case .waitRandom(let time, _): EffectRow(.wait, time.text, delay: time.most)
        case .close(let abrupt, let notify):
            EffectRow(.close, [abrupt ? "abrupt" : "", notify ? "" : "without notify"].words)
        case .reset(let abrupt): EffectRow(.reset, abrupt ? "abrupt" : "")
        case .halfClose: EffectRow(.halfClose)
        case .stall: EffectRow(.stall)
        case .send(let source): EffectRow(.send, "\(source.byteCount ?? 0) bytes")
        case .await(let point): EffectRow(.await, point.event)
        case .clock(let change): EffectRow(.clock, change.text)
        case .alert(let number): EffectRow(.alert, "\(number)")
        case .truncateRecord: EffectRow(.truncateRecord)
        case .badMAC: EffectRow(.badMAC)
        case .keyUpdate(let both): EffectRow(.keyUpdate, both ? "both" : "ours")
        case .frames(.goAway(let code, let last)):
            EffectRow(
                .goaway, "\(code)\(last == .highest ? "" : " last \(last.text)")",
                ends: EffectEnd(goAwayLast: last.text), needsStream: last == .this || last == .before)
        case .frames(.resetStream(let code, let stream)):
            EffectRow(
                .rst, ["\(code)", stream == .this ? "" : stream.text].words, ends: stream == .this ? nil : .nothing,
                needsStream: true)
        case .frames(.stopSending(let code, let stream)):
            EffectRow(.stop, ["\(code)", stream == .this ? "" : stream.text].words)
        case .frames(.closeConnection(let code, let isOfTransport)):
            EffectRow(.connectionClose, [isOfTransport ? "transport" : "", "\(code)"].words)
        case .frames(.bytes(let bytes)): EffectRow(.stream, bytes.text)
        case .frames(.settings(let settings)):
            EffectRow(
                .settings, settings.map { "\($0.identifier.fixtureName) \($0.value)" }.joined(separator: ", "))
        case .frames(.ping): EffectRow(.ping)
        case .frames(.window(let increment, let isOfConnection)):
            EffectRow(
                .window, ["\(increment)", isOfConnection ? "connection" : ""].words, needsStream: !isOfConnection)
        case .frames(.frame(let frame)): EffectRow(.frame, frame.type.text, needsStream: frame.stream == .this)
        case .frames(.push(let request)): EffectRow(.push, request.text, needsStream: true)
        case .frames(.pad(let byteCount)): EffectRow(.pad, "\(byteCount)", needsStream: true)
        case .frames(.continuation(let byteCount)): EffectRow(.continuation, "\(byteCount)", needsStream: true)
        }
    }

    /// A copy of the action, with the values that are known when it is played.
    package func bound(by binder: inout some LateBinding) -> Effect.Action {
        switch self {
        case .send(let source): .send(binder.bound(source))
        case .waitRandom(let time, let place): .wait(binder.time(time, place))
        case .frames(.frame(let frame)): .frames(.frame(frame.with { binder.bound($0) }))
        case .frames(.push(let request)): .frames(.push(request.with(binder.bound(request.fields))))
        default: self
        }
    }

    /// A copy of the action with keys that stand beside `do:`; nil when the action has no `abrupt`.
    package func with(abrupt: Bool, notify: Bool) -> Effect.Action? {
        switch self {
        case .close: .close(abrupt: abrupt, notify: notify)
        case .reset: .reset(abrupt: abrupt)
        default: nil
        }
    }
}

extension [String] {
    /// The texts that are not empty, separated by spaces.
    fileprivate var words: String { filter { !$0.isEmpty }.joined(separator: " ") }
}

/// Supplies the values that an effect takes from the request and from the seed of the run.
package protocol LateBinding {
    mutating func bound(_ source: ByteSource) -> ByteSource
    mutating func bound(_ fields: [ReplyField]) -> [ReplyField]
    mutating func time(_ time: RandomTime, _ place: RandomPlace) -> Duration
}
