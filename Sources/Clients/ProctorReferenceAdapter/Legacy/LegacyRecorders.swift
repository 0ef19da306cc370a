internal import ProctorBase
internal import ProctorEvents
internal import ProctorHTTP
import ProctorProgram
internal import ProctorRecorder
internal import ProctorReference

/// Records one step for the delegates of NSURLConnection and NSURLDownload, and returns the program's answers.
final class LegacyRecord: Sendable {
    let step: StepRecord
    /// The methods for challenges that the delegate implements when the program answers challenges.
    let challengeMethods: LegacyChallengeMethods
    let missingMethods: Set<OptionalMethod>
    let prefix: String
    private let queue: CallbackQueue
    private let isLabelled: Bool
    private let isUnimplemented = Locked(false)

    /// The delegate implements the methods for challenges that `setup` names, or those of its family.
    ///
    /// `isLabelled` is false when the queue represents the run loop of a thread.
    init(_ step: StepRecord, _ setup: SessionSetup, queue: CallbackQueue, isLabelled: Bool = true) {
        self.step = step
        challengeMethods = step.answersChallenges ? setup.legacyChallengeMethods(of: step.family) : .none
        missingMethods = setup.missingMethods
        prefix = step.family == .download ? "download" : "connection"
        self.queue = queue
        self.isLabelled = isLabelled && step.family != .download
    }

    /// Whether the new method is used; NSURLDownload calls only the old ones.
    var usesNewMethod: Bool {
        challengeMethods == .newMethod || challengeMethods == .both && step.family != .download
    }

    private var owner: DelegateToken.Owner { .load(step.number, step.family) }

    /// Makes the token that only the delegate owns, so that its release is recorded.
    func makeToken() -> DelegateToken { DelegateToken(of: owner, recordingTo: step.recorder) }

    /// Returns when the delegate was released, or records that it was not (R65).
    func waitForRelease(before end: UInt64) async {
        await DelegateToken.waitForRelease(by: owner, before: end, recordingTo: step.recorder)
    }

    /// Whether the program requires something that this shape can't do, which the trace reports.
    var isGivenUp: Bool { isUnimplemented.withLock { $0 } }

    /// Records the beginning of a callback; the queue of NSURLDownload is the thread that started it (R47).
    func enter(_ name: EventName, _ detail: EventDetail = EventDetail(), method: String) -> StepRecord.Callback {
        step.enter(
            name, detail.argument, queue: isLabelled && queue.isCurrent ? queue.label : nil,
            method: prefix + method, facts: detail.facts)
    }

    /// Returns the answer that `ask` gives before it returns, else `other`; a later answer makes the step
    /// unimplemented.
    func awaitAnswer<Answer: Sendable>(
        orElse other: Answer, _ ask: (_ give: @escaping @Sendable (Answer) -> Void) -> Void
    ) -> Answer {
        guard step.step?.answerAfter == nil else {
            let isFirst = isUnimplemented.withLock { isUnimplemented in
                defer { isUnimplemented = true }
                return !isUnimplemented
            }
            if isFirst {
                step.notes.unimplemented(
                    "steps[\(step.number)].answerAfter: only challenges are answered by a call here, the rest by return value"
                )
                step.cancel()
            }
            return other
        }
        let given = Locked<Answer?>(nil)
        ask { answer in given.withLock { $0 = $0 ?? answer } }
        return given.withLock { $0 } ?? other
    }
}

/// A delegate of NSURLConnection or NSURLDownload that records every callback and answers as its step says.
protocol LegacyRecording: LegacyDelegate, PartialDelegate {
    var record: LegacyRecord { get }
}

extension LegacyRecording {
    var challengeMethods: LegacyChallengeMethods { record.challengeMethods }
    var missingMethods: Set<OptionalMethod> { record.missingMethods }

    /// Records `askCredStore`; the answer is yes, as without the method, unless the program says no.
    func shouldUseCredentialStorage(for load: any LegacyLoading) -> Bool {
        let isUsed = record.step.step?.onCredentialStorage ?? true
        let detail = EventDetail(facts: [EventFact(.accepts, .flag(isUsed))])
        record.enter(.askCredStore, detail, method: "ShouldUseCredentialStorage:").returns()
        return isUsed
    }

    /// Records `canonicalize` or `redirect`.
    func load(
        _ load: any LegacyLoading, willSend request: ClientRequest, redirectResponse response: LoadResponse?
    ) -> ClientRequest? {
        let method = ":willSendRequest:redirectResponse:"
        guard let response else {
            let call = record.enter(.canonicalize, EventDetail(facts: .proposed(request)), method: method)
            defer { call.returns() }
            guard !call.isCancelled, record.step.step?.onCanonicalize != nil else { return request }
            return record.awaitAnswer(orElse: nil) { record.step.answerCanonicalForm(of: request, $0) }
        }
        let detail = EventDetail(response, asking: record.step.fieldNames).appending(.proposed(request))
        let call = record.enter(.redirect, detail, method: method)
        defer { call.returns() }
        guard !call.isCancelled else { return nil }
        return record.awaitAnswer(orElse: nil) { record.step.answerRedirect(proposed: request, $0) }
    }

    /// Records `askCanAuth`; the answer is yes when the program answers challenges, unless it says no.
    func load(_ load: any LegacyLoading, canAuthenticateAgainst space: LoadChallenge.ProtectionSpace) -> Bool {
        let isAble = record.step.step?.onCanAuthenticate ?? true
        let facts: EventFacts = [
            EventFact(.realm, .text(space.realm)), EventFact(.host, .text(space.origin.host)),
            EventFact(.port, .integer(space.origin.port)), EventFact(.accepts, .flag(isAble)),
        ]
        record.enter(
            .askCanAuth, EventDetail(space.kind, facts: facts), method: ":canAuthenticateAgainstProtectionSpace:"
        ).returns()
        return isAble
    }

    /// Records `challenge`, with the name of the delegate's method (R19).
    func load(_ load: any LegacyLoading, didReceive challenge: LegacyChallenge) {
        let call = record.enter(
            .challenge, EventDetail(challenge.challenge, scope: nil),
            method: record.usesNewMethod
                ? ":willSendRequestForAuthenticationChallenge:" : ":didReceiveAuthenticationChallenge:")
        defer { call.returns() }
        guard !call.isCancelled else { return }
        if !record.step.answerChallenge({ challenge.resolve($0) }) { challenge.performDefaultHandling() }
    }

    func load(_ load: any LegacyLoading, didCancel challenge: LoadChallenge) {
        record.enter(
            .challengeCancelled, EventDetail(challenge, scope: nil), method: ":didCancelAuthenticationChallenge:"
        ).returns()
    }

    func recordResponse(_ response: LoadResponse) {
        record.step.received(response)
        record.enter(.response, EventDetail(response), method: ":didReceiveResponse:").returns()
    }

    func recordEnd(_ error: LoadError?, method: String = ":didFailWithError:") {
        record.step.ended(with: error)
        record.enter(.complete, EventDetail(end: error), method: method).returns()
    }
}

final class ConnectionRecorder: LegacyRecording, ReferenceConnectionDelegate {
    let record: LegacyRecord
    private let token: DelegateToken

    init(_ record: LegacyRecord) {
        self.record = record
        token = record.makeToken()
    }

    func connectionNeedsNewBodyStream(_ connection: ReferenceConnection) -> BodyStream? {
        let call = record.enter(.needBodyStream, method: ":needNewBodyStream:")
        defer { call.returns() }
        guard !call.isCancelled else { return nil }
        return record.awaitAnswer(orElse: nil) { record.step.answerBodyStream($0) }
    }

    func connection(_ connection: ReferenceConnection, didSendBodyData n: Int, total: Int, expected: Int) {
        record.enter(
            .bodySent, EventDetail(facts: .arithmetic(n: n, total: total, expected: expected)),
            method: ":didSendBodyData:totalBytesWritten:totalBytesExpectedToWrite:"
        ).returns()
    }

    func connection(_ connection: ReferenceConnection, didReceive response: LoadResponse) { recordResponse(response) }

    func connection(_ connection: ReferenceConnection, didReceive data: [UInt8]) {
        record.step.received(data)
        record.enter(.data, EventDetail(facts: .content(of: data)), method: ":didReceiveData:").returns()
    }

    func connection(
        _ connection: ReferenceConnection, willCache response: LoadResponse, byteCount: Int
    ) -> StoringAnswer {
        let detail = EventDetail(storing: response, byteCount: byteCount)
        let call = record.enter(.willCache, detail, method: ":willCacheResponse:")
        defer { call.returns() }
        guard !call.isCancelled else { return .refuse }
        return record.awaitAnswer(orElse: .refuse) { record.step.answerStoring($0) }
    }

    func connectionDidFinishLoading(_ connection: ReferenceConnection) {
        recordEnd(nil, method: "DidFinishLoading:")
    }

    func connection(_ connection: ReferenceConnection, didFailWith error: LoadError) { recordEnd(error) }
}

final class ConnectionDownloadRecorder: LegacyRecording, ReferenceConnectionDownloadDelegate {
    let record: LegacyRecord
    private let token: DelegateToken

    init(_ record: LegacyRecord) {
        self.record = record
        token = record.makeToken()
    }

    func connection(_ connection: ReferenceConnectionDownload, didWriteData n: Int, total: Int, expected: Int) {
        record.enter(
            .progress, EventDetail(facts: .arithmetic(n: n, total: total, expected: expected)),
            method: ":didWriteData:totalBytesWritten:expectedTotalBytes:"
        ).returns()
    }

    /// Records `downloadResumed`, with the offset; 0 means from the beginning (R36).
    func connectionDidResumeDownloading(_ connection: ReferenceConnectionDownload, total: Int, expected: Int) {
        let facts: EventFacts = [EventFact(.offset, .integer(total)), EventFact(.expected, .integer(expected))]
        record.enter(
            .downloadResumed, EventDetail(String(total), facts: facts),
            method: "DidResumeDownloading:totalBytesWritten:expectedTotalBytes:"
        ).returns()
    }

    /// Records `fileReady` and the end; reads the file, which is removed when the callback returns.
    func connectionDidFinishDownloading(_ connection: ReferenceConnectionDownload, destination path: String) {
        let body = KeptBody(ofFile: path)
        record.step.receivedFile(at: path)
        record.step.received(whole: body ?? KeptBody(), of: connection.response)
        record.step.ended(with: nil)
        let facts = ([EventFact(.file, .text(path))] as EventFacts).appending(body?.contentFacts ?? [])
        record.enter(.fileReady, EventDetail(facts: facts), method: "DidFinishDownloading:destinationURL:").returns()
    }

    func connection(_ connection: ReferenceConnectionDownload, didFailWith error: LoadError) {
        recordEnd(error)
    }

    func connectionDidFinishLoading(_ connection: ReferenceConnectionDownload) {
        recordEnd(nil, method: "DidFinishLoading:")
    }
}

final class DownloadRecorder: LegacyRecording, ReferenceDownloadDelegate {
    let record: LegacyRecord
    private let folder: String
    /// Whether a file of the suggested name may be replaced.
    private let overwrites: Bool
    private let destination: Locked<String?>

    /// `destination` is the file of a resumed download.
    init(_ record: LegacyRecord, folder: String, destination: String? = nil) {
        (self.record, self.folder) = (record, folder)
        overwrites = record.step.step?.download?.overwrites ?? false
        self.destination = Locked(destination)
    }

    /// The path of the file; nil before it exists.
    var path: String? { destination.withLock { $0 } }

    func downloadDidBegin(_ download: ReferenceDownload) {
        record.enter(.downloadBegin, method: "DidBegin:").returns()
    }

    func download(_ download: ReferenceDownload, didReceive response: LoadResponse) { recordResponse(response) }

    /// Records `downloadResumed` in place of `response`, with the offset; 0 means from the beginning (R36).
    func download(_ download: ReferenceDownload, willResumeWith response: LoadResponse, fromByte offset: Int) {
        record.step.received(response)
        var facts = EventDetail(response).facts
        facts.add(.offset, offset)
        record.enter(
            .downloadResumed, EventDetail(String(offset), facts: facts), method: ":willResumeWithResponse:fromByte:"
        ).returns()
    }

    func download(_ download: ReferenceDownload, didReceiveDataOfLength byteCount: Int) {
        record.enter(
            .progress, EventDetail(facts: [EventFact(.n, .integer(byteCount))]), method: ":didReceiveDataOfLength:"
        ).returns()
    }

    /// Records `shouldDecode`; the answer is yes, unless the program says no.
    func download(_ download: ReferenceDownload, shouldDecodeSourceDataOfMIMEType type: String) -> Bool {
        let isDecoded = record.step.step?.onShouldDecode?.decodes(type) ?? true
        record.enter(
            .shouldDecode, EventDetail(type, facts: [EventFact(.accepts, .flag(isDecoded))]),
            method: ":shouldDecodeSourceDataOfMIMEType:"
        ).returns()
        return isDecoded
    }

    /// Records `destination`; chooses the suggested name.
    func download(_ download: ReferenceDownload, decideDestinationWithSuggestedFilename name: String) {
        let call = record.enter(
            .destination, EventDetail(name, facts: [EventFact(.suggestedName, .text(name))]),
            method: ":decideDestinationWithSuggestedFilename:")
        defer { call.returns() }
        if !call.isCancelled { download.setDestination("\(folder)/\(name)", allowingOverwrite: overwrites) }
    }

    func download(_ download: ReferenceDownload, didCreateDestination path: String) {
        destination.withLock { $0 = path }
        record.enter(
            .destinationCreated, EventDetail(facts: [EventFact(.file, .text(path))]), method: ":didCreateDestination:"
        ).returns()
    }

    func downloadDidFinish(_ download: ReferenceDownload) {
        if let path { record.step.received(whole: KeptBody(ofFile: path) ?? KeptBody(), of: nil) }
        recordEnd(nil, method: "DidFinish:")
    }

    func download(_ download: ReferenceDownload, didFailWith error: LoadError) { recordEnd(error) }
}
