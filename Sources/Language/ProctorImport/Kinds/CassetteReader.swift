import ProctorBase
import ProctorHTTP

/// Cassettes of VCR (Ruby) and vcrpy (Python), in YAML and JSON.
package enum CassetteReader {
    package static func read(_ bytes: [UInt8], file: String) throws(ImportFailure) -> Recording {
        let root = try SourceValue(parsing: bytes, file: file)
        let isRuby = root["http_interactions"] != nil
        guard let list = (root["http_interactions"] ?? root["interactions"])?.items else {
            throw ImportFailure(
                at: root.place,
                "this is no cassette: expected a list under interactions (vcrpy) or http_interactions (VCR)")
        }
        let recorder = isRuby ? root["recorded_with"]?.text ?? "VCR" : "vcrpy"
        var recording = Recording(by: recorder)
        for item in list {
            guard let request = item["request"], let url = (request["uri"] ?? request["url"])?.text,
                let method = request["method"]?.text,
                let recorded = RecordedRequest(
                    method: method.uppercased(), url: url, fields: fields(request["headers"]),
                    content: body(request["body"]))
            else {
                recording.remarks.append(
                    ImportRemark(
                        at: item.place, "the interaction has no request with an http uri and a method, and is left out")
                )
                continue
            }
            let response = item["response"]
            let status = response?["status"]
            guard let code = (status?["code"] ?? status)?.integer, (100...999).contains(code) else {
                recording.remarks.append(
                    ImportRemark(at: item.place, "the interaction has no response with a status, and is left out"))
                continue
            }
            var reply = RecordedReply(
                status: code, reason: status?["message"]?.text, fields: fields(response?["headers"]),
                content: body(response?["body"]) ?? body(response?["content"]) ?? [])
            // vcrpy has the bytes as they came, or decoded and then without the field; VCR may keep the field.
            reply.isDecoded = reply.fields.contains(named: "Content-Encoding") && !isCoded(reply)
            recording.exchanges.append(RecordedExchange(at: item.place, recorded, reply))
        }
        return recording
    }

    /// Whether the content begins as its coding does, where the coding has such bytes.
    private static func isCoded(_ reply: RecordedReply) -> Bool {
        switch reply.fields.value(of: "Content-Encoding")?.lowercased() {
        case "gzip", "x-gzip": reply.content.starts(with: [0x1F, 0x8B])
        case "zstd": reply.content.starts(with: [0x28, 0xB5, 0x2F, 0xFD])
        case "deflate": reply.content.first.map { $0 & 0x0F == 8 } ?? false
        default: String(validUTF8: reply.content) == nil
        }
    }

    /// `{ string: … }` and `{ base64_string: … }`, or the text itself.
    private static func body(_ value: SourceValue?) -> [UInt8]? {
        guard let value, !value.isNull else { return nil }
        if let text = value["base64_string"]?.text { return try? Base64Text.decode(Array(text.utf8)) }
        let inner = value["string"] ?? value
        guard let bytes = inner.bytes else { return nil }
        return bytes
    }

    /// Lists of values by name, or one value.
    private static func fields(_ value: SourceValue?) -> [HTTPField] {
        (value?.members ?? []).flatMap { name, value in
            (value.items ?? [value]).compactMap { item in item.text.map { HTTPField(name, $0) } }
        }
    }
}
