internal import ProctorHTTP

/// The content of a download in its file, and whether another one could go on with it; every shape of a download has one.
///
/// Belongs to the thread of the load.
final class DownloadContent {
    /// What was asked for in the first place, without the fields that ask for the rest.
    let request: ClientRequest
    /// nil before there is a place for it, and when it is over.
    private(set) var file: DownloadFile?
    /// The version of the bytes in the file; nil where no download could go on with them.
    private var version: DownloadVersion?
    /// Until the server has said how it goes on: the first byte that was asked for.
    private var offset: Int?
    /// Of the whole, as the server announced it.
    private var announced: Int?
    /// The part that is being received, where it is one.
    private var part: ContentRange?
    /// What the bytes are to be taken out of on their way to the file; nil: they are the file.
    private var source: SourceDecoding?

    /// How the content of a response relates to what is there.
    enum Beginning: Equatable {
        /// There is no file yet; ``store(in:)`` has to be called before there is content.
        case new
        /// A further part; what was there is gone (R26).
        case again
        /// From that byte on; 0: what was there is gone (R36).
        case goesOn(from: Int)
    }

    init(of request: ClientRequest) { self.request = request }

    /// nil when another download has taken the data already.
    init?(goingOnWith data: ResumeData) {
        guard let file = data.takeFile() else { return nil }
        request = data.request
        self.file = file
        version = data.version
        offset = data.byteCount
    }

    // MARK: Receiving

    /// Only a response that the content follows changes what is known of the bytes: after a refused one they are still
    /// those of the version that was asked for.
    func begin(with response: LoadResponse) throws(LoadError) -> Beginning {
        guard let file else {
            adopt(response)
            return .new
        }
        guard let offset, let version else {
            try startOver(file, with: response)
            return .again
        }
        self.offset = nil
        switch ResumptionAnswer(response, to: offset, of: version) {
        case .goesOn(let range):
            part = range
            announced = range.length ?? version.byteCount
            return .goesOn(from: offset)
        case .startsOver:
            try startOver(file, with: response)
            return .goesOn(from: 0)
        case .refused(let error): throw error
        case .impossible(let error):
            self.version = nil
            throw error
        }
    }

    private func startOver(_ file: DownloadFile, with response: LoadResponse) throws(LoadError) {
        version = nil
        try file.empty()
        adopt(response)
    }

    private func adopt(_ response: LoadResponse) {
        version = DownloadVersion(of: response)
        announced = response.expectedByteCount
        part = nil
        source = nil
    }

    /// Of the response that has begun: its content is a file in that encoding.
    ///
    /// The rest of the decoded bytes that are in the file then can't be asked for.
    func decode(_ encoding: SourceDecoding.Encoding) throws(LoadError) {
        source = try SourceDecoding(encoding)
        version = nil
    }

    /// To be called after ``Beginning/new``.
    func store(in file: DownloadFile) { self.file = file }

    /// More than the part has by its own account is refused before it is written.
    func append(_ bytes: [UInt8]) throws(LoadError) {
        guard let file else { return }
        if let part, bytes.count > part.last - file.byteCount + 1 {
            throw LoadError(
                .badServerResponse,
                "content came behind byte \(part.last) of \(request.url), the last one that the 206 announced")
        }
        if let source {
            try source.take(bytes, file.append)
        } else {
            try file.append(bytes)
        }
    }

    /// The content is whole: whether its encoding is, too.
    func finish() throws(LoadError) {
        guard let file, let source else { return }
        self.source = nil
        try source.finish(file.append)
    }

    /// Under which name it is offered for saving, outside of its encoding where it is decoded.
    func name(of response: LoadResponse) -> String {
        source?.encoding.decodedName(response.suggestedName) ?? response.suggestedName
    }

    /// What is in the file.
    var byteCount: Int { file?.byteCount ?? 0 }

    /// Of the whole, in bytes; nil when it is unknown, as after a length that was too short (R34).
    var expected: Int? { announced.flatMap { byteCount <= $0 ? $0 : nil } }

    /// The numbers of a callback about so many new bytes; `expected` is -1 where it is unknown.
    func progress(by byteCount: Int) -> TransferProgress {
        TransferProgress(byteCount: byteCount, total: self.byteCount, expected: expected ?? -1)
    }

    /// Nothing has come in answer to the request for the rest.
    var isAwaitingAnswer: Bool { offset != nil }

    /// Why a reply that ended in order has not brought all that its Content-Range announced; nil where it has.
    var shortfall: LoadError? {
        guard let part, byteCount <= part.last else { return nil }
        return LoadError(
            .connectionLost,
            "the rest of \(request.url) ended before byte \(byteCount); expected byte \(part.last) to be the last one")
    }

    // MARK: The end

    /// What another download can go on with, also where this one went on and was never answered; nil where none can.
    var left: ResumeData? {
        guard let file, let version else { return nil }
        return ResumeData(file, version, of: request)
    }

    /// Releases the file, which is removed unless it is held elsewhere or kept.
    func letGo() { file = nil }
}
