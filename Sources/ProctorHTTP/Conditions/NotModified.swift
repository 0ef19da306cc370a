/// What of a 200 goes into the 304 in its place (RFC 9110 §15.4.5).
public enum NotModified {
    /// Must be in the 304 where they would be in the 200.
    public static let required = ["Cache-Control", "Content-Location", "Date", "ETag", "Expires", "Vary"]

    /// The fields without those that describe content, which is not there.
    ///
    /// Last-Modified stays where there is no ETag: a cache then has nothing else to know the state by.
    public static func fields(from fields: [HTTPField]) -> [HTTPField] {
        let hasTag = fields.contains(named: "ETag")
        return fields.filter { field in
            !(describingContent.contains { field.isNamed($0) } || hasTag && field.isNamed("Last-Modified"))
        }
    }

    /// A list, since Content-Security-Policy and Content-Location are about the resource.
    private static let describingContent = [
        "Content-Digest", "Content-Disposition", "Content-Encoding", "Content-Language", "Content-Length",
        "Content-MD5", "Content-Range", "Content-Type", "Digest", "Repr-Digest", "Trailer", "Transfer-Encoding",
    ]
}
