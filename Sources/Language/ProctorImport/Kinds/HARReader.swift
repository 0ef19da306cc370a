import ProctorBase
import ProctorHTTP

/// HTTP Archive 1.2, as browsers and proxies write it.
package enum HARReader {
    /// Reads a file that the HAR names, by its path from the HAR's folder.
    package typealias Files = (String) throws(FileRefusal) -> [UInt8]

    /// `beside` is nil where no files are read.
    package static func read(
        _ bytes: [UInt8], file: String, beside: Files? = nil, progress: ImportProgress? = nil
    ) throws(ImportFailure) -> Recording {
        guard !bytes.starts(with: "PK\u{3}\u{4}".utf8) else {
            throw ImportFailure(
                at: file,
                "this is a ZIP archive, as Playwright writes a HAR with its contents: unpack it "
                    + "(unzip \(file) -d har) and import the .har in it; the files beside that are read with it")
        }
        let root = try SourceValue(parsing: bytes, file: file)
        guard let log = root["log"], let entries = log["entries"]?.items else {
            throw ImportFailure(at: root.place, "this is no HAR: expected an object with log/entries, a list")
        }
        var recording = Recording(by: creator(log))
        SourceForm.har.check(log, "the log", &recording.remarks)
        var lacks: [Lack?] = []
        progress?.beginPhase("reading entries of \(file)")
        for entry in entries {
            progress?.countStep()
            do throws(Skipped) {
                let (exchange, lack) = try exchange(entry, beside, remarks: &recording.remarks)
                recording.exchanges.append(exchange)
                lacks.append(lack)
            } catch {
                recording.remarks.add {
                    ImportRemark(at: error.value.place + error.member, "\(error.sentence), and is left out")
                }
            }
        }
        settle(lacks, in: &recording)
        return recording
    }

    /// Content that the HAR does not hold.
    private struct Lack {
        let place: String
        let sentence: String
    }

    /// Leaves out a reply whose content was not kept where a later one to the same request has it, as where a page was
    /// left before it was read; tells the others.
    private static func settle(_ lacks: [Lack?], in recording: inout Recording) {
        // A second list of all exchanges only where one may be left out.
        guard lacks.contains(where: { $0 != nil }) else { return }
        struct Key: Hashable {
            let method: String
            let url: String
            let content: [UInt8]?
            let status: Int
        }
        var whole: Set<Key> = []
        var kept: [RecordedExchange] = []
        var remarks: [ImportRemark] = []
        for (exchange, lack) in zip(recording.exchanges, lacks).reversed() {
            let request = exchange.request
            let key = Key(
                method: request.method, url: request.origin + request.target, content: request.content,
                status: exchange.reply.status)
            guard let lack else {
                whole.insert(key)
                kept.append(exchange)
                continue
            }
            guard !whole.contains(key) else {
                remarks.append(
                    ImportRemark(
                        at: exchange.place,
                        "the HAR does not hold the content of this reply, while a later one to the same request has it: "
                            + "the entry is left out"))
                continue
            }
            remarks.append(ImportRemark(at: lack.place, lack.sentence))
            kept.append(exchange)
        }
        recording.exchanges = kept.reversed()
        recording.remarks.append(contentsOf: remarks.reversed())
    }

    /// Why an entry can't be taken over.
    struct Skipped: Error {
        let value: SourceValue
        /// The path of the meant member below the value: `/request/url`; empty where the value itself is meant.
        var member = ""
        let sentence: String
    }

    private static func creator(_ log: SourceValue) -> String {
        let makers = [log["browser"], log["creator"]].compactMap(\.self)
        guard let maker = makers.first(where: { $0["name"]?.isEmpty == false }), let name = maker["name"]?.text else {
            return "an unnamed program"
        }
        return [name, maker["version"]?.text ?? ""].filter { !$0.isEmpty }.joined(separator: " ")
    }

    private static func checkKeys(of entry: SourceValue, _ remarks: inout ImportRemarks) {
        let (request, response) = (entry["request"], entry["response"])
        SourceForm.har.check(entry, "the entry", &remarks)
        SourceForm.har.check(request, "the request", &remarks)
        SourceForm.har.check(request?["postData"], "postData", &remarks)
        SourceForm.har.check(response, "the response", &remarks)
        SourceForm.har.check(response?["content"], "the content", &remarks)
        if let messages = entry["_webSocketMessages"], !messages.isEmpty {
            remarks.add(at: messages.place, "messages of a WebSocket are left out")
        }
    }

    private static func exchange(
        _ entry: SourceValue, _ beside: Files?, remarks: inout ImportRemarks
    ) throws(Skipped) -> (RecordedExchange, Lack?) {
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
        checkKeys(of: entry, &remarks)
        recorded.fields = fields(request)
        recorded.content = content(of: request, beside, remarks: &remarks)
        var reply = RecordedReply(
            status: status, reason: response["statusText"]?.text, version: version(response), fields: fields(response),
            codings: .either)
        let content = try HARContent(response, fields: reply.fields, beside: beside, remarks: &remarks)
        reply.content = content.bytes
        reply.times = times(entry)
        let lack = content.lack.flatMap { sentence in
            method == "HEAD" || ReplyHead.hasNoContent(status)
                ? nil : Lack(place: response["content"]?.place ?? response.place, sentence: sentence)
        }
        return (RecordedExchange(at: entry.place, recorded, reply), lack)
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

    /// `timings/wait` and `timings/receive`, else `time` as a wait; -1 stands for a time that was not measured.
    private static func times(_ entry: SourceValue) -> RecordedReply.Times? {
        func nanoseconds(_ value: SourceValue?) -> UInt64? {
            guard let text = value?.text, let count = Double(text), count >= 0 else { return nil }
            return UInt64(min(count, 600_000) * 1_000_000)
        }
        var times = RecordedReply.Times()
        let wait = nanoseconds(entry["timings"]?["wait"])
        let receive = nanoseconds(entry["timings"]?["receive"])
        guard wait != nil || receive != nil else {
            guard let time = nanoseconds(entry["time"]) else { return nil }
            times.beforeHead = time
            return times
        }
        times.beforeHead = wait ?? 0
        times.ofContent = receive ?? 0
        return times
    }

    /// The bytes of base64 that nothing names as such, as schemathesis writes it: they are as long as it is told, the text is not.
    private static func unnamedBase64(_ text: String, _ lengths: [Int?]) -> [UInt8]? {
        guard let announced = lengths.compactMap({ $0 }).first(where: { $0 > 0 }), announced != text.utf8.count,
            let bytes = try? Base64Text.decode(Array(text.utf8)), bytes.count == announced
        else { return nil }
        return bytes
    }

    private static func content(
        of request: SourceValue, _ beside: Files?, remarks: inout ImportRemarks
    ) -> [UInt8]? {
        let isEmpty = request["postData"].map { data in
            ["text", "params", "_file"].allSatisfy { data[$0]?.isEmpty != false }
        }
        guard isEmpty == false, let data = request["postData"] else {
            let announced = fields(request).value(of: "Content-Length").flatMap { Int($0) }
            if let count = [announced, request["bodySize"]?.integer].compactMap({ $0 }).first(where: { $0 > 0 }) {
                remarks.add(
                    at: request.place,
                    "the HAR does not hold the content of this request (\(Plural.count(count, "byte"))), which is not compared"
                )
            }
            return nil
        }
        if let file = data["_file"]?.text, !file.isEmpty, data["text"]?.isEmpty != false {
            let read = HARContent.bytes(ofFile: file, beside)
            if let refusal = read.refusal {
                remarks.add(
                    at: data.place,
                    "the content of the request stands in the file \(file) beside the HAR, which \(refusal): it is not "
                        + "compared")
            }
            return read.bytes
        }
        if let text = data["text"]?.text, !text.isEmpty {
            if data["encoding"]?.text == "base64", let bytes = try? Base64Text.decode(Array(text.utf8)) { return bytes }
            let announced = fields(request).value(of: "Content-Length").flatMap { Int($0) }
            let lengths = [announced, request["bodySize"]?.integer]
            if let bytes = unnamedBase64(text, lengths) {
                remarks.add(
                    at: data.place,
                    "the content of the request stands in base64, which its length tells and nothing else")
                return bytes
            }
            return TextBytes(text, charset: nil, lengths: lengths).bytes
        }
        guard let parameters = data["params"]?.items, !parameters.isEmpty else { return nil }
        guard data["mimeType"]?.text?.hasPrefix("application/x-www-form-urlencoded") == true else {
            remarks.add(at: data.place, "the HAR has the names of the parts, not the content, which is not compared")
            return nil
        }
        return URLEncodedForm(
            parameters.compactMap { parameter in
                parameter["name"]?.text.map { .init(name: $0.utf8, value: (parameter["value"]?.text ?? "").utf8) }
            }
        ).bytes
    }
}
