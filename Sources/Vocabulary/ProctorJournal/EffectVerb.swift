/// The word with which fixtures and journals begin an effect, in the order of Docs/format/effects.md.
package enum EffectVerb: String, Sendable, CaseIterable {
    case wait, close, reset
    case halfClose = "half-close"
    case stall, send, await, clock, alert
    case truncateRecord = "truncate-record"
    case badMAC = "bad-mac"
    case keyUpdate = "key-update"
    case goaway, rst, stop
    case connectionClose = "connection-close"
    case stream, ping, window, frame, settings, push, pad, continuation
    /// Reads content of the request; a step of scripts alone.
    case read
}

/// What an effect ends, at once or with what is sent behind it.
package enum EffectEnd: Sendable, Hashable {
    /// Nothing: the reply goes on.
    case nothing
    /// The reply: nothing more of it is sent, and the connection stays open.
    case reply
    /// The stream of the reply.
    case stream
    /// Every stream with a higher number: the server processes no request of these (RFC 9113 §6.8).
    case streams(above: UInt32)
    /// The connection, or the direction of it that carries the reply.
    case connection
    /// Possibly the reply: a later version of Proctor wrote the word.
    case unknown

    /// Whether nothing of a reply arrives behind it, or nothing that is complete; `stream` is nil over HTTP/1.1.
    package func cutsReply(on stream: UInt32? = nil) -> Bool {
        switch self {
        case .nothing: false
        case .streams(let number): number < stream ?? 0
        case .reply, .stream, .connection, .unknown: true
        }
    }

    /// What a GOAWAY ends, by the word of a fixture or a journal for its last stream.
    ///
    /// The word `before` means the stream below the reply's.
    package init(goAwayLast word: some StringProtocol) {
        self = word == "before" ? .stream : UInt32(word).map { .streams(above: $0) } ?? .nothing
    }
}

extension EffectVerb {
    /// What is the same for all effects of a verb.
    package struct Facts: Sendable {
        package let layer: Layer
        /// GOAWAY alone needs its details for this.
        package internal(set) var ends = EffectEnd.nothing
        /// Whether other effects can follow one that ends something: it leaves a direction open, or spoils what is sent
        /// next.
        package internal(set) var isFollowed = false
        /// Whether it sends what the fixture spells, which may be a reply without an entry of its own.
        package internal(set) var spellsReply = false
        /// What it ends of a stream of HTTP/2 or HTTP/3 that carries no HTTP any more; nil: what it ends elsewhere.
        package internal(set) var endsStream: StreamEnd?
        /// Whether scripts have a function of its name, with `_` for `-`, that takes nothing but `{ abrupt = true }`.
        package internal(set) var isFunction = false
    }

    /// How a server ends a stream.
    package enum StreamEnd: Sendable {
        /// Sends no more, by END_STREAM or FIN.
        case sending
        /// Sends no more, by END_STREAM or FIN, and reads no more.
        case both
        /// Resets the stream by RST_STREAM or RESET_STREAM.
        case reset
    }

    /// What an effect works on.
    package enum Layer: Sendable {
        /// The time at which the reply goes on.
        case time
        /// Bytes of the stream, whatever the protocol.
        case bytes
        case connection
        /// Records, where TLS is spoken.
        case tls
        /// Frames, where HTTP/2 or HTTP/3 is spoken.
        case frames
        /// Frames, where HTTP/2 is spoken.
        case http2
        /// Streams of QUIC, where HTTP/3 is spoken.
        case http3
    }

    /// The functions of scripts that play an effect with nothing but `{ abrupt = true }`.
    package static let functions = allCases.filter(\.facts.isFunction).map { verb in
        verb.rawValue.split(separator: "-").joined(separator: "_")
    }

    package var facts: Facts {
        switch self {
        case .wait, .await, .clock, .read: Facts(layer: .time)
        case .stall: Facts(layer: .time, ends: .reply, isFunction: true)
        case .close: Facts(layer: .connection, ends: .connection, endsStream: .both)
        case .reset: Facts(layer: .connection, ends: .connection, endsStream: .reset, isFunction: true)
        case .halfClose:
            Facts(layer: .connection, ends: .connection, isFollowed: true, endsStream: .sending, isFunction: true)
        case .send: Facts(layer: .bytes, spellsReply: true)
        case .alert: Facts(layer: .tls, ends: .connection)
        case .truncateRecord, .badMAC: Facts(layer: .tls, ends: .connection, isFollowed: true)
        case .keyUpdate: Facts(layer: .tls)
        case .rst: Facts(layer: .frames, ends: .stream)
        case .frame: Facts(layer: .frames, spellsReply: true)
        case .goaway: Facts(layer: .frames)
        case .ping, .window, .settings, .push, .pad, .continuation: Facts(layer: .http2)
        case .stop, .stream: Facts(layer: .http3)
        case .connectionClose: Facts(layer: .http3, ends: .connection)
        }
    }
}

/// An effect that was played: `wait 0.05 seconds` at `body 4096`.
public struct PlayedEffect: Sendable, Equatable {
    /// Nil for a word that this version does not know.
    package let verb: EffectVerb?
    /// What stands behind the verb in the words of a fixture, with times in seconds; of an unknown word, all of it.
    package let details: String
    /// What it ends; of a GOAWAY by its details.
    package let ends: EffectEnd
    /// Where, in the words of a fixture.
    package let position: String

    package init(_ verb: EffectVerb, _ details: String = "", ends: EffectEnd? = nil, at position: String) {
        (self.verb, self.details) = (verb, details)
        self.ends = ends ?? verb.facts.ends
        self.position = position
    }

    /// Reads the words of a journal.
    package init(action: String, at position: String) {
        self.position = position
        guard let verb = EffectVerb(rawValue: String(action.prefix { $0 != " " })) else {
            (verb, details, ends) = (nil, action, .unknown)
            return
        }
        self.verb = verb
        details = String(action.dropFirst(verb.rawValue.count + 1))
        let words = details.split(separator: " ")
        let isLimited = verb == .goaway && words.count > 2 && words[words.count - 2] == "last"
        ends = isLimited ? EffectEnd(goAwayLast: words[words.count - 1]) : verb.facts.ends
    }

    /// The effect in the words of a fixture, with times in seconds.
    package var action: String {
        guard let verb else { return details }
        return details.isEmpty ? verb.rawValue : "\(verb.rawValue) \(details)"
    }
}

extension PlayedEffect: CustomStringConvertible {
    /// The effect and its position.
    public var description: String { "\(action) at \(position)" }
}
