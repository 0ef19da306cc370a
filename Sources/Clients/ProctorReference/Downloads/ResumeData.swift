internal import ProctorBase
internal import ProctorHTTP

/// The data with which another download can resume: the bytes so far and the request for the rest.
///
/// This object owns the file with the bytes and removes it when it is released. Only one download can use it.
public final class ResumeData: Sendable {
    /// The number of bytes in the file, at least 1.
    public let byteCount: Int
    /// The value of If-Range: a strong ETag, or the date of the last change (RFC 9110 §13.1.5).
    package var validator: String { version.validator }
    /// The first request, before any redirect, since a redirect may have removed fields.
    package let request: ClientRequest
    package let version: DownloadVersion
    private let file: Locked<DownloadFile?>

    /// nil when no request for the rest could exclude another version.
    package init?(_ file: DownloadFile, _ version: DownloadVersion, of request: ClientRequest) {
        byteCount = file.byteCount
        guard byteCount > 0, request.method == "GET", !request.fields.contains(named: "Range") else { return nil }
        (self.version, self.request) = (version, request)
        self.file = Locked(file)
    }

    /// The path of the file; nil when a download has taken it.
    package var path: String? { file.withLock { $0?.path } }

    /// The file for the first caller, nil for all later ones.
    func takeFile() -> DownloadFile? {
        file.withLock { file in
            defer { file = nil }
            return file
        }
    }

    /// The request for the rest, or for the whole content if it has changed (RFC 9110 §14.2).
    ///
    /// It accepts no coding, since ranges count coded bytes (§14.1).
    var rest: ClientRequest {
        var rest = request
        rest.fields.set("Accept-Encoding", to: "identity")
        rest.fields.set("Range", to: "bytes=\(byteCount)-")
        rest.fields.set("If-Range", to: validator)
        return rest
    }
}

/// The version of a resource that a download's bytes belong to, for a request for the rest.
package struct DownloadVersion: Sendable, Equatable {
    /// The value of If-Range: a strong ETag, or the date of the last change (RFC 9110 §13.1.5).
    package let validator: String
    /// The length of the whole content in bytes; nil when the server did not announce it.
    package let byteCount: Int?
    package let isTag: Bool

    /// Makes a version from parts that were stored.
    package init(validator: String, isTag: Bool, byteCount: Int?) {
        (self.validator, self.isTag, self.byteCount) = (validator, isTag, byteCount)
    }

    /// nil when the reply is not the whole content, or has no validator for the rest.
    ///
    /// A part of multipart/x-mixed-replace is refused, since ranges would count the bytes of all parts. Coded content
    /// is refused too, since ranges would count the coded bytes, which are not stored (RFC 9110 §14.1). `now` is in
    /// Unix seconds.
    init?(of response: LoadResponse, now: Int = SystemTime.now) {
        let fields = response.fields
        guard response.status == 200, response.partFields == nil,
            fields.value(of: "Accept-Ranges")?.lowercased() != "none", !ReplyCodings.areNamed(in: fields)
        else { return nil }
        byteCount = response.expectedByteCount
        let validators = Validators(of: fields, now: now)
        // A date may not be sent together with an entity tag, not even a weak one (§13.1.5).
        isTag = validators.entityTag != nil
        let isStrong = validators.entityTag.map { !$0.isWeak } ?? validators.hasStrongDate(now: now)
        guard isStrong, let value = fields.value(of: isTag ? "ETag" : "Last-Modified") else { return nil }
        validator = value
    }

    /// A validator that shows that a 206 is of another version; nil when none does, since a 206 need not repeat it.
    func contradiction(in fields: [HTTPField]) -> HTTPField? {
        fields.first(named: isTag ? "ETag" : "Last-Modified").flatMap { $0.value == validator ? nil : $0 }
    }
}

/// The server's response to the request for the rest of a download (RFC 9110 §14.4, §15.3.7, §15.5.17).
enum ResumptionAnswer: Equatable {
    /// The whole rest follows; the range is that of the reply.
    case goesOn(ContentRange)
    case startsOver
    /// The server refuses now; the stored bytes remain valid.
    case refused(LoadError)
    /// There is no rest; the same request would get the same answer again.
    case impossible(LoadError)

    /// `offset` and `version` are those of the request.
    ///
    /// A reply that is neither content nor 416 is refused, though a status is usually no error (R44): an error page
    /// would replace the bytes that a later attempt can use.
    init(_ response: LoadResponse, to offset: Int, of version: DownloadVersion) {
        switch response.status {
        // 203: the whole, changed by a proxy (§15.3.4).
        case 200, 203: self = .startsOver
        case 206: self = Self.judgePart(response, from: offset, of: version)
        case 416:
            let range = response.fields.first(named: "Content-Range").map(Self.quoted) ?? "none"
            self = .impossible(
                Self.refusal(
                    "the server has nothing behind byte \(offset) of \(response.url) (416, Content-Range: \(range)); "
                        + "load it anew"))
        default:
            self = Self.refuse(
                "the rest of \(response.url) was answered \(response.status); expected 206, or 200 for the whole; "
                    + "go on later with what is there")
        }
    }

    private static func judgePart(
        _ response: LoadResponse, from offset: Int, of version: DownloadVersion
    ) -> ResumptionAnswer {
        let ranges = response.fields.all(named: "Content-Range")
        guard ranges.count == 1, let field = ranges.first, let range = ContentRange(field.bytes) else {
            let named = ranges.first.map(quoted) ?? "none"
            return refuse(
                "a 206 for the rest of \(response.url) came with Content-Range \(named); expected one "
                    + "\"bytes \(offset)-LAST/LENGTH\" (RFC 9110 §14.4)")
        }
        guard range.first == offset else {
            return refuse("the server sent \(response.url) from byte \(range.first) on; expected byte \(offset)")
        }
        if ReplyCodings.areNamed(in: response.fields), let coding = response.fields.first(named: "Content-Encoding") {
            return refuse(
                "the rest of \(response.url) is coded as \(quoted(coding)), and what is there is not; expected bytes of "
                    + "the same kind")
        }
        if let field = version.contradiction(in: response.fields) {
            return refuse(
                "the rest of \(response.url) belongs to \(field.name) \(quoted(field)); expected "
                    + "\(version.validator), as the request said")
        }
        if let length = range.length, let known = version.byteCount, length != known {
            return refuse(
                "the rest of \(response.url) belongs to a whole of \(length) bytes; expected \(known), as the same "
                    + "version had before")
        }
        // A server may send less than the client asked for (§15.3.7), but then the file would be incomplete.
        if let length = range.length ?? version.byteCount, range.last != length - 1 {
            return refuse(
                "the server sent \(response.url) up to byte \(range.last) alone; expected byte \(length - 1), the last "
                    + "of \(length)")
        }
        if let announced = response.expectedByteCount, announced != range.byteCount {
            return refuse(
                "the rest of \(response.url) has \(announced) bytes by its framing and \(range.byteCount) by "
                    + "Content-Range \(quoted(field)); expected the same number twice")
        }
        return .goesOn(range)
    }

    private static func refuse(_ sentence: String) -> ResumptionAnswer { .refused(refusal(sentence)) }

    private static func refusal(_ sentence: String) -> LoadError { LoadError(.badServerResponse, sentence) }

    private static func quoted(_ field: HTTPField) -> String { "\"\(EscapedText.escape(field.bytes, limit: 48))\"" }
}
