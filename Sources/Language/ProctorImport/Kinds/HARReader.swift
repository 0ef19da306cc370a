import ProctorBase
import ProctorHTTP

/// HTTP Archive 1.2, as browsers and proxies write it.
package enum HARReader {
    package static func read(_ bytes: [UInt8], file: String) throws(ImportFailure) -> Recording {
        let root = try SourceValue(parsing: bytes, file: file)
        guard let log = root["log"], let entries = log["entries"]?.elements else {
            throw ImportFailure(at: root.place, "this is no HAR: expected an object with log/entries, a list")
        }
        var recording = Recording(by: creator(log))
        for entry in entries {
            do throws(Skipped) {
                if let exchange = try exchange(entry, log: log, remarks: &recording.remarks) {
                    recording.exchanges.append(exchange)
                }
            } catch {
                recording.remarks.add {
                    ImportRemark(at: error.value.place + error.member, "\(error.sentence), and is left out")
                }
            }
        }
        return recording
    }

    /// Why an entry can't be taken over.
    struct Skipped: Error {
        let value: SourceValue
        /// Of the value, where it is meant: `/request/url`.
        var member = ""
        let sentence: String
    }

    private static func creator(_ log: SourceValue) -> String {
        let maker = log["browser"] ?? log["creator"]
        guard let name = maker?["name"]?.text else { return "an unnamed program" }
        return [name, maker?["version"]?.text ?? ""].filter { !$0.isEmpty }.joined(separator: " ")
    }

    private static func exchange(
        _ entry: SourceValue, log: SourceValue, remarks: inout ImportRemarks
    ) throws(Skipped) -> RecordedExchange? {
        guard let request = entry["request"], let url = request["url"]?.text, let method = request["method"]?.text
        else {
            throw Skipped(value: entry, sentence: "the entry has no request with url and method")
        }
        let short = url.prefix { $0 != ":" }
        guard var recorded = RecordedRequest(method: method, url: url) else {
            throw Skipped(value: entry, member: "/request/url", sentence: "\(short): is no URL of HTTP")
        }
        if entry["_fromCache"]?.text != nil {
            throw Skipped(value: entry, sentence: "\(method) \(url) was answered by the browser's cache")
        }
        guard let response = entry["response"], let status = response["status"]?.integer, (100...999).contains(status)
        else { throw Skipped(value: entry, sentence: "\(method) \(url) got no reply") }
        guard status != 101 else {
            throw Skipped(
                value: entry, sentence: "\(method) \(url) became a WebSocket, which a HAR does not hold whole")
        }
        recorded.fields = fields(request)
        recorded.content = content(of: request, remarks: &remarks)
        var reply = RecordedReply(
            status: status, reason: response["statusText"]?.text, version: version(response), fields: fields(response),
            isDecoded: true)
        reply.content = try content(of: response, fields: reply.fields, method: method, remarks: &remarks)
        return RecordedExchange(at: entry.place, recorded, reply)
    }

    private static func version(_ response: SourceValue) -> String {
        switch response["httpVersion"]?.text?.lowercased() {
        case "h2", "http/2", "http/2.0": "HTTP/2"
        case "h3", "http/3", "http/3.0": "HTTP/3"
        case "http/1.0": "HTTP/1.0"
        default: "HTTP/1.1"
        }
    }

    private static func fields(_ message: SourceValue) -> [HTTPField] {
        (message["headers"]?.items ?? []).flatMap { header -> [HTTPField] in
            guard let name = header["name"]?.text, !name.hasPrefix(":"), let value = header["value"]?.text else {
                return []
            }
            // Chromium joins the lines of a field by a line break.
            return value.split(separator: "\n", omittingEmptySubsequences: false).map { HTTPField(name, String($0)) }
        }
    }

    private static func content(of request: SourceValue, remarks: inout ImportRemarks) -> [UInt8]? {
        guard let data = request["postData"] else { return nil }
        if let text = data["text"]?.text, !text.isEmpty {
            if data["encoding"]?.text == "base64", let bytes = try? Base64Text.decode(Array(text.utf8)) { return bytes }
            return Array(text.utf8)
        }
        guard let parameters = data["params"]?.items, !parameters.isEmpty else { return nil }
        guard data["mimeType"]?.text?.hasPrefix("application/x-www-form-urlencoded") == true else {
            remarks.append(
                ImportRemark(
                    at: data.place, "the HAR has the names of the parts, not the content, which is not compared"))
            return nil
        }
        return URLEncodedForm(
            parameters.compactMap { parameter in
                parameter["name"]?.text.map { .init(name: $0.utf8, value: (parameter["value"]?.text ?? "").utf8) }
            }
        ).bytes
    }

    private static func content(
        of response: SourceValue, fields: [HTTPField], method: String, remarks: inout ImportRemarks
    ) throws(Skipped) -> [UInt8] {
        guard let content = response["content"] else { return [] }
        guard let text = content["text"]?.text else {
            // A page that did not read the content leaves a size of -1.
            let size = content["size"]?.integer ?? 0
            let length = size < 0 ? fields.value(of: "Content-Length").flatMap { Int($0) } ?? 0 : size
            if length > 0, method != "HEAD" {
                remarks.append(
                    ImportRemark(
                        at: content.place,
                        "the HAR does not hold these \(length) bytes of content, so the reply has none"))
            }
            return []
        }
        if content["encoding"]?.text == "base64" {
            do {
                return try Base64Text.decode(Array(text.utf8))
            } catch {
                throw Skipped(value: content, member: "/text", sentence: "byte \(error.offset): \(error.sentence)")
            }
        }
        return bytes(of: text, type: MediaType(of: fields), at: content.place, remarks: &remarks)
    }

    /// The text in the charset that Content-Type names, since a HAR has text of any charset as Unicode.
    private static func bytes(
        of text: String, type: MediaType?, at place: String, remarks: inout ImportRemarks
    ) -> [UInt8] {
        guard let charset = type?.charset, !["utf-8", "utf8", "us-ascii"].contains(charset),
            !text.utf8.allSatisfy({ $0 < 0x80 })
        else { return Array(text.utf8) }
        if ["iso-8859-1", "latin1"].contains(charset) {
            let scalars = text.unicodeScalars.map(\.value)
            if scalars.allSatisfy({ $0 <= 0xFF }) { return scalars.map { UInt8(truncatingIfNeeded: $0) } }
        }
        remarks.append(
            ImportRemark(
                at: place, "the content was \(charset) and is sent as UTF-8, while Content-Type still says \(charset)"))
        return Array(text.utf8)
    }
}
