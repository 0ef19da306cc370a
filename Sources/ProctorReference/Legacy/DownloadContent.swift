internal import ProctorHTTP

/// What a ``ReferenceDownload`` has of its content; network thread only.
@safe final class DownloadContent: @unchecked Sendable {
    private let configuration: ReferenceConfiguration
    /// nil before there is a place for it.
    private(set) var file: DownloadFile?
    /// The reply with the whole; of a download that goes on, any reply to it.
    private var response: LoadResponse?
    /// What was gone on with, until the server has said whether it goes on.
    private var resumed: ResumeData?

    init(_ configuration: ReferenceConfiguration) { self.configuration = configuration }

    init(_ configuration: ReferenceConfiguration, goingOnWith file: DownloadFile, _ data: ResumeData) {
        self.configuration = configuration
        self.file = file
        resumed = data
    }

    /// How the content of a response relates to what is there.
    enum Beginning {
        /// Another place has to be found first.
        case new
        /// A further part; what was there is gone (R26).
        case again
        /// From that byte on (R36).
        case goesOn(from: Int)
    }

    func begin(with response: LoadResponse) throws(LoadError) -> Beginning {
        self.response = response
        guard let file else { return .new }
        guard let resumed else {
            try file.empty()
            return .again
        }
        self.resumed = nil
        switch ResumptionAnswer(response, to: resumed.byteCount, validator: resumed.validator) {
        case .goesOn: return .goesOn(from: resumed.byteCount)
        case .startsOver where response.status < 300:
            try file.empty()
            return .goesOn(from: 0)
        case .startsOver:
            throw LoadError(
                .badServerResponse,
                "the rest of \(response.url) was answered \(response.status); expected 206, or 200 for the whole")
        case .refused(let error): throw error
        }
    }

    /// Makes the file where it was chosen, else in the folder under the name that was offered.
    func create(_ destination: ReferenceDownload.Destination?, suggestedName: String) throws(LoadError) -> String {
        let file = try DownloadFile.create(
            at: destination?.path ?? "\(configuration.temporaryFolder)/\(suggestedName)",
            overwriting: destination?.overwrites ?? false, limit: configuration.fileByteLimit)
        self.file = file
        return file.path
    }

    func append(_ bytes: [UInt8]) throws(LoadError) { try file?.append(bytes) }

    /// The file is complete and stays.
    func finish() {
        file?.keep()
        file?.finish()
        file = nil
    }

    /// The download ended early: the file goes, or it stays, with what it takes to go on where that is possible.
    func abandon(_ request: ClientRequest, keeping isKept: Bool) -> ResumeData? {
        defer { file = nil }
        guard isKept else { return nil }
        file?.keep()
        var request = request
        request.fields.removeAll(named: "Range")
        request.fields.removeAll(named: "If-Range")
        return ResumeData(file, of: request, response: response)
    }
}
