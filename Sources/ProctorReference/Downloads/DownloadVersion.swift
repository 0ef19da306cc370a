internal import ProctorHTTP

/// Which state of a resource the bytes of a download are of, as far as the rest can be asked for by it.
struct DownloadVersion: Sendable, Equatable {
    /// The value of If-Range: a strong ETag, or else the date of the last change (RFC 9110 §13.1.5).
    let validator: String
    /// Of the whole, in bytes; nil when the server did not say.
    let byteCount: Int?
    private let isTag: Bool

    /// nil where the reply is not the whole, or says nothing that the rest could be held to.
    ///
    /// A part of multipart/x-mixed-replace is refused too: ranges would count bytes of all parts.
    init?(of response: LoadResponse) {
        let fields = response.fields
        guard response.status == 200, response.partFields == nil,
            fields.value(of: "Accept-Ranges")?.lowercased() != "none"
        else { return nil }
        byteCount = response.expectedByteCount
        if let tag = fields.value(of: "ETag"), tag.utf8.first == UInt8(ascii: "\""), tag.utf8.count >= 2 {
            validator = tag
            isTag = true
            return
        }
        // A second change within the same second would not show, so the reply must be younger (§8.8.2.2).
        guard let change = fields.value(of: "Last-Modified"), change != fields.value(of: "Date") else { return nil }
        validator = change
        isTag = false
    }

    /// The field by which a 206 belongs to another state, which need not repeat the validator; nil where none does.
    func contradiction(in fields: [HTTPField]) -> HTTPField? {
        fields.first(named: isTag ? "ETag" : "Last-Modified").flatMap { $0.value == validator ? nil : $0 }
    }
}
