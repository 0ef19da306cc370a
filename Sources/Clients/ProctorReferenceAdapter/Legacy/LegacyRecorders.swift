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
        step.enter(name, detail, queue: isLabelled ? queue.here : nil, method: prefix + method)
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

/// A delegate of any of the three shapes that records every callback and answers as its step says.
final class LegacyRecorder: LegacyDelegate, PartialDelegate {
    let record: LegacyRecord
    /// nil for NSURLDownload, of whose delegate no release is recorded.
    private let token: DelegateToken?
    /// The folder for files of a suggested name.
    private let folder: String
    private let destination: Locked<String?>

    /// `destination` is the file of a resumed download.
    init(_ record: LegacyRecord, folder: String, destination: String? = nil) {
        (self.record, self.folder) = (record, folder)
        token = record.step.family == .download ? nil : record.makeToken()
        self.destination = Locked(destination)
    }

    var challengeMethods: LegacyChallengeMethods { record.challengeMethods }
    var missingMethods: Set<OptionalMethod> { record.missingMethods }

    /// The path of a download's file; nil before it exists.
    var path: String? { destination.withLock { $0 } }

    // MARK: Questions

    /// Records `askCredStore`, `askCanAuth` or `shouldDecode`; the answer is yes, unless the program says no.
    ///
    /// Without a method, stored credentials are used too; of challenges, a program that answers none has no method.
    func load(_ load: any LegacyLoading, permits question: DelegateCall) -> Bool {
        let step = record.step.step
        switch question {
        case .canAuthenticate(let challenge):
            let space = challenge.space
            let facts: EventFacts = [
                EventFact(.realm, .text(space.realm)), EventFact(.host, .text(space.origin.host)),
                EventFact(.port, .integer(space.origin.port)),
            ]
            return permit(
                step?.onCanAuthenticate, .askCanAuth, EventDetail(space.kind, facts: facts),
                method: ":canAuthenticateAgainstProtectionSpace:")
        case .shouldDecode(let type):
            return permit(
                step?.onShouldDecode?.decodes(type), .shouldDecode, EventDetail(type, facts: []),
                method: ":shouldDecodeSourceDataOfMIMEType:")
        default:
            return permit(
                step?.onCredentialStorage, .askCredStore, EventDetail(), method: "ShouldUseCredentialStorage:")
        }
    }

    private func permit(_ answer: Bool?, _ name: EventName, _ detail: EventDetail, method: String) -> Bool {
        let isPermitted = answer ?? true
        enter(name, detail.appending([EventFact(.accepts, .flag(isPermitted))]), method: method)
        return isPermitted
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

    func loadNeedsNewBodyStream(_ load: any LegacyLoading) -> BodyStream? {
        let call = record.enter(.needBodyStream, method: ":needNewBodyStream:")
        defer { call.returns() }
        guard !call.isCancelled else { return nil }
        return record.awaitAnswer(orElse: nil) { record.step.answerBodyStream($0) }
    }

    func load(_ load: any LegacyLoading, willCache response: LoadResponse, byteCount: Int) -> StoringAnswer {
        let detail = EventDetail(storing: response, byteCount: byteCount)
        let call = record.enter(.willCache, detail, method: ":willCacheResponse:")
        defer { call.returns() }
        guard !call.isCancelled else { return .refuse }
        return record.awaitAnswer(orElse: .refuse) { record.step.answerStoring($0) }
    }

    // MARK: Calls without an answer

    func load(_ load: any LegacyLoading, tells call: DelegateCall) {
        switch call {
        case .challengeCancelled:
            enter(.challengeCancelled, call.detail(), method: ":didCancelAuthenticationChallenge:")
        case .bodySent:
            enter(.bodySent, call.detail(), method: ":didSendBodyData:totalBytesWritten:totalBytesExpectedToWrite:")
        case .response(let response):
            record.step.received(response)
            enter(.response, call.detail(), method: ":didReceiveResponse:")
        case .data(let bytes):
            record.step.received(bytes)
            enter(.data, call.detail(), method: ":didReceiveData:")
        case .created: enter(.downloadBegin, method: "DidBegin:")
        case .progress(let progress): enter(progress)
        case .downloadResumed(let response, let offset, let expected):
            enterResumption(of: response, at: offset, expected: expected)
        case .decideDestination(let name): choosePlace(of: load as? ReferenceDownload, named: name)
        case .createdDestination(let path):
            destination.withLock { $0 = path }
            enter(
                .destinationCreated, EventDetail(facts: [EventFact(.file, .text(path))]),
                method: ":didCreateDestination:")
        case .fileReady(let file): receive(file, of: load as? ReferenceConnectionDownload)
        case .complete(let error): endLoad(with: error)
        default: break
        }
    }

    private func enter(_ name: EventName, _ detail: EventDetail = EventDetail(), method: String) {
        record.enter(name, detail, method: method).returns()
    }

    private func enter(_ progress: TransferProgress) {
        if record.step.family == .download {
            let facts: EventFacts = [EventFact(.n, .integer(progress.byteCount))]
            return enter(.progress, EventDetail(facts: facts), method: ":didReceiveDataOfLength:")
        }
        var progress = progress
        progress.expected = max(0, progress.expected)
        enter(
            .progress, DelegateCall.progress(progress).detail(),
            method: ":didWriteData:totalBytesWritten:expectedTotalBytes:")
    }

    /// Records `downloadResumed`, with the offset; 0 means from the beginning (R36).
    private func enterResumption(of response: LoadResponse?, at offset: Int, expected: Int) {
        guard record.step.family == .download else {
            return enter(
                .downloadResumed,
                DelegateCall.downloadResumed(nil, offset: offset, expected: max(0, expected)).detail(),
                method: "DidResumeDownloading:totalBytesWritten:expectedTotalBytes:")
        }
        guard let response else { return }
        record.step.received(response)
        var facts = EventDetail(response).facts
        facts.add(.offset, offset)
        enter(
            .downloadResumed, EventDetail(String(offset), facts: facts), method: ":willResumeWithResponse:fromByte:")
    }

    /// Records `destination`; chooses the suggested name.
    private func choosePlace(of download: ReferenceDownload?, named name: String) {
        let call = record.enter(
            .destination, EventDetail(name, facts: [EventFact(.suggestedName, .text(name))]),
            method: ":decideDestinationWithSuggestedFilename:")
        defer { call.returns() }
        let overwrites = record.step.step?.download?.overwrites ?? false
        if !call.isCancelled { download?.setDestination("\(folder)/\(name)", allowingOverwrite: overwrites) }
    }

    /// Records `fileReady` and the end; reads the file, which is removed when the callback returns.
    private func receive(_ file: DownloadFile, of download: ReferenceConnectionDownload?) {
        let body = KeptBody(ofFile: file.path)
        record.step.receivedFile(at: file.path)
        record.step.received(whole: body ?? KeptBody(), of: download?.response)
        record.step.ended(with: nil)
        let facts = ([EventFact(.file, .text(file.path))] as EventFacts).appending(body?.contentFacts ?? [])
        enter(.fileReady, EventDetail(facts: facts), method: "DidFinishDownloading:destinationURL:")
    }

    private func endLoad(with error: LoadError?) {
        if error == nil, record.step.family == .download, let path {
            record.step.received(whole: KeptBody(ofFile: path) ?? KeptBody(), of: nil)
        }
        record.step.ended(with: error)
        let success = record.step.family == .download ? "DidFinish:" : "DidFinishLoading:"
        enter(.complete, EventDetail(end: error), method: error == nil ? success : ":didFailWithError:")
    }
}
