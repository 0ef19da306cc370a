import ProctorEvents
import ProctorHTTP
import ProctorJournal
import ProctorProgram
import ProctorScenario

struct ContentLoad {
    let number: Int
    let program: ClientProgram?
    let family: CallbackFamily
    /// Whether a reply may come from a cache.
    let hasCache: Bool
    /// Whether the session goes by a proxy.
    let hasProxy: Bool
    /// Whether a proxy of the run opened a tunnel, that of names too.
    let hasTunnel: Bool
    /// Whether any event may be missing, so that no sum can be checked.
    let isPartial: Bool
    /// Whether a step of the program stores another content than the one that came.
    let changesStoredContent: Bool
    /// Whether Foundation's documents apply to its callbacks and results.
    let isOfFoundation: Bool
    let tellsData: Bool
    /// The client's own name for `http`; nil means `http`.
    let ownScheme: String?
    /// Callbacks, answers and the `result`, in order, without returns of callbacks.
    let events: EventList
    let knowsWire: Bool
    /// The exchanges of the load; empty where their load is unknown.
    private let exchanges: ContentExchanges
    /// The exchanges of all loads of the run; nil where a reply may be missing among them.
    let exchangesOfRun: RunExchanges?
    /// For each event the count of exchanges that began before it; nil where client and server have no common clock.
    private let begun: [Int32]?
    /// The index of the event with which the program, or an answer to a question, cancelled the load.
    private let cancel: Int?

    init(
        _ number: Int, _ gathered: Gathered, ofRun: RunExchanges?, knowsWire: Bool, hasTunnel: Bool,
        _ grading: CaseGrading
    ) {
        self.hasTunnel = hasTunnel
        self.number = number
        let steps = grading.item.client
        program = steps.indices.contains(number) ? steps[number] : nil
        family = grading.family(ofStep: number)
        hasCache = steps.first?.session?.cache != nil
        hasProxy = steps.first?.session?.proxy != nil
        ownScheme = steps.first?.session?.scheme
        isPartial = grading.evidence.isPartial
        changesStoredContent = steps.contains { $0.onWillCache.word == "change" }
        isOfFoundation = grading.evidence.reportsLoads || grading.abilities.include(.foundation)
        let isUntold = grading.never.contains { $0.covers(TraceEventSymbol(EventName.data.rawValue)) }
        tellsData = !isUntold && (grading.evidence.reportedLanes != nil || grading.index.hasData)
        events = grading.trace.events.events(at: gathered.places)
        begun = gathered.isOrdered ? gathered.begun : nil
        self.knowsWire = knowsWire
        exchangesOfRun = ofRun
        exchanges = ContentExchanges(knowsWire ? gathered.exchanges : [])
        cancel = events.firstIndex { event in
            event.lane == .harness && (event.name == .cancel || event.name == .answer && event.argument == "cancel")
        }
    }

    /// What belongs to one load, as one pass over a trace finds it.
    struct Gathered {
        /// Indexes into the trace.
        fileprivate var places: [Int32] = []
        fileprivate var begun: [Int32] = []
        fileprivate var exchanges: [ContentExchange] = []
        fileprivate var isOrdered = true

        mutating func appendEvent(at place: Int) {
            places.append(Int32(truncatingIfNeeded: place))
            begun.append(Int32(truncatingIfNeeded: exchanges.count))
        }

        mutating func append(_ exchange: ContentExchange) { exchanges.append(exchange) }

        /// Exchanges of which it is not known where they stand between the events.
        mutating func setUnordered(_ all: [ContentExchange]) {
            exchanges = all
            isOrdered = false
        }
    }

    // MARK: Which reply an event is about

    /// The last exchange that began before the event; without a common clock the only exchange of the load.
    func exchange(before index: Int, includingTunnels: Bool = false) -> ContentExchange? {
        guard let begun else { return exchanges.only(includingTunnels: includingTunnels) }
        return exchanges.last(among: Int(begun[index]), includingTunnels: includingTunnels)
    }

    /// The same, with that status of the final reply; without a common clock the only exchange with it.
    func exchange(before index: Int, status: Int) -> ContentExchange? {
        if begun != nil { return exchange(before: index).flatMap { $0.status == status ? $0 : nil } }
        return exchanges.only(withStatus: status)
    }

    /// The replies that an event with that status may be about: the last one before it where it has that status; else, where
    /// a cache may have answered or the load of each reply is unknown, all of the run with it.
    func replies(before index: Int, status: Int) -> [ContentExchange] {
        if let exchange = exchange(before: index, status: status) { return [exchange] }
        guard let exchangesOfRun, !changesStoredContent, hasCache || !knowsWire, !exchangesOfRun.isUnclear else {
            return []
        }
        return exchangesOfRun.replies(withStatus: status)
    }

    /// The first exchange that began after the event; nil where there is none, or where clocks differ.
    func exchange(after index: Int) -> ContentExchange? { begun.flatMap { exchanges.first(behind: Int($0[index])) } }

    /// How many exchanges began before the event; nil where that is unknown.
    func begunCount(before index: Int) -> Int? { knowsWire ? begun.map { Int($0[index]) } : nil }

    /// How many requests with a credential in that field came before the event; nil where that is unknown.
    func credentialCount(before index: Int, isProxy: Bool) -> Int? {
        begunCount(before: index).map { exchanges.credentialCount(among: $0, isProxy: isProxy) }
    }

    /// All exchanges of the load that carry request content; nil where they are unknown.
    var uploads: [ContentExchange]? { knowsWire ? exchanges.uploads : nil }

    /// Whether the load may have a reply of that status from elsewhere than the last exchange.
    func mayHave(status: Int) -> Bool { hasCache || 100..<200 ~= status || exchanges.mayHave(status: status) }

    /// Whether a cache may have that status: that of a reply of the run, or one that caches answer with by themselves (RFC 9111
    /// §4.3.2, §5.2.1.7; RFC 9110 §15.3.7).
    func mayBeStored(status: Int) -> Bool {
        guard let exchangesOfRun, !exchangesOfRun.isUnclear else { return true }
        return exchangesOfRun.contains(status: status) || [200, 206, 304, 504].contains(status) || 100..<200 ~= status
    }

    /// Whether a reply of that status began for the load; true also where that is unknown.
    func hadReply(status: Int) -> Bool { !knowsWire || hasCache || exchanges.hadReply(status: status) }

    /// Whether the program, or an answer to a question, cancelled the load before the event.
    func isCancelled(before index: Int) -> Bool { cancel.map { $0 < index } ?? false }

    /// Whether the load is a download that goes on from what an earlier one left, so that its file has more than one reply's
    /// content (RFC 9110 §14.2).
    var isResumed: Bool { family.isDownload && !sets("Range") }

    /// Whether the program gave the client a body whose length it knows: bytes or a file.
    var givesLengthOfBody: Bool { program?.body != nil && [.data, .file].contains(program?.bodyForm) }

    /// The status that the `result` of the load tells; nil where it tells none.
    var statusTold: Int? { events.last { $0.name == .result }?.facts.integer(.status) }

    func sets(_ name: String) -> Bool {
        program?.headers.contains { HTTPField(name: name, bytes: []).isNamed(String(decoding: $0.name, as: UTF8.self)) }
            ?? false
    }
}

/// A request and the final reply that began for it.
struct ContentExchange {
    let request: WireRecord.SeenRequest
    /// The request's URL, from target and Host; nil where they do not give it, and where the program set Host.
    let url: ClientURL?
    let local: (host: String, port: Int)?
    /// What the windows of its stream let out; nil over HTTP/1.1, and where the client need not have known them.
    let windows: SentWindows.OfStream?
    /// nil where none began, or where the sent bytes are no reply.
    let reply: SentReply?
    let fields: [HTTPField]
    let method: String

    /// `hasOwnURL` means that Host and target give the URL: no origin and no field of the program are contrary.
    init(_ index: Int, in record: WireRecord, hasOwnURL: Bool) {
        request = record.requests[index]
        let connection = record.connections[request.connection]
        method = request.head.method
        reply = request.reply
        fields = reply?.fields.map { [HTTPField]($0) } ?? []
        local = connection.localAddress.flatMap { Self.split($0) }
        let sequence = request.sequence
        windows = request.head.stream.flatMap { connection.http2.windows[$0, before: sequence] }
        url = !hasOwnURL ? nil : Self.url(request.head, isSecured: connection.tls.hello != nil)
        let type = MediaType(of: fields)
        isMixedReplace = type?.isMixedReplace ?? false
        let reply = reply
        parts = isMixedReplace ? type.flatMap { MixedPart.all(of: reply, $0) } : []
    }

    var status: Int? { reply?.status }

    var isTunnel: Bool { request.head.hasMethod("CONNECT") }

    /// The content as a client may have it: with its codings undone, or as it was sent; empty where it is unknown.
    var contents: [SentContent] {
        guard let reply, let content = reply.content else { return [] }
        return [content] + (reply.codedContent.map { [$0] } ?? [])
    }

    /// The content where it is known and has no codings, so that its byte count is that of the received bytes.
    var plainContent: SentContent? { reply?.codedContent == nil ? reply?.content : nil }

    var isWhole: Bool { request.isReplySent && !request.isReplyCut }

    /// The value of a field that has one line; nil for several lines.
    func single(_ name: String) -> [UInt8]? {
        let found = fields.all(named: name)
        return found.count == 1 ? found[0].bytes : nil
    }

    /// Each part of multipart/x-mixed-replace is a response of its own (R26).
    let isMixedReplace: Bool

    /// The parts of such a content; nil where they are unknown, empty for another type.
    let parts: [MixedPart]?

    /// What a client may have handed over behind one response: the content, or that of a part.
    var forms: [SentContent] { contents + (parts ?? []).map(\.content) }

    /// The fields of each part; nil where they are unknown, empty for another type than multipart/x-mixed-replace.
    var partFields: [[HTTPField]]? { parts?.map(\.fields) }

    /// The value of Content-Length, where there is no Transfer-Encoding (RFC 9112 §6.3).
    var contentLength: Int? { Self.contentLength(of: fields) }

    static func contentLength(of fields: [HTTPField]) -> Int? {
        guard !fields.contains(named: "Transfer-Encoding") else { return nil }
        let found = fields.all(named: "Content-Length")
        guard found.count == 1, found[0].bytes.allSatisfy({ 0x30...0x39 ~= $0 }) else { return nil }
        return Int(String(decoding: found[0].bytes, as: UTF8.self))
    }

    var range: ContentRange? { status == 206 ? single("Content-Range").flatMap { ContentRange($0) } : nil }

    // MARK: Its URL

    private static func url(_ head: RequestHead, isSecured: Bool) -> ClientURL? {
        switch head.form {
        case .absolute: return try? ClientURL(head.target)
        case .origin:
            let hosts = head.fields.values(named: "Host")
            guard hosts.count == 1, let host = hosts.first, !host.isEmpty else { return nil }
            let scheme: HTTPScheme = isSecured ? .https : .http
            return try? ClientURL(Array("\(scheme.rawValue)://".utf8) + host + head.target)
        case .authority, .asterisk: return nil
        }
    }

    private static func split(_ address: String) -> (host: String, port: Int)? {
        guard let colon = address.lastIndex(of: ":"), let port = Int(address[address.index(after: colon)...]) else {
            return nil
        }
        return (String(address[..<colon]), port)
    }
}

/// Compares URLs in callbacks with those that requests were sent to.
enum ContentURL {
    /// Whether both name the same resource, apart from escaped unreserved characters, user and fragment; nil where the
    /// text is no URL that can be read.
    static func isSame(_ text: String, as url: ClientURL, ownScheme: String?) -> Bool? {
        var text = text
        if let ownScheme, text.lowercased().hasPrefix("\(ownScheme.lowercased()):") {
            text = url.origin.scheme.rawValue + text.dropFirst(ownScheme.count)
        }
        do throws(ClientURLError) {
            let other = try ClientURL(text)
            return other.isEquivalent(to: url)
        } catch .unsupportedScheme { return false } catch { return nil }
    }

    static func shown(_ url: ClientURL) -> String { WireText.quoted(Array(url.description.utf8)) }
}

extension ContentFault {
    /// In double quotes, without control characters.
    static func quoted(_ text: String) -> String { WireText.quoted(Array(text.utf8)) }
}
