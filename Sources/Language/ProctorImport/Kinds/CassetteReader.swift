import ProctorBase
import ProctorHTTP

/// Cassettes of VCR (Ruby, R), vcrpy and betamax (Python), go-vcr, PHP-VCR and ExVCR, in YAML and JSON.
package enum CassetteReader {
    package static func read(_ bytes: [UInt8], file: String) throws(ImportFailure) -> Recording {
        let root = try SourceValue(parsing: bytes, file: file)
        guard let list = (root["http_interactions"] ?? root["interactions"] ?? root).items else {
            throw ImportFailure(
                at: root.place,
                "this is no cassette: expected a list under interactions (vcrpy, go-vcr) or http_interactions (VCR), or a "
                    + "list of interactions (PHP-VCR, ExVCR)")
        }
        var recording = Recording(by: recorder(root, list))
        let isRuby = root["recorded_with"]?.text?.hasPrefix("VCR ") == true
        SourceForm.cassette.check(root, "the cassette", &recording.remarks)
        for item in list {
            do throws(Skipped) {
                let exchange = try exchange(item, &recording.remarks)
                if isRuby, let query = exchange.request.target.firstRange(ofText: "?"),
                    exchange.request.target[query.upperBound...].firstRange(ofText: "%20") != nil
                {
                    recording.remarks.add(
                        at: item.place,
                        "\(exchange.request.method) \(exchange.request.target): VCR writes %20 for each blank of a query, so "
                            + "that a client which sends + gets no reply of this")
                }
                recording.exchanges.append(exchange)
            } catch {
                recording.remarks.add(at: item.place, "the interaction \(error.reason), and is left out")
            }
        }
        collectPlaceholders(of: &recording, at: root.place)
        return recording
    }

    /// What stands in requests in place of values is left open; replies have it as it stands.
    private static func collectPlaceholders(of recording: inout Recording, at place: String) {
        for exchange in recording.exchanges {
            let request = exchange.request
            recording.placeholders.collect(in: Array(request.target.utf8), of: .target)
            for field in request.fields { recording.placeholders.collect(in: field.bytes, of: .field) }
            recording.placeholders.collect(in: request.content ?? [], of: .content)
        }
        recording.placeholders.prepare()
        let texts = recording.placeholders.texts
        guard !texts.isEmpty else { return }
        let more = texts.count > 10 ? " and \(texts.count - 10) others" : ""
        let names = texts.prefix(10).map { String(decoding: $0, as: UTF8.self) }.joined(separator: ", ") + more
        recording.remarks.add(
            at: place,
            "placeholders of the recorder stand for any value in requests, and for themselves in replies: \(names)")
        if recording.placeholders.leftCount > 0 {
            recording.remarks.add(
                at: place,
                "it has \(recording.placeholders.leftCount) placeholders more, which are taken literally; at most \(texts.count) stand for any value"
            )
        }
    }

    /// Why an interaction can't be taken over, as the rest of a sentence.
    struct Skipped: Error {
        let reason: String
    }

    private static func recorder(_ root: SourceValue, _ list: SourceList) -> String {
        if let name = root["recorded_with"]?.text { return name }
        if root["http_interactions"] != nil { return "VCR" }
        if root["interactions"] != nil { return list.first?["request"]?["url"] == nil ? "vcrpy" : "go-vcr" }
        return list.first?["response"]?["type"] == nil ? "PHP-VCR" : "ExVCR"
    }

    private static func exchange(
        _ item: SourceValue, _ remarks: inout ImportRemarks
    ) throws(Skipped) -> RecordedExchange {
        guard let request = item["request"], let url = (request["uri"] ?? request["url"])?.text,
            let method = request["method"]?.text,
            var recorded = RecordedRequest(
                method: method.uppercased(), url: Placeholders.unescaped(url), fields: fields(request["headers"]))
        else { throw Skipped(reason: "has no request with an http uri and a method") }
        guard let response = item["response"], let code = status(response), (100...999).contains(code) else {
            let isError = item["response"]?["type"]?.text == "error"
            throw Skipped(
                reason: isError ? "has an error of the client for a response" : "has no response with a status")
        }
        SourceForm.cassette.check(item, "the interaction", &remarks)
        SourceForm.cassette.check(request, "the request", &remarks)
        SourceForm.cassette.check(response, "the response", &remarks)
        SourceForm.cassette.check(response["status"], "the status", &remarks)
        let asked = try CassetteContent(request, recorded.fields, &remarks)
        recorded.content = asked.bytes
        recorded.formContent = asked.form
        if asked.isJSON, !recorded.fields.contains(named: "Content-Type") {
            recorded.fields.append(HTTPField("Content-Type", "application/json"))
        }
        let reason = response["status"]?["message"]?.text
        var reply = RecordedReply(
            status: code, reason: reason, version: version(response), fields: fields(response["headers"]),
            codings: .either)
        reply.content = try CassetteContent(response, reply.fields, &remarks).bytes ?? []
        return RecordedExchange(at: item.place, recorded, reply)
    }

    /// `status: { code: … }` of vcrpy and VCR, `code: …` beside a text of go-vcr, `status_code` of ExVCR and R, which by httpc
    /// is the status line in parts.
    private static func status(_ response: SourceValue) -> Int? {
        if let line = response["status_code"]?.items, line.count == 3 { return line.dropFirst().first?.integer }
        let status = response["status"]
        return (status?["code"] ?? status?["status_code"] ?? response["status_code"] ?? response["code"] ?? status)?
            .integer
    }

    /// `http_version` of VCR, `proto` of go-vcr; else HTTP/1.1.
    private static func version(_ response: SourceValue) -> String {
        switch (response["http_version"] ?? response["proto"])?.text?.lowercased() {
        case "2", "2.0", "http/2", "http/2.0": "HTTP/2"
        case "3", "3.0", "http/3", "http/3.0": "HTTP/3"
        default: "HTTP/1.1"
        }
    }

    /// Lists of values by name, or one value; R has the status line among them.
    private static func fields(_ value: SourceValue?) -> [HTTPField] {
        (value?.members ?? []).flatMap { name, value in
            (value.items ?? [value]).compactMap { item in
                guard let text = item.text, name != "status" || !text.hasPrefix("HTTP/") else { return nil }
                return HTTPField(name, text)
            }
        }
    }
}
