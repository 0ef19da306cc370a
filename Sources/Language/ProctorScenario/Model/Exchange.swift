package import ProctorBase
package import ProctorRegex

/// One expected request, with its reply or with several replies in turn.
package struct Exchange: Sendable {
    package let index: Int
    /// Index into the scenario's origins.
    package let origin: Int
    package let request: RequestPattern
    /// The replies in turn, the last one repeated; never empty.
    ///
    /// Replies of which one is drawn at random are adjacent.
    package let replies: [Reply]
    /// For each turn, the replies of which one is drawn at random; empty when each reply is a turn.
    package let draws: [ReplyDraw]
    /// The conditions on the state, all of which must hold for the exchange to answer.
    package let when: [StateCondition]
    /// The most uses of the exchange; nil: no limit.
    package let times: Int?
    /// The number of uses that the exchange requires; nil: one use is expected unless ``isOptional``.
    package let leastTimes: Int?
    /// Whether the run may end without a use of the exchange.
    package let isOptional: Bool
    /// How much of a request body is read before the reply; `all` by default.
    package let reads: ReadPolicy
    /// The answer to `Expect: 100-continue`; `continue` by default.
    package let expectation: ExpectationPolicy
    /// What advances to the next reply of several.
    package let turns: TurnPolicy
    /// Exchanges with the same number, from 0, share their turns; nil: the exchange has its own turns.
    package let turnGroup: Int?
    /// Indexes of the scenario's guards, which judge a request in this order before the reply; a refused request uses
    /// no turn.
    package let guards: [Int]
    package let location: SourceLocation
    /// The mistake that a request has made which this exchange answers; nil: none.
    package var mistake: Mistake? = nil
    /// What follows the last of several replies; nil: the last one stays in a run, and the first follows at the shared port.
    package var after: AfterPolicy? = nil
    /// What is sent to the client's listener behind each reply; nil: nothing.
    package var webhooks: (any WebhookProgram)? = nil

    package init(
        index: Int, origin: Int, request: RequestPattern, replies: [Reply], draws: [ReplyDraw], when: [StateCondition],
        times: Int?, leastTimes: Int?, isOptional: Bool, reads: ReadPolicy, expectation: ExpectationPolicy,
        turns: TurnPolicy, turnGroup: Int?, guards: [Int], location: SourceLocation
    ) {
        (self.index, self.origin, self.request, self.replies, self.draws) = (index, origin, request, replies, draws)
        (self.when, self.times, self.leastTimes, self.isOptional) = (when, times, leastTimes, isOptional)
        (self.reads, self.expectation, self.turns, self.turnGroup) = (reads, expectation, turns, turnGroup)
        (self.guards, self.location) = (guards, location)
    }

    /// What is wrong with every request that the exchange answers (`catches:`).
    package struct Mistake: Sendable, Equatable {
        /// What the request did wrong, a clause: `the body was not sent again`.
        package let sentence: String
        /// The names of the cases that the mistake does not fail.
        package let exceptions: [String]

        package init(_ sentence: String, except exceptions: [String] = []) {
            (self.sentence, self.exceptions) = (sentence, exceptions)
        }
    }

    /// The fewest and most uses that `times` sets; nil: no bound.
    package struct Times: Sendable {
        package let most: Int?
        package let least: Int?

        package init(most: Int?, least: Int?) {
            (self.most, self.least) = (most, least)
        }
    }

    /// What advances to the next of several replies.
    package enum TurnPolicy: String, Sendable, CaseIterable {
        /// Each answered request uses a turn.
        case request
        /// Each connection uses a turn; all requests of a connection get the same reply.
        case connection
    }

    /// What follows the last of several replies.
    package enum AfterPolicy: String, Sendable, CaseIterable {
        /// The last reply stays.
        case last
        /// The first one again, and so on.
        case again
    }

    /// How much of a request body is read before the reply starts.
    package enum ReadPolicy: Sendable, Equatable {
        case all
        case none
        /// At most this many bytes of content; the rest is read after the reply has been sent.
        case bytes(Int)
        /// All, in portions at an interval, so that the peer's window stays closed between them.
        case paced(byteCount: Int, interval: Duration)
    }

    /// The answer to `Expect: 100-continue` (RFC 9110 §10.1.1).
    package enum ExpectationPolicy: String, Sendable, CaseIterable {
        /// Sends 100 (Continue) before the body is read.
        case `continue`
        /// Sends nothing; the client decides when to send its content.
        case ignore
        /// Sends the final reply without reading content; the next bytes are the next request.
        case final
    }
}

package struct RequestPattern: Sendable {
    /// The pattern as the file has it, `GET|HEAD /a/{id}`, for messages.
    package let text: String
    /// The methods, case-sensitive (RFC 9110 §9.1); nil: any method.
    package let methods: [[UInt8]]?
    /// The pattern for the request-target as it arrived.
    package let target: BytePattern
    /// The `name=value` pairs of the query in any order; nil: `target` matches the query too.
    ///
    /// With pairs, `target` matches the path only.
    package let query: [QueryItem]?
    /// Conditions on fields, all of which must hold.
    package let headers: [HeaderCondition]
    /// The pattern for the content; nil: any content.
    package let body: BodyPattern?
    /// The value of `:protocol` of an extended CONNECT (RFC 8441 §4); nil: any request except an extended CONNECT.
    package var protocolName: [UInt8]? = nil
    /// An expression that the target must match, or the path when there is a `query`; `target` is then `*`.
    package var expression: RegularExpression? = nil
    /// Further conditions; nil: none.
    package var more: MoreConditions? = nil
    /// A script that is called when everything else matches; nil: none.
    package var script: FixtureScript? = nil

    package init(
        text: String, methods: [[UInt8]]?, target: BytePattern, query: [QueryItem]?, headers: [HeaderCondition],
        body: BodyPattern?, protocolName: [UInt8]? = nil, expression: RegularExpression? = nil,
        more: MoreConditions? = nil, script: FixtureScript? = nil
    ) {
        (self.text, self.methods, self.target, self.query, self.headers) = (text, methods, target, query, headers)
        (self.body, self.protocolName, self.expression, self.more) = (body, protocolName, expression, more)
        self.script = script
    }

    package struct QueryItem: Sendable, Equatable {
        /// The name, decoded as in a form unless `isRaw`.
        package let name: [UInt8]
        /// The condition on the value, decoded in the same way.
        package let value: ValueCondition
        /// Whether name and value are compared as they stand in the query; all items of a query have the same.
        package let isRaw: Bool

        package init(name: [UInt8], value: ValueCondition, isRaw: Bool = false) {
            (self.name, self.value, self.isRaw) = (name, value, isRaw)
        }
    }

    /// A condition on one field.
    package struct HeaderCondition: Sendable {
        /// The field name; compared without regard to case.
        package let name: String
        /// The condition, which at least one field line must meet.
        package let value: ValueCondition

        package init(name: String, value: ValueCondition) {
            (self.name, self.value) = (name, value)
        }
    }
}

package enum BodyPattern: Sendable {
    case exact(ByteSource)
    /// A form in application/x-www-form-urlencoded with exactly these decoded pairs, in any order (WHATWG URL §5.1).
    case form([RequestPattern.QueryItem])
    /// multipart/form-data with exactly these parts, in this order (RFC 7578).
    case parts([PartPattern])
    /// An expression that matches the whole content.
    case matches(RegularExpression)
    /// Bytes that the content contains; never empty.
    case contains([UInt8])
    case json(JSONPattern)
    /// What a module above judges: a schema of JSON, XML, or what queries find.
    case condition(any ContentCondition)
    /// A condition on the bytes as they came, where the others are of the content without its codings.
    indirect case coded(BodyPattern)
}

/// The conditions on one part of multipart/form-data.
package struct PartPattern: Sendable {
    /// The `name` in its Content-Disposition.
    package let name: [UInt8]
    /// The `filename` in its Content-Disposition; nil: any or none.
    package var fileName: ValueCondition?
    /// Its Content-Type; nil: any or none.
    package var contentType: ValueCondition?
    /// Its content; nil: any.
    package var body: ByteSource?

    package init(
        name: [UInt8], fileName: ValueCondition? = nil, contentType: ValueCondition? = nil, body: ByteSource? = nil
    ) {
        (self.name, self.fileName, self.contentType, self.body) = (name, fileName, contentType, body)
    }
}

extension Scenario {
    /// The places of the exchanges that are written elsewhere than the scenario, by index: as the stubs of a test.
    package var exchangePlaces: [Int: SourceLocation] {
        let places = exchanges.filter { $0.location.file != location.file }.map { ($0.index, $0.location) }
        return Dictionary(places) { first, _ in first }
    }
}

extension SourceLocation {
    /// `the exchange at test_items.py:7`.
    package var exchangeName: String { "the exchange at \(file):\(line)" }
}
