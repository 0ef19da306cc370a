internal import ProctorBase
internal import ProctorHTTP
internal import ProctorLoop

/// A download as NSURLDownload has it: to a place that its delegate chooses, which may be gone on with (family download).
///
/// The load keeps its delegate until its end.
public final class ReferenceDownload: LegacyLoad {
    /// What was asked for first, as it was given; of a download that goes on, without the fields that ask for the rest.
    public let originalRequest: ClientRequest
    let core: LegacyCore<any ReferenceDownloadDelegate>
    let refusedRedirect: RefusedRedirect
    private let firstRequest: ClientRequest
    private let choices: Locked<Choices>
    private let loopContent: LoopBound<DownloadContent>

    /// What refusing a redirect does to the download (R5).
    public enum RefusedRedirect: Sendable, Equatable {
        /// As NSURLDownload.h says: like ``ReferenceDownload/cancel()``, without another word.
        case cancel
        /// As URLSession does: the redirect itself is what is downloaded.
        case deliver
    }

    private struct Choices {
        var destination: Destination?
        var deletesFileUponFailure = true
        var resumeData: ResumeData?
    }

    /// A place that was chosen for the file.
    struct Destination: Sendable, Equatable {
        let path: String
        let overwrites: Bool
    }

    // MARK: Making

    /// Nothing happens before ``start()``; `timeout` takes the place of the network's `requestTimeout`.
    ///
    /// A file without a chosen place is put into the configuration's `temporaryFolder`.
    public convenience init(
        _ request: ClientRequest, delegate: any ReferenceDownloadDelegate, on network: LegacyNetwork,
        scheduledOn queue: CallbackQueue, refusedRedirect: RefusedRedirect = .cancel, timeout: Duration? = nil
    ) {
        self.init(
            request, delegate: delegate, on: network, scheduledOn: queue, refusedRedirect: refusedRedirect,
            timeout: timeout, filter: nil)
    }

    /// Goes on where another one ended, in its file; nil when another download has taken the data already.
    public convenience init?(
        resuming data: ResumeData, delegate: any ReferenceDownloadDelegate, on network: LegacyNetwork,
        scheduledOn queue: CallbackQueue, refusedRedirect: RefusedRedirect = .cancel, timeout: Duration? = nil
    ) {
        self.init(
            resuming: data, delegate: delegate, on: network, scheduledOn: queue, refusedRedirect: refusedRedirect,
            timeout: timeout, filter: nil)
    }

    /// `filter` sees each call before it is made.
    package convenience init(
        _ request: ClientRequest, delegate: any ReferenceDownloadDelegate, on network: LegacyNetwork,
        scheduledOn queue: CallbackQueue, refusedRedirect: RefusedRedirect, timeout: Duration?,
        filter: (any CallFilter)?
    ) {
        self.init(
            request, sending: request, into: DownloadContent(of: request), delegate: delegate, on: network,
            scheduledOn: queue, refusedRedirect: refusedRedirect, timeout: timeout, filter: filter)
    }

    /// nil when another download has taken the data already; `filter` sees each call before it is made.
    package convenience init?(
        resuming data: ResumeData, delegate: any ReferenceDownloadDelegate, on network: LegacyNetwork,
        scheduledOn queue: CallbackQueue, refusedRedirect: RefusedRedirect, timeout: Duration?,
        filter: (any CallFilter)?
    ) {
        guard let content = DownloadContent(goingOnWith: data) else { return nil }
        self.init(
            data.request, sending: data.rest, into: content, delegate: delegate, on: network, scheduledOn: queue,
            refusedRedirect: refusedRedirect, timeout: timeout, filter: filter)
    }

    private init(
        _ request: ClientRequest, sending firstRequest: ClientRequest, into content: sending DownloadContent,
        delegate: any ReferenceDownloadDelegate, on network: LegacyNetwork, scheduledOn queue: CallbackQueue,
        refusedRedirect: RefusedRedirect, timeout: Duration?, filter: (any CallFilter)?
    ) {
        originalRequest = request
        self.firstRequest = firstRequest
        loopContent = LoopBound(content, on: network.loop)
        self.refusedRedirect = refusedRedirect
        choices = Locked(Choices())
        core = LegacyCore(
            delegate, challengeMethods: delegate.challengeMethods == .oldTrio ? .oldTrio : .none, network: network,
            queue: queue,
            options: network.loadOptions(timeout: timeout, asksToStore: false),
            filter: filter)
    }

    // MARK: From any thread

    /// Begins; to be called once.
    public func start() { begin(firstRequest) }

    /// Ends the download without a word to its delegate (R42); the file goes or stays as after a failure.
    public func cancel() { stop() }

    /// Returns when the last call has returned, or after a cancel when nothing can come any more.
    public func ended() async { await core.ended() }

    /// Chooses the place of the file, where the folder of it is there; the first choice counts.
    ///
    /// Without `allowingOverwrite` a file that has the name stays, and this one gets a number: `a-1.txt`. To be called
    /// before the start, or at the latest when the delegate is asked.
    public func setDestination(_ path: String, allowingOverwrite overwrites: Bool) {
        choices.withLock { choices in
            if choices.destination == nil { choices.destination = Destination(path: path, overwrites: overwrites) }
        }
    }

    /// Whether the file goes when the download fails or is cancelled; true unless it is set, which leaves no resume data.
    public var deletesFileUponFailure: Bool {
        get { choices.withLock { $0.deletesFileUponFailure } }
        set { choices.withLock { $0.deletesFileUponFailure = newValue } }
    }

    /// What another download can go on with, after the end of this one; nil where that is not possible (R36).
    ///
    /// There is none while the file is deleted upon failure, and none from a server that says nothing about versions.
    public var resumeData: ResumeData? { choices.withLock { $0.resumeData } }

    var destination: Destination? { choices.withLock { $0.destination } }

    func leave(_ data: ResumeData?) { choices.withLock { $0.resumeData = data } }

    // MARK: From notices to calls

    func common(_ delegate: any ReferenceDownloadDelegate) -> any LegacyDelegate { delegate }

    private var content: DownloadContent { loopContent.value }

    // MARK: On the network's thread

    func prepare(_ load: Load) { place(.created, of: load) }

    func load(_ load: Load, tells call: DelegateCall) {
        guard core.onLoop.load === load, !takeCommon(call, of: load) else { return }
        switch call {
        // There is no method for a stream; the one that came with the request has been sent.
        case .needBodyStream: load.answer(.bodyStreamAnswered(nil))
        case .response(let response): attempt(load) { () throws(LoadError) in try take(response, of: load) }
        case .data(let bytes):
            attempt(load) { () throws(LoadError) in
                try content.append(bytes)
                place(.progress(content.progress(by: bytes.count)), of: load) { load.didConsume(bytes.count) }
            }
        case .complete(let error): end(load, error ?? content.shortfall)
        // Nothing asks to store a download.
        case .willCache: load.answer(.cacheAnswered(isStored: false))
        default: break
        }
    }

    private func attempt(_ load: Load, _ body: () throws(LoadError) -> Void) {
        do throws(LoadError) {
            try body()
        } catch {
            giveUp(load, error)
        }
    }

    private func end(_ load: Load, _ error: LoadError?) {
        do throws(LoadError) {
            if let error { throw error }
            try content.finish()
        } catch {
            abandon()
            return placeLast(.complete(error), of: load)
        }
        content.file?.keep()
        content.file?.finish()
        content.letGo()
        placeLast(.complete(nil), of: load)
    }

    private func giveUp(_ load: Load, _ error: LoadError) {
        guard core.onLoop.load === load else { return }
        abandon()
        fail(load, error)
    }

    /// The file goes, or it stays, with what it takes to go on where that is possible.
    private func abandon() {
        if !deletesFileUponFailure {
            content.file?.keep()
            leave(content.left)
        }
        content.letGo()
    }

    private func take(_ response: LoadResponse, of load: Load) throws(LoadError) {
        let goOn: @Sendable () -> Void = { load.answer(.responseAnswered(isAllowed: true)) }
        switch try content.begin(with: response) {
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
                overwriting: destination?.overwrites ?? false, limit: configuration.fileByteLimit)
            content.store(in: file)
            place(.createdDestination(path: file.path), of: load) { load.answer(.responseAnswered(isAllowed: true)) }
        }
    }

    private func onNetwork(of load: Load, _ body: @escaping @Sendable (ReferenceDownload) -> Void) {
        load.loop.submit { [self] in if core.onLoop.load === load, !core.isSilent { body(self) } }
    }

    // MARK: On the callback thread

    func refuseRedirect(of load: Load) {
        switch refusedRedirect {
        case .cancel: cancel()
        case .deliver: load.answer(.redirectAnswered(nil))
        }
    }

    func make(_ call: DelegateCall, of load: Load, to delegate: any ReferenceDownloadDelegate) {
        switch call {
        case .created: delegate.downloadDidBegin(self)
        case .response(let response): delegate.download(self, didReceive: response)
        case .downloadResumed(let response?, let offset, _):
            delegate.download(self, willResumeWith: response, fromByte: offset)
        case .progress(let progress): delegate.download(self, didReceiveDataOfLength: progress.byteCount)
        case .shouldDecode(let type):
            guard delegate.download(self, shouldDecodeSourceDataOfMIMEType: type) else { return }
            // Before the question that follows: that one begins on this thread, too.
            onNetwork(of: load) { download in
                guard let encoding = SourceDecoding.Encoding(type: type) else { return }
                download.attempt(load) { () throws(LoadError) in try download.content.decode(encoding) }
            }
        case .decideDestination(let name):
            delegate.download(self, decideDestinationWithSuggestedFilename: name)
        case .createdDestination(let path): delegate.download(self, didCreateDestination: path)
        case .complete(nil): delegate.downloadDidFinish(self)
        case .complete(let error?): delegate.download(self, didFailWith: error)
        default: makeCommon(call, of: load, to: delegate)
        }
    }
}

/// The delegate of a ``ReferenceDownload``, in the words of NSURLDownload; each method may be left out.
///
/// Of ``LegacyDelegate`` it knows the old methods for challenges alone.
public protocol ReferenceDownloadDelegate: LegacyDelegate {
    /// The first of all, but for the question about stored credentials (R37).
    func downloadDidBegin(_ download: ReferenceDownload)

    /// The definitive head; another one makes what came before it void (R26).
    func download(_ download: ReferenceDownload, didReceive response: LoadResponse)

    /// In place of `didReceive response` where an earlier download is gone on with; byte 0: from the beginning (R36).
    func download(_ download: ReferenceDownload, willResumeWith response: LoadResponse, fromByte offset: Int)

    /// So many bytes came; they are in the file.
    func download(_ download: ReferenceDownload, didReceiveDataOfLength byteCount: Int)

    /// Whether a file of that encoding is to be decoded on its way to the disk; asked of encodings alone (R37).
    ///
    /// Yes: the file is what stands in the gzip, MacBinary or BinHex file, of the latter two the data fork; what can't be
    /// decoded fails with `cannotDecodeRawData`, and nothing can be gone on with. Left out: no.
    func download(_ download: ReferenceDownload, shouldDecodeSourceDataOfMIMEType type: String) -> Bool

    /// Time for ``ReferenceDownload/setDestination(_:allowingOverwrite:)``; asked where no destination is set.
    ///
    /// The name is one file name, whatever the server said. Left out: that name, in the download's own folder.
    func download(_ download: ReferenceDownload, decideDestinationWithSuggestedFilename name: String)

    /// The file is there, and still empty.
    func download(_ download: ReferenceDownload, didCreateDestination path: String)

    /// The end, if all went well; the file stays.
    func downloadDidFinish(_ download: ReferenceDownload)

    /// The end, if not; what becomes of the file is said by ``ReferenceDownload/deletesFileUponFailure``.
    func download(_ download: ReferenceDownload, didFailWith error: LoadError)
}

extension ReferenceDownloadDelegate {
    /// Does nothing.
    public func downloadDidBegin(_ download: ReferenceDownload) {}

    /// Does nothing.
    public func download(_ download: ReferenceDownload, didReceive response: LoadResponse) {}

    /// Does nothing.
    public func download(
        _ download: ReferenceDownload, willResumeWith response: LoadResponse, fromByte offset: Int
    ) {}

    /// Does nothing.
    public func download(_ download: ReferenceDownload, didReceiveDataOfLength byteCount: Int) {}

    /// No.
    public func download(
        _ download: ReferenceDownload, shouldDecodeSourceDataOfMIMEType type: String
    ) -> Bool { false }

    /// The name that is offered, in the folder of the configuration.
    public func download(_ download: ReferenceDownload, decideDestinationWithSuggestedFilename name: String) {}

    /// Does nothing.
    public func download(_ download: ReferenceDownload, didCreateDestination path: String) {}

    /// Does nothing.
    public func downloadDidFinish(_ download: ReferenceDownload) {}

    /// Does nothing.
    public func download(_ download: ReferenceDownload, didFailWith error: LoadError) {}
}
