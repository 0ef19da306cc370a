internal import ProctorBase
internal import ProctorHTTP
internal import ProctorLoop

/// A load in the shape of NSURLDownload: into a file that its delegate chooses, resumable (family download).
///
/// The load keeps its delegate until its end.
package final class ReferenceDownload: LegacyLoad {
    /// The request as given; for a resumed download, without the fields that request the rest.
    package let originalRequest: ClientRequest
    let core: LegacyCore
    private let refusedRedirect: RefusedRedirect
    let firstRequest: ClientRequest
    private let choices: Locked<Choices>
    private let loopContent: LoopBound<DownloadContent>

    /// The effect of a refused redirect on the download (R5).
    package enum RefusedRedirect: Sendable, Equatable {
        /// As NSURLDownload.h says: like ``ReferenceDownload/cancel()``, without another call.
        case cancel
        /// As URLSession does: downloads the redirect's own response.
        case deliver
    }

    private struct Choices {
        var destination: (path: String, overwrites: Bool)?
        var deletesFileUponFailure = true
        var resumeData: ResumeData?
    }

    // MARK: Making

    /// Loads only after ``start()``; `timeout` replaces the network's `requestTimeout`.
    ///
    /// A file without a chosen path is in the configuration's `temporaryFolder`.
    package convenience init(
        _ request: ClientRequest, delegate: any LegacyDelegate, on network: LegacyNetwork,
        scheduledOn queue: CallbackQueue, refusedRedirect: RefusedRedirect = .cancel, timeout: Duration? = nil
    ) {
        self.init(
            request, sending: request, into: DownloadContent(of: request), delegate: delegate, on: network,
            scheduledOn: queue, refusedRedirect: refusedRedirect, timeout: timeout)
    }

    /// Resumes another download in its file; nil when a further download has already taken the data.
    package convenience init?(
        resuming data: ResumeData, delegate: any LegacyDelegate, on network: LegacyNetwork,
        scheduledOn queue: CallbackQueue, refusedRedirect: RefusedRedirect = .cancel, timeout: Duration? = nil
    ) {
        guard let content = DownloadContent(goingOnWith: data) else { return nil }
        self.init(
            data.request, sending: data.rest, into: content, delegate: delegate, on: network, scheduledOn: queue,
            refusedRedirect: refusedRedirect, timeout: timeout)
    }

    private init(
        _ request: ClientRequest, sending firstRequest: ClientRequest, into content: sending DownloadContent,
        delegate: any LegacyDelegate, on network: LegacyNetwork, scheduledOn queue: CallbackQueue,
        refusedRedirect: RefusedRedirect, timeout: Duration?
    ) {
        originalRequest = request
        self.firstRequest = firstRequest
        loopContent = LoopBound(content, on: network.loop)
        self.refusedRedirect = refusedRedirect
        choices = Locked(Choices())
        core = LegacyCore(
            delegate, challengeMethods: delegate.challengeMethods.ofDownloads, network: network, queue: queue,
            timeout: timeout, asksToStore: false)
    }

    // MARK: From any thread

    /// Chooses the path of the file, in an existing folder; only the first choice counts.
    ///
    /// Without `allowingOverwrite` an existing file stays, and the new one gets a number: `a-1.txt`. Call it before the
    /// start, or at the latest when the delegate is asked.
    package func setDestination(_ path: String, allowingOverwrite overwrites: Bool) {
        choices.withLock { choices in
            if choices.destination == nil { choices.destination = (path, overwrites) }
        }
    }

    /// Whether a failed or cancelled download removes its file and leaves no resume data; true by default.
    package var deletesFileUponFailure: Bool {
        get { choices.withLock { $0.deletesFileUponFailure } }
        set { choices.withLock { $0.deletesFileUponFailure = newValue } }
    }

    /// The data with which another download can resume, after the end of this one; nil when that is impossible (R36).
    ///
    /// nil also when a failure removes the file, and when the server sent no validator.
    package var resumeData: ResumeData? { choices.withLock { $0.resumeData } }

    private var destination: (path: String, overwrites: Bool)? { choices.withLock { $0.destination } }

    private var content: DownloadContent { loopContent.value }

    private var fault: DownloadFault? { core.network.configuration.downloadFault }

    // MARK: On the network's thread

    func prepare(_ load: Load) { place(.created, of: load) }

    func receiveContent(_ bytes: [UInt8], of load: Load) throws(LoadError) {
        try content.append(bytes)
        place(.progress(content.progress(by: bytes.count)), of: load) { load.didConsume(bytes.count) }
    }

    func finish(_ load: Load, _ error: LoadError?) {
        do throws(LoadError) {
            if let error = error ?? content.shortfall { throw error }
            try content.finish()
        } catch {
            abandon()
            return placeLast(.complete(error), of: load)
        }
        content.file?.retain()
        content.file?.finish()
        content.letGo()
        placeLast(.complete(nil), of: load)
    }

    /// Removes the file, or keeps it with the resume data when a resumption is possible.
    func abandon() {
        if !deletesFileUponFailure {
            content.file?.retain()
            let left = fault == .losesResumeData ? nil : content.left
            choices.withLock { $0.resumeData = left }
        } else if fault == .keepsFailedFile {
            content.file?.retain()
        }
        content.letGo()
    }

    func receiveResponse(_ response: LoadResponse, of load: Load) throws(LoadError) {
        let goOn: @Sendable () -> Void = { load.submit(.responseAnswered(.allow)) }
        switch try content.start(with: response) {
        case .goesOn(let offset):
            let call = DelegateCall.downloadResumed(response, offset: offset, expected: content.expected ?? -1)
            place(call, of: load, then: goOn)
        case .again: place(.response(response), of: load, then: goOn)
        case .new:
            place(.response(response), of: load) { [self] in
                onNetwork(of: load) { $0.askAboutEncoding(response, of: load) }
            }
        }
    }

    private func askAboutEncoding(_ response: LoadResponse, of load: Load) {
        guard let type = response.mimeType, SourceDecoding.Encoding(type: type) != nil else {
            return askForPlace(response.suggestedName, of: load)
        }
        place(.shouldDecode(type: type), of: load) { [self] in
            onNetwork(of: load) { $0.askForPlace($0.content.name(of: response), of: load) }
        }
    }

    private func askForPlace(_ name: String, of load: Load) {
        guard destination == nil else { return create(name, of: load) }
        place(.decideDestination(suggestedName: name), of: load) { [self] in
            onNetwork(of: load) { $0.create(name, of: load) }
        }
    }

    private func create(_ name: String, of load: Load) {
        attempt(load) { () throws(LoadError) in
            let configuration = core.network.configuration
            let file = try DownloadFile.create(
                at: destination?.path ?? "\(configuration.temporaryFolder)/\(name)",
                overwriting: destination?.overwrites == true || fault == .overwrites, limit: configuration.fileByteLimit
            )
            content.store(in: file)
            place(.createdDestination(path: file.path), of: load) { load.submit(.responseAnswered(.allow)) }
        }
    }

    private func onNetwork(of load: Load, _ body: @escaping @Sendable (ReferenceDownload) -> Void) {
        load.loop.submit { [self] in if core.onLoop.load === load, !core.isSilent { body(self) } }
    }

    // MARK: On the callback thread

    func refuseRedirect(of load: Load) {
        switch refusedRedirect {
        case .cancel where fault != .goesOnAfterCancel: cancel()
        case .cancel, .deliver: load.submit(.redirectAnswered(nil))
        }
    }

    func decodeFile(of type: String, isPermitted: Bool, of load: Load) {
        let legacyFault = core.network.configuration.legacyFault
        guard isPermitted || legacyFault == .decodesAlways else { return }
        // This comes before the next question, which is also submitted on this thread.
        onNetwork(of: load) { download in
            guard let encoding = SourceDecoding.Encoding(type: type) else { return }
            download.attempt(load) { () throws(LoadError) in
                try download.content.decode(
                    encoding, fault: legacyFault, staysResumable: download.fault == .resumesWhatWasDecoded)
            }
        }
    }
}

extension LegacyChallengeMethods {
    /// The methods that NSURLDownload calls, which does not call the new one.
    fileprivate var ofDownloads: Self { self == .oldTrio || self == .both ? .oldTrio : .none }
}
