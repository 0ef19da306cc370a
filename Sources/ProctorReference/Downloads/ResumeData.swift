internal import ProctorBase
internal import ProctorHTTP

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
