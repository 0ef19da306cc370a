internal import ProctorHTTP
internal import ProctorLoop

/// A load that nobody watches: no task, no delegate, no queue; every question is answered on the spot.
///
/// Loop thread only, but for its making and for ``result()`` after the end.
@safe final class PlainLoad: LoadClient, @unchecked Sendable {
    private let session: ReferenceSession
    private let request: ClientRequest
    private let options: LoadOptions
    private var load: Load?
    private var content: CollectedContent
    private var response: LoadResponse?
    private var error: LoadError?

    init(_ request: ClientRequest, timeout: Duration?, session: ReferenceSession) {
        self.session = session
        self.request = request.completed(with: session.sessionFields)
        content = CollectedContent(session.configuration)
        options = session.configuration.loadOptions(
            timeout: timeout, asksToStore: true, keeper: session.keeper, security: session.security,
            cookies: session.cookieStore)
    }

    /// Returns when it has ended; cancelling the task cancels the load.
    func run() async {
        guard session.begin(self) else {
            error = ReferenceSession.invalidated
            return
        }
        let load = Load(request, options: options, pool: session.pool, client: self)
        self.load = load
        await load.run()
        self.load = nil
        session.end(self)
    }

    func cancel() { load?.answer(.cancel) }

    func result() throws(LoadError) -> (content: [UInt8], response: LoadResponse) {
        if let error { throw error }
        guard let response else {
            throw LoadError(.badServerResponse, "\(request.method) \(request.url) ended without a response")
        }
        return (content.bytes, response)
    }

    func load(_ load: Load, tells notice: ClientNotice) {
        switch notice {
        case .response(let response):
            self.response = response
            content.startOver()
        case .data(let bytes): take(bytes, of: load)
        // Why it was given up stands before what became of it.
        case .complete(let end): error = error ?? end
        case .canonicalize, .redirect, .challenge, .challengeCancelled, .needBodyStream, .bodySent, .informational,
            .willCache, .metrics:
            break
        }
        if let answer = notice.defaultAnswer { load.answer(answer) }
    }

    private func take(_ bytes: [UInt8], of load: Load) {
        guard error == nil else { return }
        do throws(LoadError) {
            try content.append(bytes)
        } catch {
            self.error = error
            return load.answer(.cancel)
        }
        load.didConsume(bytes.count)
    }
}

/// The plain loads of a session; loop thread only.
final class PlainLoads: @unchecked Sendable {
    private var loads: [ObjectIdentifier: PlainLoad] = [:]

    var isEmpty: Bool { loads.isEmpty }

    func insert(_ load: PlainLoad) { loads[ObjectIdentifier(load)] = load }

    func remove(_ load: PlainLoad) { loads[ObjectIdentifier(load)] = nil }

    func cancelAll() {
        for load in loads.values { load.cancel() }
    }
}
