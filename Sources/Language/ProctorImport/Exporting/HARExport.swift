import ProctorBase
import ProctorHTTP
package import ProctorScenario

/// An HTTP Archive 1.2 with an entry for each reply of each exchange, in the order of the file.
package enum HARExport {
    /// The address that late-bound URLs have in the archive.
    static let base = "http://127.0.0.1:8088"

    package static func write(_ scenario: Scenario, version: String, readFile: @escaping (SidecarFile) -> [UInt8]?)
        -> Exported
    {
        var exporter = ReplyExporter(late: late, readFile: readFile, codesContent: false)
        var remarks = ImportRemarks()
        var json = JSONText()
        json.object { json in
            json.object("log") { json in
                json.member("version", "1.2")
                json.object("creator") {
                    $0.member("name", "Proctor")
                    $0.member("version", version)
                }
                json.key("entries")
                json.open("[")
                for exchange in scenario.exchanges {
                    let request = ExportedTarget(exchange)
                    remarks += request.remarks
                    for reply in exchange.replies {
                        guard let reply = exporter.export(reply) else { continue }
                        json.element()
                        writeEntry(request, reply, exchange, &exporter, to: &json)
                    }
                }
                json.close("]")
            }
        }
        json.lineEnd()
        return Exported(text: String(decoding: json.bytes, as: UTF8.self), remarks: remarks + exporter.remarks)
    }

    private static func late(_ part: Template.Part) -> String? {
        switch part {
        case .base, .origin: base
        case .authority: "127.0.0.1:8088"
        case .host: "127.0.0.1"
        case .port: "8088"
        case .now(let offset):
            String(decoding: HTTPDate.imfFixdate(unixSeconds: min(max(offset, 0), 1 << 40)), as: UTF8.self)
        case .capture: "1"
        case .value(.uuid, _): "00000000-0000-4000-8000-000000000001"
        case .value, .literal: nil
        }
    }

    private static func writeEntry(
        _ request: ExportedTarget, _ reply: ExportedReply, _ exchange: Exchange, _ exporter: inout ReplyExporter,
        to json: inout JSONText
    ) {
        if reply.ending != .whole {
            exporter.remark("a reply that breaks off is shown as whole", at: exchange.location)
        }
        let content = requestContent(exchange, &exporter)
        json.object { json in
            json.member("startedDateTime", "1970-01-01T00:00:00.000Z")
            json.member("time", reply.delay)
            json.object("request") { json in
                json.member("method", request.method)
                json.member("url", base + request.target)
                json.member("httpVersion", "HTTP/1.1")
                writeFields(request.fields, "headers", to: &json)
                json.texts("queryString", [])
                json.texts("cookies", [])
                json.member("headersSize", -1)
                json.member("bodySize", content?.utf8.count ?? 0)
                if let content {
                    json.object("postData") {
                        $0.member(
                            "mimeType", request.fields.first { $0.name.lowercased() == "content-type" }?.value ?? "")
                        $0.member("text", content)
                    }
                }
            }
            writeResponse(reply, to: &json)
            json.object("cache") { _ in }
            json.object("timings") {
                $0.member("send", 0)
                $0.member("wait", reply.delay)
                $0.member("receive", 0)
            }
        }
    }

    private static func requestContent(_ exchange: Exchange, _ exporter: inout ReplyExporter) -> String? {
        switch exchange.request.body {
        case .exact(let source): return String(validUTF8: exporter.bytes(source, at: exchange.location))
        case .json(let pattern): return pattern.example
        case .condition(let condition):
            if condition.example == nil {
                exporter.remark("content that \(condition.noun) accepts is not shown", at: exchange.location)
            }
            return condition.example
        case nil, .form, .parts, .matches, .contains, .coded: return nil
        }
    }

    private static func writeResponse(_ reply: ExportedReply, to json: inout JSONText) {
        json.object("response") { json in
            json.member("status", reply.status)
            json.member("statusText", reply.reason)
            json.member("httpVersion", "HTTP/1.1")
            writeFields(reply.fields, "headers", to: &json)
            json.texts("cookies", [])
            json.object("content") { json in
                json.member("size", reply.content.count)
                json.member("mimeType", reply.fields.first { $0.name.lowercased() == "content-type" }?.value ?? "")
                if let text = String(validUTF8: reply.content) {
                    json.member("text", text)
                } else {
                    json.member("text", Base64Text.encode(reply.content))
                    json.member("encoding", "base64")
                }
            }
            json.member("redirectURL", reply.fields.first { $0.name.lowercased() == "location" }?.value ?? "")
            json.member("headersSize", -1)
            json.member("bodySize", reply.content.count)
        }
    }

    private static func writeFields(
        _ fields: [(name: String, value: String)], _ key: StaticString, to json: inout JSONText
    ) {
        json.objects(key, of: fields) {
            $0.member("name", $1.name)
            $0.member("value", $1.value)
        }
    }
}
