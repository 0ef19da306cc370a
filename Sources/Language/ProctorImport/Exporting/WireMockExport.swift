import ProctorBase
import ProctorRegex
package import ProctorScenario

/// Mappings of WireMock 3, one for each reply: replies by turn are states of a scenario of WireMock.
package enum WireMockExport {
    package static func write(_ scenario: Scenario, readFile: @escaping (SidecarFile) -> [UInt8]?) -> Exported {
        var exporter = ReplyExporter(late: late, readFile: readFile)
        var json = JSONText()
        json.object { json in
            json.key("mappings")
            json.open("[")
            for exchange in scenario.exchanges {
                tellWhatIsLeft(of: exchange, in: scenario, &exporter)
                for turn in exchange.replies.indices {
                    guard let reply = exporter.export(exchange.replies[turn]) else { continue }
                    json.element()
                    writeMapping(exchange, turn: turn, reply, &exporter, to: &json)
                }
            }
            json.close("]")
        }
        json.lineEnd()
        return Exported(text: String(decoding: json.bytes, as: UTF8.self), remarks: exporter.remarks)
    }

    private static func tellWhatIsLeft(of exchange: Exchange, in scenario: Scenario, _ exporter: inout ReplyExporter) {
        let place = exchange.location
        if !exchange.guards.isEmpty { exporter.remark("guards can't be said, so every request is admitted", at: place) }
        if !exchange.when.isEmpty || exchange.replies.contains(where: { !$0.sets.isEmpty }) {
            exporter.remark("the state of the run can't be said", at: place)
        }
        if exchange.times != nil { exporter.remark("times can't be said", at: place) }
        if exchange.turnGroup != nil || exchange.turns != .request || !exchange.draws.isEmpty {
            exporter.remark("replies come by turn for each request, and none at random", at: place)
        }
        if exchange.request.script != nil || exchange.request.more?.security != nil {
            exporter.remark("conditions by script and on TLS can't be said", at: place)
        }
        if let more = exchange.request.more, !more.not.isEmpty || !more.anyOf.isEmpty || !more.captures.isEmpty {
            exporter.remark("not, any of and where of a request can't be said", at: place)
        }
        if exchange.origin != 0 {
            exporter.remark("the origin \(scenario.origins[exchange.origin].name) is the same server there", at: place)
        }
    }

    /// What a template of WireMock says; nil: nothing.
    private static func late(_ part: Template.Part) -> String? {
        switch part {
        case .literal: nil
        case .base, .origin: "{{request.baseUrl}}"
        case .authority: "{{request.host}}:{{request.port}}"
        case .host: "{{request.host}}"
        case .port: "{{request.port}}"
        case .now(let offset):
            "{{now offset='\(offset) seconds' timezone='GMT' format='EEE, dd MMM yyyy HH:mm:ss z'}}"
        case .value(.method, _): "{{request.method}}"
        case .value(.target, _): "{{request.url}}"
        case .value(.path, _): "{{request.path}}"
        case .value(.body, _): "{{request.body}}"
        case .value(.query(let name), _): "{{request.query.\(name)}}"
        case .value(.header(let name), _): "{{request.headers.\(name)}}"
        case .value(.cookie(let name), _): "{{request.cookies.\(name)}}"
        case .value(.uuid, _): "{{randomValue type='UUID'}}"
        case .capture, .value: nil
        }
    }

    private static func writeMapping(
        _ exchange: Exchange, turn: Int, _ reply: ExportedReply, _ exporter: inout ReplyExporter,
        to json: inout JSONText
    ) {
        json.object { json in
            json.member("priority", exchange.index + 1)
            if exchange.replies.count > 1 {
                json.member("scenarioName", "exchange \(exchange.index)")
                json.member("requiredScenarioState", turn == 0 ? "Started" : "turn \(turn)")
                if turn + 1 < exchange.replies.count { json.member("newScenarioState", "turn \(turn + 1)") }
            }
            json.object("request") { writeRequest(exchange, &exporter, to: &$0) }
            json.object("response") { writeResponse(reply, to: &$0) }
        }
    }

    // MARK: Requests

    private static func writeRequest(_ exchange: Exchange, _ exporter: inout ReplyExporter, to json: inout JSONText) {
        let request = exchange.request
        let methods = request.methods ?? []
        json.member("method", methods.count == 1 ? String(decoding: methods[0], as: UTF8.self) : "ANY")
        if methods.count > 1 { exporter.remark("several methods are any there", at: exchange.location) }
        if let expression = request.expression {
            json.member(named: request.query == nil ? "urlPattern" : "urlPathPattern", expression.pattern)
        } else if let exact = request.target.exactBytes {
            json.member(named: request.query == nil ? "url" : "urlPath", String(decoding: exact, as: UTF8.self))
        } else {
            json.member(named: request.query == nil ? "urlPattern" : "urlPathPattern", request.target.expression)
        }
        if let query = request.query, !query.isEmpty {
            if query[0].isRaw { exporter.remark("a raw query is compared decoded there", at: exchange.location) }
            json.object("queryParameters") { json in
                for item in query { writeCondition(item.value, String(decoding: item.name, as: UTF8.self), to: &json) }
            }
        }
        if !request.headers.isEmpty {
            json.object("headers") { json in
                for condition in request.headers { writeCondition(condition.value, condition.name, to: &json) }
            }
        }
        if let cookies = request.more?.cookies, !cookies.isEmpty {
            json.object("cookies") { json in
                for condition in cookies { writeCondition(condition.value, condition.name, to: &json) }
            }
        }
        if let body = request.body { writeBody(body, at: exchange.location, &exporter, to: &json) }
    }

    private static func writeCondition(_ condition: ValueCondition, _ name: String, to json: inout JSONText) {
        json.element(name)
        json.value(complete: Array(":".utf8))
        json.open("{")
        writeMatcher(condition, to: &json)
        json.close("}")
    }

    /// The members of a matcher.
    private static func writeMatcher(_ condition: ValueCondition, to json: inout JSONText) {
        switch condition {
        case .text(let pattern):
            if let exact = pattern.exactBytes {
                json.member("equalTo", String(decoding: exact, as: UTF8.self))
            } else {
                json.member("matches", pattern.expression)
            }
        case .matches(let expression): json.member("matches", expression.pattern)
        case .absent: json.member("absent", true)
        case .not(let inner): json.object("not") { writeMatcher(inner, to: &$0) }
        case .anyOf(let inner): json.objects("or", of: inner) { writeMatcher($1, to: &$0) }
        }
    }

    private static func writeBody(
        _ body: BodyPattern, at place: SourceLocation, _ exporter: inout ReplyExporter, to json: inout JSONText
    ) {
        var matcher = JSONText()
        switch body {
        case .exact(let source):
            let bytes = exporter.bytes(source, at: place)
            if let text = String(validUTF8: bytes) {
                matcher.member("equalTo", text)
            } else {
                matcher.member("binaryEqualTo", Base64Text.encode(bytes))
            }
        case .contains(let bytes): matcher.member("contains", String(decoding: bytes, as: UTF8.self))
        case .matches(let expression): matcher.member("matches", expression.pattern)
        case .json(let pattern):
            let inner: JSONPattern
            if case .contains(let part) = pattern {
                inner = part
                matcher.member("ignoreExtraElements", true)
            } else {
                inner = pattern
            }
            guard inner.isPlain else { return exporter.remark("conditions within JSON can't be said", at: place) }
            matcher.member("equalToJson", inner.example)
        case .coded: return exporter.remark("content as it came, with its codings, can't be said", at: place)
        case .form, .parts: return exporter.remark("forms and parts can't be said", at: place)
        case .condition(let condition):
            guard let xml = condition.example else {
                return exporter.remark("\(condition.noun) is not taken along", at: place)
            }
            matcher.member("equalToXml", xml)
        }
        json.key("bodyPatterns")
        json.open("[")
        json.open("{")
        json.append(matcher)
        json.close("}")
        json.close("]")
    }

    // MARK: Responses

    private static func writeResponse(_ reply: ExportedReply, to json: inout JSONText) {
        if reply.delay > 0 { json.member("fixedDelayMilliseconds", reply.delay) }
        switch reply.ending {
        case .close: return json.member("fault", "EMPTY_RESPONSE")
        case .reset: return json.member("fault", "CONNECTION_RESET_BY_PEER")
        case .whole: break
        }
        json.member("status", reply.status)
        if !reply.reason.isEmpty { json.member("statusMessage", reply.reason) }
        if !reply.fields.isEmpty {
            var names: [String] = []
            for field in reply.fields where !names.contains(field.name) { names.append(field.name) }
            json.object("headers") { json in
                for name in names {
                    let values = reply.fields.filter { $0.name == name }.map(\.value)
                    json.element(name)
                    json.value(complete: Array(":".utf8))
                    if values.count == 1 { json.string(values[0]) } else { json.list(values) { $1.string($0) } }
                }
            }
        }
        if let text = String(validUTF8: reply.content) {
            if !text.isEmpty { json.member("body", text) }
        } else {
            json.member("base64Body", Base64Text.encode(reply.content))
        }
        if reply.isLate { json.texts("transformers", ["response-template"]) }
    }
}

extension BytePattern {
    /// The pattern as a regular expression of Java.
    var expression: String {
        parts.map { part in
            switch part {
            case .literal(let bytes): RegexText.escape(String(decoding: bytes, as: UTF8.self))
            case .capture: "[^/?]+"
            case .wildcard: ".*"
            }
        }.joined()
    }
}

extension JSONPattern {
    /// Whether it takes one value only.
    var isPlain: Bool {
        switch self {
        case .null, .boolean, .number, .text: true
        case .object(let members): members.allSatisfy(\.value.isPlain)
        case .list(let patterns): patterns.allSatisfy(\.isPlain)
        case .any, .matches, .not, .anyOf, .unordered, .contains, .at: false
        }
    }
}
