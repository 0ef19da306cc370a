internal import ProctorBase
internal import ProctorHTTP

#if canImport(Darwin)
    internal import Darwin
#else
    internal import Glibc
#endif

/// What a download left behind for another one to go on with: its bytes so far, and how to ask for the rest.
///
/// It owns the file with the bytes, which goes when this goes; so it cannot outlive the process. One download can go
/// on with it.
public final class ResumeData: Sendable {
    /// Bytes that are there already, at least 1.
    public let byteCount: Int
    /// The value of If-Range: a strong ETag, or else the date of the last change (RFC 9110 §13.1.5).
    public var validator: String { version.validator }
    /// What was asked for in the first place, before any redirect, which may have cost it fields.
    let request: ClientRequest
    let version: DownloadVersion
    private let file: Locked<DownloadFile?>

    /// nil where the rest could not be asked for so that it certainly belongs to these bytes.
    init?(_ file: DownloadFile, _ version: DownloadVersion, of request: ClientRequest) {
        byteCount = file.byteCount
        guard byteCount > 0, request.method == "GET", !request.fields.contains(named: "Range") else { return nil }
        self.version = version
        self.request = request
        self.file = Locked(file)
    }

    /// The file, for the first who asks.
    func takeFile() -> DownloadFile? {
        file.withLock { file in
            defer { file = nil }
            return file
        }
    }

    /// Asks for the rest, or for all if it has changed (RFC 9110 §14.2).
    ///
    /// The bytes that are there are not coded, so the rest must not be either: ranges count coded bytes (§14.1).
    var rest: ClientRequest {
        var rest = request
        rest.fields.set("Accept-Encoding", to: "identity")
        rest.fields.set("Range", to: "bytes=\(byteCount)-")
        rest.fields.set("If-Range", to: validator)
        return rest
    }
}

/// Which state of a resource the bytes of a download are of, as far as the rest can be asked for by it.
struct DownloadVersion: Sendable, Equatable {
    /// The value of If-Range: a strong ETag, or else the date of the last change (RFC 9110 §13.1.5).
    let validator: String
    /// Of the whole, in bytes; nil when the server did not say.
    let byteCount: Int?
    private let isTag: Bool

    /// nil where the reply is not the whole, or says nothing that the rest could be held to.
    ///
    /// A part of multipart/x-mixed-replace is refused too: ranges would count bytes of all parts. So is what was coded:
    /// they would count the coded bytes, which are not kept (RFC 9110 §14.1). `now` is in Unix seconds.
    init?(of response: LoadResponse, now: Int = time(nil)) {
        let fields = response.fields
        guard response.status == 200, response.partFields == nil,
            fields.value(of: "Accept-Ranges")?.lowercased() != "none", !ReplyCodings.areNamed(in: fields)
        else { return nil }
        byteCount = response.expectedByteCount
        let validators = Validators(of: fields, now: now)
        // Beside a tag, even a weak one, no date may be sent (§13.1.5).
        isTag = validators.entityTag != nil
        let isStrong = validators.entityTag.map { !$0.isWeak } ?? validators.hasStrongDate(now: now)
        guard isStrong, let value = fields.value(of: isTag ? "ETag" : "Last-Modified") else { return nil }
        validator = value
    }

    /// The field by which a 206 belongs to another state, which need not repeat the validator; nil where none does.
    func contradiction(in fields: [HTTPField]) -> HTTPField? {
        fields.first(named: isTag ? "ETag" : "Last-Modified").flatMap { $0.value == validator ? nil : $0 }
    }
}

/// What a server answers to the request for the rest of a download (RFC 9110 §14.4, §15.3.7, §15.5.17).
enum ResumptionAnswer: Equatable {
    /// The rest follows, all of it; the range is that of the reply.
    case goesOn(ContentRange)
    /// What follows is the whole.
    case startsOver
    /// Not this time; what is there stays what it was.
    case refused(LoadError)
    /// There is no rest; who asks again gets the same answer.
    case impossible(LoadError)

    /// `offset` and `version` are those of the request.
    ///
    /// An answer that is neither content nor 416 is refused, though a status is no error elsewhere (R44 does not mean
    /// resumptions): an error page in place of the file would cost all the bytes that are there, for what may be a
    /// server's bad minute, and behind them it would be no part of the file. So they are kept, and the next attempt can
    /// go on with them.
    init(_ response: LoadResponse, to offset: Int, of version: DownloadVersion) {
        switch response.status {
        // 203: the whole, changed on its way (§15.3.4).
        case 200, 203: self = .startsOver
        case 206: self = Self.judgePart(response, offset, version)
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
        _ response: LoadResponse, _ offset: Int, _ version: DownloadVersion
    ) -> ResumptionAnswer {
        let ranges = response.fields.all(named: "Content-Range")
        guard ranges.count == 1, let field = ranges.first, let range = ContentRange(field.bytes) else {
            let found = ranges.first.map(quoted) ?? "none"
            return refuse(
                "a 206 for the rest of \(response.url) came with Content-Range \(found); expected one "
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
        // A server may send less than was asked for (§15.3.7), but then the file would end in the middle.
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

    private static func quoted(_ field: HTTPField) -> String { "\"\(EscapedText.of(field.bytes, limit: 48))\"" }
}
