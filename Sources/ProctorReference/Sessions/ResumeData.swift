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
    public let validator: String
    /// What was asked for in the first place.
    let request: ClientRequest
    private let file: Locked<DownloadFile?>

    /// nil where the rest could not be asked for so that it certainly belongs to these bytes.
    ///
    /// `former` is the validator of bytes that a 206 went on with, which need not repeat it.
    init?(
        _ file: DownloadFile?, of request: ClientRequest, response: LoadResponse?, former: String? = nil
    ) {
        guard let file, file.byteCount > 0, let response, request.method == "GET",
            !request.fields.contains(named: "Range"), response.status == 200 || response.status == 206,
            let validator = Self.validator(of: response.fields) ?? (response.status == 206 ? former : nil)
        else { return nil }
        byteCount = file.byteCount
        self.validator = validator
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
    var rest: ClientRequest {
        var rest = request
        rest.fields.set("Range", to: "bytes=\(byteCount)-")
        rest.fields.set("If-Range", to: validator)
        return rest
    }

    private static func validator(of fields: [HTTPField]) -> String? {
        if fields.value(of: "Accept-Ranges")?.lowercased() == "none" { return nil }
        if let tag = fields.value(of: "ETag"), tag.utf8.first == UInt8(ascii: "\""), tag.utf8.count >= 2 { return tag }
        guard let change = fields.value(of: "Last-Modified") else { return nil }
        // A second change within the same second would not show, so the reply must be younger (§8.8.2.2).
        return change == fields.value(of: "Date") ? nil : change
    }
}
