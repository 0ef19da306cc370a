internal import ProctorHTTP

#if canImport(Darwin)
    internal import Darwin
#else
    internal import Glibc
#endif

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
    /// they would count the coded bytes, which nobody has any more (RFC 9110 §14.1). `now` is in Unix seconds.
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
