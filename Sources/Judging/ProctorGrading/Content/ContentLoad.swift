package import ProctorEvents
import ProctorHTTP
import ProctorJournal
import ProctorProgram
package import ProctorScenario

package struct ContentLoad {
    let number: Int
    package let program: ClientProgram?
    package let family: CallbackFamily
    package let isPartial: Bool
    /// Whether Foundation's documents apply to its callbacks and results.
    let isOfFoundation: Bool
    let tellsData: Bool
    /// Whether the client reports calls of completion handlers.
    package let tellsHandlers: Bool
    /// Whether its `result` may have a status; that of a command never has.
    private let tellsStatus: Bool
    /// Whether a proxy of the run opened a tunnel, the proxy for names included.
    let hasTunnel: Bool
    private let steps: [ClientProgram]
    private let gatherers: [any FactGatherer]
    private let never: [Ledger.NeverEvent]
    /// Callbacks, answers and the `result`, in order, without returns of callbacks.
    package let events: EventList
    let knowsWire: Bool
    /// The exchanges of the load; empty when it is unknown which belong to it.
    private let exchanges: ExchangeLookup
    /// The exchanges of all loads of the run; nil when a reply may be missing among them.
    let exchangesOfRun: ExchangeLookup?
    /// For each event, the number of exchanges that began before it; nil when client and server have no common clock.
    private let begun: [Int32]?
    /// The index of the event with which the program, or an answer to a question, cancelled the load.
    private let cancel: Int?

    init(
        _ number: Int, _ gathered: Gathered, ofRun: ExchangeLookup?, knowsWire: Bool, _ grading: CaseGrading
    ) {
        hasTunnel = grading.record?.hasTunnel ?? false
        gatherers = grading.record?.gatherers ?? []
        self.number = number
        steps = grading.item.client
        program = steps.indices.contains(number) ? steps[number] : nil
        family = grading.family(ofStep: number)
        isPartial = grading.evidence.isPartial
        isOfFoundation = grading.evidence.reportsLoads || grading.abilities.include(.foundation)
        never = grading.never
        tellsHandlers = grading.evidence.reports(.handler)
        let isUntold = never.contains { $0.covers(TraceEventSymbol(EventName.data.rawValue)) }
        tellsData = !isUntold && (grading.evidence.reportedLanes != nil || grading.index.hasData)
        tellsStatus = grading.evidence.reportedFacts?.contains(.status) ?? true
        events = grading.trace.events.events(at: gathered.places)
        begun = gathered.isOrdered ? gathered.begun : nil
        self.knowsWire = knowsWire
        exchangesOfRun = ofRun
        exchanges = ExchangeLookup(knowsWire ? gathered.exchanges : [])
        cancel = events.firstIndex { event in
            event.lane == .harness && (event.name == .cancel || event.name == .answer && event.argument == "cancel")
        }
    }

    /// The events and exchanges of one load, collected in one pass over a trace.
    struct Gathered {
        /// Indexes into the trace.
        fileprivate var places: [Int32] = []
        fileprivate var begun: [Int32] = []
        fileprivate var exchanges: [SeenExchange] = []
        fileprivate var isOrdered = true

        mutating func appendEvent(at place: Int) {
            places.append(Int32(truncatingIfNeeded: place))
            begun.append(Int32(truncatingIfNeeded: exchanges.count))
        }

        mutating func append(_ exchange: SeenExchange) { exchanges.append(exchange) }

        /// Sets exchanges whose position between the events is unknown.
        mutating func setUnordered(_ all: [SeenExchange]) {
            exchanges = all
            isOrdered = false
        }
    }

    /// What a module above has read of the journal; nil without one.
    package func gathered<Gatherer: FactGatherer>(_: Gatherer.Type) -> Gatherer? {
        gatherers.lazy.compactMap { $0 as? Gatherer }.first
    }

    private var session: SessionProgram? { steps.first?.session }

    /// Whether a reply may come from a cache.
    var hasCache: Bool { session?.cache != nil }

    var hasProxy: Bool { session?.proxy != nil }

    /// The client's own scheme in place of `http`; nil means `http`.
    var ownScheme: String? { session?.ownScheme }

    /// Whether a step of the program stores other content than the received one.
    var changesStoredContent: Bool { steps.contains { $0.step.changesStoredContent } }

    // MARK: Which reply an event is about

    /// The last exchange that began before the event; without a common clock, the only exchange of the load.
    package func latestExchange(before index: Int, includingTunnels: Bool = false) -> SeenExchange? {
        guard let begun else { return exchanges.only(includingTunnels: includingTunnels) }
        return exchanges.last(among: Int(begun[index]), includingTunnels: includingTunnels)
    }

    /// The last exchange before the event with that status of the final reply; without a common clock, the only one.
    ///
    /// nil also where a cache may have answered with an earlier reply, or with parts of several.
    func exchange(before index: Int, status: Int) -> SeenExchange? {
        let exchange =
            begun == nil
            ? exchanges.only(withStatus: status)
            : latestExchange(before: index).flatMap { $0.status == status ? $0 : nil }
        return exchange.flatMap { mayBeStored(before: $0) ? nil : $0 }
    }

    /// Whether the cache may have had a reply when that exchange began: any request behind the first one of the run may be
    /// sent behind an answer (RFC 5861 §3), or for the rest of what is stored (RFC 9111 §3.4).
    private func mayBeStored(before exchange: SeenExchange) -> Bool {
        guard hasCache else { return false }
        return exchangesOfRun?.all.first { !$0.isConnect }?.sequence != exchange.sequence
    }

    /// Whether a cache may answer a URL with another query by that reply: No-Vary-Search says in which parts it may differ.
    func mayAnswerOtherURLs(_ exchange: SeenExchange) -> Bool {
        hasCache && exchange.replyFields.contains(named: "No-Vary-Search")
    }

    /// The exchanges other than CONNECT; nil where it is unknown which they are, or where they stand among the events.
    package var exchangesInOrder: [SeenExchange]? {
        knowsWire && begun != nil ? exchanges.all.filter { !$0.isConnect } : nil
    }

    /// The replies that an event with that status may report.
    ///
    /// The last reply before the event when it has that status; else, when a cache may have answered or the load of
    /// each reply is unknown, all replies of the run with it.
    func replies(before index: Int, status: Int) -> [SeenExchange] {
        if let exchange = exchange(before: index, status: status) { return [exchange] }
        guard let exchangesOfRun, !changesStoredContent, hasCache || !knowsWire, !exchangesOfRun.isUnclear else {
            return []
        }
        return exchangesOfRun.replies(withStatus: status)
    }

    /// The first exchange that began after the event; nil where there is none, or where clocks differ.
    func exchange(after index: Int) -> SeenExchange? { begun.flatMap { exchanges.first(behind: Int($0[index])) } }

    /// The CONNECT over TLS that the next exchange is; nil where another one is.
    func securedConnect(after index: Int) -> SeenExchange? {
        begun.flatMap { exchanges.all.dropFirst(Int($0[index])).prefix(1).first { $0.isConnect && $0.isSecured } }
    }

    /// How many exchanges began before the event; nil where that is unknown.
    func begunCount(before index: Int) -> Int? { knowsWire ? begun.map { Int($0[index]) } : nil }

    /// The number of requests before the event with a credential in that field; nil when that is unknown.
    func credentialCount(before index: Int, isProxy: Bool) -> Int? {
        begunCount(before: index).map { exchanges.credentialCount(among: $0, isProxy: isProxy) }
    }

    /// All exchanges of the load with request content; nil when they are unknown.
    var uploads: [SeenExchange]? { knowsWire ? exchanges.uploads : nil }

    /// Whether a reply of that status may come from elsewhere than the last exchange.
    func mayHave(status: Int) -> Bool { hasCache || 100..<200 ~= status || exchanges.mayHave(status: status) }

    /// Whether a cache may answer with that status.
    ///
    /// It may be that of a reply of the run, or one that caches make themselves (RFC 9111 §4.3.2, §5.2.1.7; RFC 9110
    /// §15.3.7).
    func mayBeStored(status: Int) -> Bool {
        guard let exchangesOfRun, !exchangesOfRun.isUnclear else { return true }
        return exchangesOfRun.contains(status: status) || [200, 206, 304, 504].contains(status) || 100..<200 ~= status
    }

    /// Whether a reply of that status began for the load; true also when that is unknown.
    func hadReply(status: Int) -> Bool { !knowsWire || hasCache || exchanges.hadReply(status: status) }

    /// Whether the program, or an answer to a question, cancelled the load before the event.
    package func isCancelled(before index: Int) -> Bool { cancel.map { $0 < index } ?? false }

    /// Whether the load is a download that continues an earlier one, so that its file has the content of several
    /// replies (RFC 9110 §14.2).
    var isResumed: Bool { family.isDownload && !sets("Range") }

    /// Whether the program gave the client a body of known length: bytes or a file.
    var givesLengthOfBody: Bool { program?.body != nil && [.data, .file].contains(program?.bodyForm) }

    /// The status in the load's `result`; nil when it has none.
    var statusTold: Int? { events.last { $0.name == .result }?.facts.integer(.status) }

    /// The users of all credentials that the program gives; nil where a URL, or a reply, may have one too.
    var users: Set<String>? {
        let urls = steps.flatMap(\.url.parts).compactMap { part -> [UInt8]? in
            if case .literal(let bytes) = part { bytes } else { nil }
        }
        let locations = (exchangesOfRun?.all ?? []).flatMap { $0.replyFields.all(named: "Location").map(\.bytes) }
        guard exchangesOfRun != nil, !(urls + locations).joined().contains(UInt8(ascii: "@")) else { return nil }
        let answers = steps.flatMap { $0.onChallenge.compactMap { $0.credential?.user } }
        return Set(answers + [session?.proxyUser].compactMap(\.self))
    }

    /// Whether the client ever reports events of that name, by its ledger.
    package func tells(_ name: EventName) -> Bool { !never.contains { $0.covers(TraceEventSymbol(name.rawValue)) } }

    /// The ends of acts of that name that went well, in order.
    package func ended(_ name: EventName) -> [TraceEvent] { events.filter { $0.name == name && $0.argument == "ok" } }

    /// The status of the reply whose content a `result` at that place has: the told one, or for a client that tells
    /// none the last one, where that is a success.
    func statusOfResult(_ event: TraceEvent, at index: Int) -> Int? {
        if let status = event.facts.integer(.status) { return status }
        guard !tellsStatus, let status = latestExchange(before: index)?.status, 200..<300 ~= status else { return nil }
        return status
    }

    func sets(_ name: String) -> Bool { program?.sets(name) ?? false }
}

/// Compares URLs in callbacks with the URLs of requests.
enum ContentURL {
    /// Whether both identify the same resource, apart from escaped unreserved characters, user and fragment; nil when
    /// the text is no readable URL.
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

    /// The fault of an event that tells another URL than that of the request that was answered.
    static func fault(_ event: TraceEvent, _ exchange: SeenExchange, ownScheme: String?) -> ContentFault? {
        guard let url = exchange.url, let text = event.facts.text(.url),
            isSame(text, as: url, ownScheme: ownScheme) == false
        else { return nil }
        return event.fault(
            "url", wanted: shown(url), got: ContentFault.quoted(text),
            reason: "the request that was answered went there")
    }

    static func shown(_ url: ClientURL) -> String { WireText.quoted(Array(url.description.utf8)) }
}

extension ContentFault {
    /// In double quotes, without control characters.
    package static func quoted(_ text: String) -> String { WireText.quoted(Array(text.utf8)) }
}
