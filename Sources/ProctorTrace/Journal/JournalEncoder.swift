import ProctorBase
import ProctorHTTP

/// Journal entries as JSON lines, one complete object and a line feed for each.
///
/// The first line of a file is `{"journal":"proctor","version":1,"clock":"monotonic","unit":"ns"}`. Every other line has
///
/// | key | value |
/// |---|---|
/// | `seq` | counts from 1 in each run |
/// | `ns` | nanoseconds of CLOCK_MONOTONIC |
/// | `scenario`, `run` | where one file holds several runs |
/// | `connection` | 0-based in its run; not there for what came by another way |
/// | `request` | 0-based in its run; not there for what belongs to no request |
/// | `ev` | the event, which says what other keys there are |
///
/// | `ev` | keys |
/// |---|---|
/// | `connectionOpened` | `origin` `peer` `local` |
/// | `clientHello` | `versions` `cipherSuites` `serverName` (where there is one) `applicationProtocols` `extensions` `groups` `byteCount` |
/// | `secured` | `version` `cipherSuite` `group` `applicationProtocol` `serverName` (the three where there are any) `isResumed` `certificate` `clientCertificate` (where one came) |
/// | `handshakeFailed` | `moment` `reason` |
/// | `alert` | `by` `isFatal` `number` `name` |
/// | `requestHead` | `method` `target` `version` `framing` (`none` `length` `chunked`) `contentLength` (with `length`) `fields` (a list of name and value) `bytes` |
/// | `routed` | `origin` `by` (`host` `absolute` `tunnel`) |
/// | `tunnelOpened` | `authority` `origin` `tunnelConnection` (the number by which what comes through it is told; `connection` is where it was asked for) |
/// | `cookiesSet` | `cookies` (objects with `field`, `outcome` and, where the revision differs, `revisedOutcome` (`stored` `replaced` `deleted` `ignored`), `remarks`) |
/// | `cookiesJudged` | `sent` (a list) `expected` (where there is one) `conformsTo` (of `rfc6265` `rfc6265bis`) `differences` (objects with `kind` `name` `sentence` `section`) `otherwise` (where the other edition finds others: `edition` `expected` `differences`) `undecided` (where there are any) |
/// | `requestBody` | `body` `byteCount` `isComplete` `trailers` (a list of raw lines) `chunks` (where there are any: their sizes, the last chunk left out, the first 1,000) `chunkLines` (likewise: a list of raw lines, that of the last chunk too) `isWithheld` (only where it is true) |
/// | `bytesReceived` | `of` (`refused` `unfinished` `behind` `late` `opaque`) `bytes` (the first 64 KiB) `byteCount` |
/// | `bytesExpected` | `how` (`met` `differed` `ended` `timedOut`) `byteCount` `metByteCount` `wanted` (where bytes were named) `got` (both where it was not met) |
/// | `continueSent` | |
/// | `violation` | `kind` `offset` `isFatal` `status` (of a fatal one) `section` `sentence` |
/// | `exchangeChosen` | `exchange` `turn` |
/// | `missed` | `nearestExchange` (where there is one) `differences` |
/// | `guarded` | `guard` `field` `attempt` `scheme` `user` `nonceCount` (the last three where there are any) `outcome` (`admitted` `challenged` `refused` `stale` `continued` `gaveUp`) `faults` `remarks` (lists of objects with `kind` `sentence` `section`) |
/// | `effectPlayed` | `action` `position` |
/// | `slicesKept` | `count` `by` (`queue` `pause`) |
/// | `syncPassed` | `event` `how` (`reached` `timedOut` `unreported`) |
/// | `replyBegun` | `status` `fields` `headByteCount` (not for raw bytes without a head) `content` `codedContent` (where they are known: objects with `byteCount`, `body`, the first 64 KiB, and `sha256` where there are more) |
/// | `replySent` | `status` (not for raw bytes) `byteCount` |
/// | `replyAborted` | `sentByteCount` `reason` |
/// | `connectionClosed` | `by` `how` |
/// | `boundReached` | `of` (`requests` `connections` `refusals`) `count` `guard` `fault` (of refusals, where there are any; the fault is an object as in `guarded`) `text` |
/// | `clientReached` | `event` `task` |
/// | `entriesDropped` | `count`: no entry, but what stands in the place of some |
/// | `linesLost` | `count` `reason`: the same for a file, of whatever journal; nothing else stands on the line |
///
/// Bytes of the peer (`method target bytes body field expected name wanted got`, names and values of fields, trailer lines) are text when they are UTF-8
/// without NUL. Otherwise the key ends in `Base64`, and an element of a list is an object `{"base64": …}`. Keys are
/// only ever added; a change that an old reader would misread raises the version.
public struct JournalEncoder: Sendable {
    /// The `version` of the first line.
    public static let version = 1

    private let scenario: String?
    private let run: String?

    /// Names the run on every line, for files that hold several.
    public init(scenario: String? = nil, run: String? = nil) {
        self.scenario = scenario
        self.run = run
    }

    /// Appends the line that stands first in a file.
    public static func appendHeader(to bytes: inout [UInt8]) {
        var json = JSONText(appendingTo: take(&bytes))
        json.open("{")
        json.member("journal", "proctor")
        json.member("version", version)
        json.member("clock", "monotonic")
        json.member("unit", "ns")
        json.close("}")
        json.lineEnd()
        bytes = json.bytes
    }

    /// Appends one line.
    public func append(_ entry: JournalEntry, to bytes: inout [UInt8]) {
        var json = begin(sequence: entry.sequence, nanoseconds: entry.nanoseconds, appendingTo: &bytes)
        if let connection = entry.connection { json.member("connection", connection) }
        if let request = entry.request { json.member("request", request) }
        Self.append(entry.event, to: &json)
        json.close("}")
        json.lineEnd()
        bytes = json.bytes
    }

    /// What every line begins with; `bytes` are with the text until they are given back.
    func begin(sequence: UInt64, nanoseconds: UInt64, appendingTo bytes: inout [UInt8]) -> JSONText {
        var json = JSONText(appendingTo: Self.take(&bytes))
        json.open("{")
        json.member("seq", sequence)
        json.member("ns", nanoseconds)
        if let scenario { json.member("scenario", scenario) }
        if let run { json.member("run", run) }
        return json
    }

    /// Leaves nothing behind, so that the array is not copied when it grows.
    static func take(_ bytes: inout [UInt8]) -> [UInt8] {
        var taken: [UInt8] = []
        swap(&taken, &bytes)
        return taken
    }

    private static func append(_ event: JournalEvent, to json: inout JSONText) {
        switch event {
        case .connectionOpened(let origin, let peer, let local):
            json.member("ev", "connectionOpened")
            json.member("origin", origin)
            json.member("peer", peer)
            json.member("local", local)
        case .clientHello(let hello): append(hello, to: &json)
        case .secured(let handshake): append(handshake, to: &json)
        case .handshakeFailed(let moment, let reason):
            json.member("ev", "handshakeFailed")
            json.member("moment", moment)
            json.member("reason", reason)
        case .alert(let alert): append(alert, to: &json)
        case .requestHead(let head, let target): append(head, target, to: &json)
        case .requestBody(let body): append(body, to: &json)
        case .routed(let origin, let routing): appendRouted(origin, routing, to: &json)
        case .tunnelOpened(let authority, let origin, let connection):
            appendTunnel(authority, origin, connection: connection, to: &json)
        case .cookiesSet(let notes): append(notes, to: &json)
        case .cookiesJudged(let verdict): append(verdict, to: &json)
        case .bytesReceived(let received): append(received, to: &json)
        case .bytesExpected(let expected): append(expected, to: &json)
        case .continueSent: json.member("ev", "continueSent")
        case .violation(let violation): append(violation, to: &json)
        case .exchangeChosen(let exchange, let turn):
            json.member("ev", "exchangeChosen")
            json.member("exchange", exchange)
            json.member("turn", turn)
        case .missed(let miss): append(miss, to: &json)
        case .guarded(let verdict): append(verdict, to: &json)
        case .effectPlayed(let action, let position):
            json.member("ev", "effectPlayed")
            json.member("action", action)
            json.member("position", position)
        case .slicesKept(let count, let keeping):
            json.member("ev", "slicesKept")
            json.member("count", count)
            json.member("by", keeping.rawValue)
        case .syncPassed(let event, let how):
            json.member("ev", "syncPassed")
            json.member("event", event)
            json.member("how", how.rawValue)
        case .replyBegun(let reply): append(reply, to: &json)
        case .replySent(let status, let byteCount):
            json.member("ev", "replySent")
            if let status { json.member("status", status) }
            json.member("byteCount", byteCount)
        case .replyAborted(let sentByteCount, let reason):
            json.member("ev", "replyAborted")
            json.member("sentByteCount", sentByteCount)
            json.member("reason", reason)
        case .connectionClosed(let party, let how):
            json.member("ev", "connectionClosed")
            json.member("by", party.rawValue)
            json.member("how", how.rawValue)
        case .boundReached(let bound): append(bound, to: &json)
        case .clientReached(let event, let task):
            json.member("ev", "clientReached")
            json.member("event", event)
            json.member("task", task)
        }
    }

    private static func append(_ head: RequestHead, _ target: [UInt8], to json: inout JSONText) {
        json.member("ev", "requestHead")
        json.member("method", orBase64: "methodBase64", head.methodBytes)
        json.member("target", orBase64: "targetBase64", target[...])
        json.member("version", "HTTP/\(head.version.major).\(head.version.minor)")
        switch head.framing {
        case .none: json.member("framing", "none")
        case .length(let count):
            json.member("framing", "length")
            json.member("contentLength", count)
        case .chunked: json.member("framing", "chunked")
        }
        append(head.fields, to: &json)
        json.member("bytes", orBase64: "bytesBase64", head.bytes[...])
    }

    private static func append(_ body: RequestBody, to json: inout JSONText) {
        json.member("ev", "requestBody")
        json.member("body", orBase64: "bodyBase64", body.kept[...])
        json.member("byteCount", body.byteCount)
        json.member("isComplete", body.isComplete)
        json.key("trailers")
        json.open("[")
        for line in body.trailers { append(line[...], to: &json) }
        json.close("]")
        if !body.chunks.isEmpty {
            json.key("chunks")
            json.open("[")
            for byteCount in body.chunks {
                json.element()
                json.number(byteCount)
            }
            json.close("]")
        }
        if !body.chunkLines.isEmpty {
            json.key("chunkLines")
            json.open("[")
            for line in body.chunkLines { append(line[...], to: &json) }
            json.close("]")
        }
        if body.isWithheld { json.member("isWithheld", true) }
    }

    private static func append(_ received: ReceivedBytes, to json: inout JSONText) {
        json.member("ev", "bytesReceived")
        json.member("of", received.kind.rawValue)
        json.member("bytes", orBase64: "bytesBase64", received.kept[...])
        json.member("byteCount", received.byteCount)
    }

    private static func append(_ expected: ExpectedBytes, to json: inout JSONText) {
        json.member("ev", "bytesExpected")
        json.member("how", expected.outcome.rawValue)
        json.member("byteCount", expected.byteCount)
        json.member("metByteCount", expected.metByteCount)
        guard expected.outcome != .met else { return }
        if let wanted = expected.wanted { json.member("wanted", orBase64: "wantedBase64", wanted[...]) }
        json.member("got", orBase64: "gotBase64", expected.got[...])
    }

    private static func append(_ violation: Violation, to json: inout JSONText) {
        json.member("ev", "violation")
        json.member("kind", violation.kind.rawValue)
        json.member("offset", violation.offset)
        json.member("isFatal", violation.isFatal)
        if violation.isFatal { json.member("status", violation.status) }
        json.member("section", violation.section)
        json.member("sentence", violation.sentence)
    }

    private static func append(_ miss: Miss, to json: inout JSONText) {
        json.member("ev", "missed")
        if let nearest = miss.nearestExchange { json.member("nearestExchange", nearest) }
        json.key("differences")
        json.open("[")
        for difference in miss.differences { append(Array(difference.utf8)[...], to: &json) }
        json.close("]")
    }

    private static func append(_ verdict: GuardVerdict, to json: inout JSONText) {
        json.member("ev", "guarded")
        json.member("guard", verdict.guardName)
        json.member("field", verdict.field)
        json.member("attempt", verdict.attempt)
        if let scheme = verdict.scheme { json.member("scheme", scheme) }
        if let user = verdict.user { json.member("user", user) }
        if let count = verdict.nonceCount { json.member("nonceCount", Int(count)) }
        json.member("outcome", verdict.outcome.rawValue)
        append(verdict.faults, named: "faults", to: &json)
        append(verdict.remarks, named: "remarks", to: &json)
    }

    private static func append(_ faults: [CredentialFault], named key: StaticString, to json: inout JSONText) {
        json.key(key)
        json.open("[")
        for fault in faults {
            json.element()
            append(fault, to: &json)
        }
        json.close("]")
    }

    private static func append(_ fault: CredentialFault, to json: inout JSONText) {
        json.open("{")
        json.member("kind", fault.kind.rawValue)
        json.member("sentence", fault.sentence)
        json.member("section", fault.section)
        json.close("}")
    }

    private static func append(_ bound: ReachedBound, to json: inout JSONText) {
        json.member("ev", "boundReached")
        json.member("of", bound.kind.rawValue)
        json.member("count", bound.count)
        if let name = bound.guardName { json.member("guard", name) }
        if let fault = bound.fault {
            json.key("fault")
            append(fault, to: &json)
        }
        json.member("text", bound.sentence)
    }

    /// An element of a list.
    static func append(_ bytes: ArraySlice<UInt8>, to json: inout JSONText) {
        json.element()
        if JSONText.isText(bytes) {
            json.string(bytes)
        } else {
            json.open("{")
            json.key("base64")
            json.base64(bytes)
            json.close("}")
        }
    }
}
