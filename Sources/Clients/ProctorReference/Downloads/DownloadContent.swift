internal import ProctorCoding
internal import ProctorForkedFiles
internal import ProctorHTTP

/// The content of a download in its file, and the data with which a later download can resume; belongs to the load's
/// thread.
final class DownloadContent {
    /// The first request of the download, without the fields that request the rest.
    let request: ClientRequest
    /// nil before the file exists and after the end.
    private(set) var file: DownloadFile?
    /// The version of the bytes in the file; nil when no download could resume with them.
    private var version: DownloadVersion?
    /// The first byte that was requested; nil after the server has answered.
    private var offset: Int?
    /// The length of the whole content in bytes, as the server announced it.
    private var announced: Int?
    /// The range of a 206.
    private var range: ContentRange?
    /// Decodes the content before it is written; nil: the content is stored as it arrives.
    private var source: SourceDecoding?

    enum Beginning: Equatable {
        /// There is no file yet; call ``store(in:)`` before the content arrives.
        case new
        /// Another part of multipart/x-mixed-replace; the earlier bytes were removed (R26).
        case again
        /// The content continues at that byte; at 0 the earlier bytes were removed (R36).
        case goesOn(from: Int)
    }

    init(of request: ClientRequest) { self.request = request }

    /// nil when another download has already taken the data.
    init?(goingOnWith data: ResumeData) {
        guard let file = data.takeFile() else { return nil }
        request = data.request
        self.file = file
        version = data.version
        offset = data.byteCount
    }

    // MARK: Receiving

    /// Handles a response; when it is refused, the version of the stored bytes is unchanged.
    func start(with response: LoadResponse) throws(LoadError) -> Beginning {
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
            self.range = range
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
        range = nil
        source = nil
    }

    /// Decodes the content from now on; then the download can't be resumed, except with a deliberate fault.
    func decode(_ encoding: SourceDecoding.Encoding, fault: LegacyFault?, staysResumable: Bool) throws(LoadError) {
        source = try SourceDecoding(encoding, keepsResources: fault == .keepsResources)
        if !staysResumable { version = nil }
    }

    func store(in file: DownloadFile) { self.file = file }

    /// Refuses bytes beyond the announced part before it writes them.
    func append(_ bytes: [UInt8]) throws(LoadError) {
        guard let file else { return }
        if let range, bytes.count > range.last - file.byteCount + 1 {
            throw LoadError(
                .badServerResponse,
                "content came behind byte \(range.last) of \(request.url), the last one that the 206 announced")
        }
        if let source {
            try source.decode(bytes, file.append)
        } else {
            try file.append(bytes)
        }
    }

    func finish() throws(LoadError) {
        guard let file, let source else { return }
        self.source = nil
        try source.finish(file.append)
    }

    /// The file name that the response suggests, without the suffix of its encoding when the file is decoded.
    func name(of response: LoadResponse) -> String {
        source?.encoding.decodedName(response.suggestedName) ?? response.suggestedName
    }

    var byteCount: Int { file?.byteCount ?? 0 }

    /// The length of the whole content; nil when it is unknown, also after more bytes than announced (R34).
    var expected: Int? { announced.flatMap { byteCount <= $0 ? $0 : nil } }

    /// The numbers of a callback after `byteCount` new bytes; `expected` is -1 where it is unknown.
    func progress(by byteCount: Int) -> TransferProgress {
        TransferProgress(byteCount: byteCount, total: self.byteCount, expected: expected ?? -1)
    }

    /// Whether the request for the rest has no response yet.
    var isAwaitingAnswer: Bool { offset != nil }

    /// Why a complete reply has fewer bytes than its Content-Range announced; nil where it has all.
    var shortfall: LoadError? {
        guard let range, byteCount <= range.last else { return nil }
        return LoadError(
            .connectionLost,
            "the rest of \(request.url) ended before byte \(byteCount); expected byte \(range.last) to be the last one")
    }

    // MARK: The end

    /// The data with which another download can resume, also when the server never answered this one; nil when none
    /// can.
    var left: ResumeData? {
        guard let file, let version else { return nil }
        return ResumeData(file, version, of: request)
    }

    /// Releases the file, which is removed unless another owner holds or keeps it.
    func letGo() { file = nil }
}

/// Decodes the file of a download (R37); belongs to the load's thread.
final class SourceDecoding {
    /// Encodings of files; of MacBinary and BinHex only the data fork is decoded.
    enum Encoding: Sendable {
        case gzip, macBinary, binHex
    }

    let encoding: Encoding
    private let keepsResources: Bool
    private let stream: ContentDecoding?
    /// The bytes of MacBinary or BinHex, whose checksums can be checked only at the end.
    private var collected: [UInt8] = []

    private static let limit = 64 << 20

    init(_ encoding: Encoding, keepsResources: Bool) throws(LoadError) {
        (self.encoding, self.keepsResources) = (encoding, keepsResources)
        guard case .gzip = encoding else {
            stream = nil
            return
        }
        stream = try Self.decoding { () throws(CodingFailure) in try ContentDecoding([.gzip]) }
    }

    func decode(_ bytes: [UInt8], _ write: ([UInt8]) throws(LoadError) -> Void) throws(LoadError) {
        guard let stream else {
            guard Self.limit - collected.count >= bytes.count else {
                throw LoadError(
                    .dataLengthExceedsMaximum,
                    "the encoded file is longer than the \(Self.limit) bytes that are decoded; answer no and decode the file"
                )
            }
            collected += bytes
            return
        }
        stream.append(bytes)
        while let piece = try Self.decoding({ () throws(CodingFailure) in try stream.next() }) { try write(piece) }
    }

    func finish(_ write: ([UInt8]) throws(LoadError) -> Void) throws(LoadError) {
        let content = try Self.decoding { () throws(CodingFailure) -> [UInt8]? in
            switch encoding {
            case .gzip:
                try stream?.finish()
                return nil
            case .macBinary:
                let file = try MacBinary(parsing: collected).file
                return keepsResources ? file.resource : file.data
            case .binHex:
                let file = try BinHex(parsing: collected).file
                return keepsResources ? file.resource : file.data
            }
        }
        guard let content else { return }
        collected = []
        try write(content)
    }

    private static func decoding<Result>(_ body: () throws(CodingFailure) -> Result) throws(LoadError) -> Result {
        do throws(CodingFailure) {
            return try body()
        } catch {
            throw LoadError(.cannotDecodeRawData, "the file can't be taken out of its encoding: \(error)")
        }
    }
}

extension SourceDecoding.Encoding {
    /// The encoding of a MIME type, in the spellings of the NSURLDownload reference; nil for a file without an
    /// encoding.
    init?(type: String) {
        switch type {
        case "application/gzip", "application/x-gzip": self = .gzip
        case "application/macbinary": self = .macBinary
        case "application/binhex", "application/mac-binhex40": self = .binHex
        default: return nil
        }
    }

    func decodedName(_ name: String) -> String {
        let ending =
            switch self {
            case .gzip: ".gz"
            case .macBinary: ".bin"
            case .binHex: ".hqx"
            }
        guard name.count > ending.count, name.lowercased().hasSuffix(ending) else { return name }
        return String(name.dropLast(ending.count))
    }
}
