internal import ProctorBase
internal import ProctorCoding
internal import ProctorHTTP

/// A mistake of an event source on purpose (HTML §9.2), by the label of its breakage, or by the rule that it breaks.
///
/// `faults.tsv` says what each does.
package enum EventSourceFault: String, Sendable, CaseIterable {
    case forgetsLastID = "sse-no-last-event-id"
    case retriesFailures = "sse-retries-failures"
    case readsAnyType = "sse-reads-any-type"
    case ignoresRetry = "sse-ignores-retry"
    case endsOpenEvents = "sse-counts-open-events"
    case losesTypes = "sse-loses-types"
    case losesIDs = "sse-loses-ids"
    case joinsData = "sse-joins-data"
    case opensTwice = "R67"
    case opensLate = "R68"
    case hidesRetry = "R69"
    case tellsBehindTheEnd = "R70"
    case tellsBehindClose = "R70b"
}

/// An event source over the data tasks of a session (WHATWG HTML §9.2.2, §9.2.3).
///
/// It connects again to the URL that it was made with, behind redirects too.
package struct ReferenceEventSource: Sendable {
    /// The time before it connects again, where no stream has said another one.
    static let usualWait = Duration.milliseconds(200)

    private let request: ClientRequest
    private let session: ReferenceSession
    private let connectsAgain: Bool
    fileprivate let fault: EventSourceFault?
    private let report: @Sendable (Call) -> Bool
    private let state = Locked(State())

    private struct State {
        var isClosed = false
        /// Whether an opening waits for the first event (``EventSourceFault/opensLate``).
        var isOpeningHeld = false
    }

    /// What it tells the program.
    package enum Call: Sendable {
        case open
        case event(Event)
        /// The event `error`, with readyState CONNECTING or CLOSED.
        case error(connectsAgain: Bool)
        /// The end of a stream whose reader does not connect again.
        case complete(LoadError?)
    }

    /// An event of the stream (WHATWG HTML §9.2.6).
    package struct Event: Sendable {
        /// `message` where the stream names no other type.
        package var type: String
        package var data: String
        package var lastID: String
        /// The origin of the stream's final URL.
        package var origin: String

        fileprivate init(_ event: StreamedEvent, origin: String) {
            type = event.name.isEmpty ? "message" : event.name
            data = String(decoding: event.data, as: UTF8.self)
            lastID = event.lastID
            self.origin = origin
        }
    }

    /// How it has ended: the reply that was no stream, or the error that no other attempt would mend.
    package struct Ending: Sendable {
        package var response: LoadResponse?
        package var error: LoadError?
    }

    /// `request` is sent for each connection, with the fields of an event source; where `connectsAgain` is false, once.
    ///
    /// `report` is called on the session's delegate queue; where it returns false, the program closes the event source.
    package init(
        _ request: ClientRequest, in session: ReferenceSession, connectsAgain: Bool = true,
        fault: EventSourceFault? = nil, report: @escaping @Sendable (Call) -> Bool
    ) {
        var request = request
        for (name, value) in [("Accept", "text/event-stream"), ("Cache-Control", "no-store")]
        where !request.fields.contains(where: { $0.isNamed(name) }) {
            request.fields.set(name, to: value)
        }
        (self.request, self.session, self.connectsAgain, self.fault) = (request, session, connectsAgain, fault)
        self.report = report
    }

    /// Connects, reads and connects again, until a reply is no stream, the program closes it or the caller is cancelled.
    package func run() async -> Ending {
        var lastID = ""
        var wait = Self.usualWait
        while true {
            var request = request
            if !lastID.isEmpty, fault != .forgetsLastID { request.fields.set("Last-Event-ID", to: lastID) }
            let connection = EventSourceConnection(of: self, lastID: lastID)
            let ending = await connection.run(request, in: session)
            guard !isClosed, !Task.isCancelled else { return ending }
            if connection.isStream, !connectsAgain {
                deliver(.complete(ending.error))
                return ending
            }
            if !connection.isStream, ending.error?.isOfConnection != true || !connectsAgain {
                guard fault == .retriesFailures, ending.response?.status != 204 else {
                    deliver(.error(connectsAgain: false))
                    return ending
                }
            }
            lastID = connection.lastID
            if let retry = connection.retry, fault != .ignoresRetry { wait = .milliseconds(retry) }
            guard deliver(.error(connectsAgain: true)) else { return ending }
            do {
                try await Task.sleep(for: fault == .ignoresRetry ? .zero : wait)
            } catch {
                return ending
            }
        }
    }

    fileprivate var isClosed: Bool { state.withLock { $0.isClosed } }

    /// Reports a call, unless the program has closed the event source; false where it has, or does so now.
    @discardableResult
    fileprivate func deliver(_ call: Call) -> Bool {
        guard !isClosed || fault == .tellsBehindClose else { return false }
        for call in calls(inPlaceOf: call) where !report(call) { state.withLock { $0.isClosed = true } }
        return !isClosed
    }

    /// The calls that a broken event source makes; those of a whole one are the call alone.
    private func calls(inPlaceOf call: Call) -> [Call] {
        switch (fault, call) {
        case (.opensTwice, .open): return [.open, .open]
        case (.opensLate, .open):
            state.withLock { $0.isOpeningHeld = true }
            return []
        case (.opensLate, _):
            let isHeld = state.withLock { state in
                defer { state.isOpeningHeld = false }
                return state.isOpeningHeld
            }
            guard isHeld else { return [call] }
            if case .event = call { return [call, .open] }
            return [.open, call]
        case (.hidesRetry, .error(connectsAgain: true)): return []
        case (.tellsBehindTheEnd, .error(connectsAgain: false)): return [call, call]
        case (.losesTypes, .event(var event)):
            event.type = "message"
            return [.event(event)]
        case (.losesIDs, .event(var event)):
            event.lastID = ""
            return [.event(event)]
        case (.joinsData, .event(var event)):
            event.data.unicodeScalars.removeAll { $0 == "\n" }
            return [.event(event)]
        default: return [call]
        }
    }
}

extension LoadError {
    /// Whether another connection may go better.
    fileprivate var isOfConnection: Bool {
        [.cannotConnect, .connectionLost, .timedOut].contains(kind)
    }
}

/// One connection of an event source.
private final class EventSourceConnection: ReferenceTaskDelegate {
    private let source: ReferenceEventSource
    private let state: Locked<State>

    private struct State {
        var reader: EventStreamReader
        var isStream = false
        var ending: CheckedContinuation<ReferenceEventSource.Ending, Never>?
    }

    init(of source: ReferenceEventSource, lastID: String) {
        self.source = source
        state = Locked(State(reader: EventStreamReader(lastID: lastID)))
    }

    /// Whether the reply was a stream of events; read when the connection has ended.
    var isStream: Bool { state.withLock { $0.isStream } }
    var lastID: String { state.withLock { $0.reader.lastID } }
    /// Milliseconds.
    var retry: Int? { state.withLock { $0.reader.retry } }

    func run(_ request: ClientRequest, in session: ReferenceSession) async -> ReferenceEventSource.Ending {
        let task = session.dataTask(with: request)
        task.delegate = self
        return await withTaskCancellationHandler {
            await withCheckedContinuation { continuation in
                state.withLock { $0.ending = continuation }
                task.resume()
            }
        } onCancel: {
            task.cancel()
        }
    }

    func session(
        _ session: ReferenceSession, task: ReferenceTask, didReceive response: LoadResponse,
        answer: @escaping @Sendable (ResponseDisposition) -> Void
    ) {
        answer(isStream(response) && !source.deliver(.open) ? .cancel : .allow)
    }

    /// What is no stream is read to its end, and means nothing.
    func session(_ session: ReferenceSession, task: ReferenceTask, didReceive content: [UInt8]) {
        guard isStream(task.response) else { return }
        let events = state.withLock { state in try? state.reader.read(content) }
        if events.map({ hasReported($0, of: task) }) != true { task.cancel() }
    }

    /// False where the program closes the event source at one of the events.
    private func hasReported(_ events: [StreamedEvent], of task: ReferenceTask) -> Bool {
        let origin = task.response?.url.origin.description ?? ""
        for event in events {
            let isOpen = source.deliver(.event(ReferenceEventSource.Event(event, origin: origin)))
            guard isOpen || source.fault == .tellsBehindClose else { return false }
        }
        return !source.isClosed
    }

    private func isStream(_ response: LoadResponse?) -> Bool {
        response?.status == 200 && (response?.mimeType == "text/event-stream" || source.fault == .readsAnyType)
    }

    func session(_ session: ReferenceSession, task: ReferenceTask, didCompleteWith error: LoadError?) {
        let ending = ReferenceEventSource.Ending(response: task.response, error: error)
        if source.fault == .endsOpenEvents, isStream(task.response) {
            _ = hasReported(state.withLock { (try? $0.reader.read([0x0A, 0x0A])) ?? [] }, of: task)
        }
        let continuation = state.withLock { state in
            state.isStream = isStream(task.response)
            defer { state.ending = nil }
            return state.ending
        }
        continuation?.resume(returning: ending)
    }
}
