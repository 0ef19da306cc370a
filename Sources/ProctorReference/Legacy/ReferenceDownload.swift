internal import ProctorBase

/// A download as NSURLDownload has it: to a place that its delegate chooses, which may be gone on with (family DL).
///
/// It keeps its delegate until its end.
public final class ReferenceDownload: LegacyShape {
    /// What was asked for first, as it was given; of a download that goes on, without the fields that ask for the rest.
    public let originalRequest: ClientRequest
    let core: LegacyCore<any ReferenceDownloadDelegate, DownloadCall>
    let refusedRedirect: RefusedRedirect
    private let firstRequest: ClientRequest
    private let choices: Locked<Choices>
    /// Network thread only.
    let content: DownloadContent

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
    /// The folder of files whose place nobody chooses is the configuration's `temporaryFolder`.
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
        filter: (any CallFilter<DownloadCall>)?
    ) {
        self.init(
            request, sending: request, DownloadContent(of: request), delegate, network, queue,
            refusedRedirect, timeout, filter)
    }

    /// nil when another download has taken the data already; `filter` sees each call before it is made.
    package convenience init?(
        resuming data: ResumeData, delegate: any ReferenceDownloadDelegate, on network: LegacyNetwork,
        scheduledOn queue: CallbackQueue, refusedRedirect: RefusedRedirect, timeout: Duration?,
        filter: (any CallFilter<DownloadCall>)?
    ) {
        guard let content = DownloadContent(goingOnWith: data) else { return nil }
        self.init(
            data.request, sending: data.rest, content, delegate, network, queue, refusedRedirect, timeout, filter)
    }

    private init(
        _ request: ClientRequest, sending firstRequest: ClientRequest, _ content: DownloadContent,
        _ delegate: any ReferenceDownloadDelegate, _ network: LegacyNetwork, _ queue: CallbackQueue,
        _ refusedRedirect: RefusedRedirect, _ timeout: Duration?, _ filter: (any CallFilter<DownloadCall>)?
    ) {
        originalRequest = request
        self.firstRequest = firstRequest
        self.content = content
        self.refusedRedirect = refusedRedirect
        choices = Locked(Choices())
        core = LegacyCore(
            delegate, challengeMethods: delegate.challengeMethods == .oldTrio ? .oldTrio : .none, network: network,
            queue: queue,
            options: network.configuration.loadOptions(
                timeout: timeout, asksToStore: false, keeper: network.keeper, security: network.security,
                cookies: network.cookieStore),
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
}
