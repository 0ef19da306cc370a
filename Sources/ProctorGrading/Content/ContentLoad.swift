import ProctorEvents
import ProctorHTTP
import ProctorJournal
import ProctorScenario

struct ContentLoad {
    let number: Int
    let program: ClientProgram?
    let family: CallbackFamily
    /// Whether a reply may come from a cache.
    let hasCache: Bool
    /// Whether any event may be missing, so that no sum can be checked.
    let isPartial: Bool
    /// Whether Foundation's documents apply to its callbacks and results.
    let isOfFoundation: Bool
    let tellsData: Bool
    /// The client's own name for `http`; nil means `http`.
    let ownScheme: String?
    /// Callbacks, answers and the `result`, in order, without returns of callbacks.
    private(set) var events: [TraceEvent] = []
    /// The exchanges of the load in the order of their requests; empty where their load is unknown.
    private(set) var exchanges: [ContentExchange] = []
    private(set) var knowsWire = true
    /// For each event the count of exchanges that began before it; nil where client and server have no common clock.
    private var begun: [Int]? = []

    init(_ number: Int, _ grading: CaseGrading) {
        self.number = number
        let steps = grading.item.client
        program = steps.indices.contains(number) ? steps[number] : nil
        family = grading.family(ofStep: number)
        hasCache = steps.first?.session?.cache != nil
        ownScheme = steps.first?.session?.scheme
        isPartial = grading.evidence.isPartial
        isOfFoundation = grading.evidence.reportsLoads || grading.abilities.include(.foundation)
        let isUntold = grading.never.contains { $0.covers(TraceEventSymbol(EventName.data.rawValue)) }
        tellsData =
            !isUntold && (grading.evidence.reportedLanes != nil || grading.trace.events.contains { $0.name == .data })
    }

    mutating func take(_ event: TraceEvent) {
        events.append(event)
        begun?.append(exchanges.count)
    }

    mutating func take(_ exchange: ContentExchange) { exchanges.append(exchange) }

    mutating func takeUnordered(_ all: [ContentExchange]) {
        exchanges = all
        begun = nil
    }

    mutating func forgetWire() {
        exchanges = []
        knowsWire = false
    }

    // MARK: Which reply an event is about

    /// The last exchange that began before the event; without a common clock the only exchange of the load.
    func exchange(before index: Int, where isMeant: (ContentExchange) -> Bool = { !$0.isTunnel }) -> ContentExchange? {
        guard knowsWire else { return nil }
        guard let begun else {
            let meant = exchanges.filter(isMeant)
            return meant.count == 1 ? meant.first : nil
        }
        return exchanges[..<begun[index]].last(where: isMeant)
    }

    /// The same, with that status of the final reply; without a common clock the only exchange with it.
    func exchange(before index: Int, status: Int) -> ContentExchange? {
        if begun != nil { return exchange(before: index).flatMap { $0.status == status ? $0 : nil } }
        return exchange(before: index) { !$0.isTunnel && $0.status == status }
    }

    /// The first exchange that began after the event; nil where there is none, or where clocks differ.
    func exchange(after index: Int) -> ContentExchange? {
        guard knowsWire, let begun else { return nil }
        return exchanges[begun[index]...].first { !$0.isTunnel }
    }

    /// Exchanges that began before the event; nil where that is unknown.
    func exchangesBegun(before index: Int) -> ArraySlice<ContentExchange>? {
        guard knowsWire, let begun else { return nil }
        return exchanges[..<begun[index]]
    }

    /// All exchanges of the load that carry request content; nil where they are unknown.
    var uploads: [ContentExchange]? {
        knowsWire ? exchanges.filter { !$0.isTunnel && $0.request.head.framing != .none } : nil
    }

    /// Whether the load may have a reply of that status from elsewhere than the last exchange.
    func mayHave(status: Int) -> Bool {
        hasCache || 100..<200 ~= status
            || exchanges.contains { exchange in
                exchange.request.hasBytesOfEffects || exchange.status == nil || exchange.status == status
                    || exchange.status == 304
            }
    }

    /// Whether a reply of that status began for the load; true also where that is unknown.
    func hadReply(status: Int) -> Bool {
        guard knowsWire, !hasCache, !exchanges.isEmpty else { return true }
        return exchanges.contains { exchange in
            // The journal has only the status of the server's own pages.
            exchange.request.hasBytesOfEffects || exchange.request.status == status
                || exchange.request.interim.contains { $0.status == status }
                || exchange.reply.map { $0.status == nil || $0.status == status || $0.status == 304 } ?? false
        }
    }

    /// Whether the program, or an answer to a question, cancelled the load before the event.
    func isCancelled(before index: Int) -> Bool {
        events[..<index].contains { event in
            event.lane == .harness && (event.name == .cancel || event.name == .answer && event.argument == "cancel")
        }
    }

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
    /// nil where none began, or where the sent bytes are no reply.
    let reply: SentReply?
    let fields: [HTTPField]
    let method: String

    init(_ index: Int, _ grading: CaseGrading) {
        // Only called for requests of a record.
        guard let record = grading.record else { preconditionFailure("an exchange without a journal") }
        request = record.requests[index]
        let connection = record.connections[request.connection]
        method = request.head.method
        reply = request.reply
        fields = reply?.fields.map { [HTTPField]($0) } ?? []
        local = connection.localAddress.flatMap { Self.split($0) }
        let isContrary = !grading.item.contraryOrigins.isEmpty
        let setsHost = grading.item.client.contains { program in
            program.headers.contains { HTTPField("Host", "").isNamed(String(decoding: $0.name, as: UTF8.self)) }
        }
        url = isContrary || setsHost ? nil : Self.url(request.head, isSecured: connection.tls.hello != nil)
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
    var isMixedReplace: Bool { MediaType(of: fields)?.isMixedReplace ?? false }

    /// The value of Content-Length, where there is no Transfer-Encoding (RFC 9112 §6.3).
    var contentLength: Int? {
        guard !fields.contains(named: "Transfer-Encoding") else { return nil }
        return single("Content-Length").flatMap { bytes in
            bytes.allSatisfy { 0x30...0x39 ~= $0 } ? Int(String(decoding: bytes, as: UTF8.self)) : nil
        }
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
