package import ProctorBase
package import ProctorRegex

/// One expected request and the reply, or the replies in turn.
package struct Exchange: Sendable {
    package let index: Int
    /// Index into the scenario's origins.
    package let origin: Int
    package let request: RequestPattern
    /// In turn, the last one repeats; never empty.
    ///
    /// Those among which one is chosen stand one behind the other.
    package let replies: [Reply]
    /// By turn, the replies among which one is chosen; empty where each reply is a turn.
    package let draws: [ReplyDraw]
    /// What of the state must hold so that the exchange answers; all of it.
    package let when: [StateCondition]
    /// The most uses of the exchange; nil: no limit.
    package let times: Int?
    /// So many uses are demanded; nil: no number is, and one use is expected unless ``isOptional``.
    package let leastTimes: Int?
    /// Whether no request need ask for it.
    package let isOptional: Bool
    /// `all` by default.
    package let reads: ReadPolicy
    /// `continue` by default.
    package let expectation: ExpectationPolicy
    /// What advances to the next reply.
    package let turns: TurnPolicy
    /// Exchanges with one number, from 0, share their turns; nil: its own turns.
    package let turnGroup: Int?
    /// Indexes of the scenario's guards, asked in this order before the reply; a refused request takes no turn.
    package let guards: [Int]
    package let location: SourceLocation

    /// `times` as a fixture writes it; nil: no bound on that side.
    struct Times: Sendable {
        let most: Int?
        let least: Int?
    }

    /// What advances to the next of several replies.
    package enum TurnPolicy: String, Sendable, CaseIterable {
        /// Each answered request.
        case request
        /// Each connection; all requests of one connection get the same reply.
        case connection
    }

    /// How much of a request body is read before the reply starts.
    package enum ReadPolicy: Sendable, Equatable {
        case all
        case none
        /// At most this many bytes of content; the rest is read after the reply.
        case bytes(Int)
        /// All, in portions, so that the peer's window stays closed meanwhile.
        case paced(byteCount: Int, interval: Duration)
    }

    /// What is done about `Expect: 100-continue` (RFC 9110 §10.1.1).
    package enum ExpectationPolicy: String, Sendable, CaseIterable {
        /// Sends 100 (Continue) before the body is read.
        case `continue`
        /// Sends nothing; the client decides.
        case ignore
        /// Sends nothing and reads no content: the reply follows, and the next bytes are the next request.
        case final
    }
}

package struct RequestPattern: Sendable {
    /// As the file has it, `GET|HEAD /a/{id}`, for messages.
    package let text: String
    /// Case-sensitive tokens (RFC 9110 §9.1); nil: any.
    package let methods: [[UInt8]]?
    /// Matched with the request-target as it arrived.
    package let target: BytePattern
    /// The query as `name=value` pairs in any order, with `target` as the path only; nil: `target` has the query too.
    package let query: [QueryItem]?
    /// All of them must hold.
    package let headers: [HeaderCondition]
    /// nil: any.
    package let body: BodyPattern?
    /// Of an extended CONNECT, the value of `:protocol` (RFC 8441 §4); nil: any request but an extended CONNECT.
    package internal(set) var protocolName: [UInt8]? = nil
    /// What the target must match too, or the path where there is a `query`; `target` then is `*`.
    package internal(set) var expression: RegularExpression? = nil
    /// nil: no more.
    package internal(set) var more: MoreConditions? = nil
    /// Asked when everything else matches; nil: none.
    package internal(set) var script: FixtureScript? = nil

    package struct QueryItem: Sendable, Equatable {
        /// Not decoded.
        package let name: [UInt8]
        /// Asked of the value without decoding.
        package let value: ValueCondition
    }

    /// A condition on one field.
    package struct HeaderCondition: Sendable {
        /// Compared without regard to case.
        package let name: String
        /// At least one field line must match.
        package let value: ValueCondition
    }
}

package enum BodyPattern: Sendable {
    case exact(ByteSource)
    /// An application/x-www-form-urlencoded body with exactly these decoded pairs in any order (WHATWG URL §5.1).
    case form([RequestPattern.QueryItem])
    /// multipart/form-data with exactly these parts in this order (RFC 7578).
    case parts([PartPattern])
    /// All of the content matches.
    case matches(RegularExpression)
    /// Somewhere in the content; never empty.
    case contains([UInt8])
    case json(JSONPattern)
}

/// What one part of a multipart/form-data body must be like.
package struct PartPattern: Sendable {
    /// `name` of its Content-Disposition.
    package let name: [UInt8]
    /// `filename` of its Content-Disposition; nil: any or none.
    package internal(set) var fileName: ValueCondition?
    /// Its Content-Type; nil: any or none.
    package internal(set) var contentType: ValueCondition?
    /// Its content; nil: any.
    package internal(set) var body: ByteSource?
}
