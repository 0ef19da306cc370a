internal import ProctorBase
internal import ProctorHTTP
internal import ProctorReference

/// What is left of a download, but for its bytes, which are a file of their own.
struct StoredDownload {
    let request: ClientRequest
    let version: DownloadVersion
    /// The number of bytes in the file.
    let byteCount: Int

    init(_ data: ResumeData) {
        request = data.request
        version = data.version
        byteCount = data.byteCount
    }

    init(_ object: StoredObject) throws(StorageProblem) {
        let text = try object.text("url")
        guard let url = try? ClientURL(text) else { throw StorageProblem(sentence: "\"\(text)\" is no URL") }
        request = ClientRequest(url: url, fields: try object.objects("fields").fields)
        let validator = try object.text("validator")
        guard HTTPField("If-Range", validator).isSendable, !validator.isEmpty else {
            throw StorageProblem(sentence: "expected the value of a field in \"validator\"")
        }
        version = DownloadVersion(
            validator: validator, isTag: try object.flag("isTag"),
            byteCount: object.has("length") ? try object.number("length") : nil)
        byteCount = try object.number("byteCount")
    }

    func write(to line: inout JSONText) {
        line.member("url", "\(request.url)")
        line.objects("fields", of: request.fields) { $0.write($1) }
        line.member("validator", version.validator)
        line.member("isTag", version.isTag)
        if let length = version.byteCount { line.member("length", length) }
        line.member("byteCount", byteCount)
    }
}
