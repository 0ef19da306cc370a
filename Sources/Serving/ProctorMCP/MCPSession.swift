internal import ProctorBase

/// The server's end of the Model Context Protocol, without I/O: a line of the client in, what to do out.
///
/// It speaks the versions with a handshake (`initialize`) and that of 2026, whose requests each name their version. A
/// value of one owner; the calls that it hands out may end in any order, and each is answered once by ``answerCall(_:with:)``.
package struct MCPSession: Sendable {
    /// The versions that `initialize` agrees on, the newest last; 2025-03-26 is left out for its lists of messages.
    static let handshakeVersions = ["2024-11-05", "2025-06-18", "2025-11-25"]
    /// The versions that each request names.
    static let requestVersions = ["2026-07-28"]
    /// The most calls that may be under way.
    package static let callLimit = 16
    /// The most bytes of a text in an answer; what is longer is cut, which the text says.
    package static let textByteLimit = 256 << 10

    private let server: MCPServerDescription
    private var isAgreed = false
    private var calls: [MCPRequestID: MCPCall] = [:]
    /// The numbers of calls that still run although the client has cancelled them, so that their answers are dropped.
    private var withdrawn: Set<Int> = []
    private var callCount = 0

    package init(_ server: MCPServerDescription) { self.server = server }

    /// What the owner does about a line.
    package enum Step: Sendable {
        case nothing
        /// Write the line, which has its end.
        case send([UInt8])
        /// Do the work, and hand its result to ``answerCall(_:with:)``.
        case run(MCPCall)
    }

    /// Reads a line without its end; nil stands for one of more than ``MCPLines/byteLimit`` bytes.
    package mutating func receive(_ line: [UInt8]?) -> Step {
        guard let line else {
            let sentence = "a message has at most \(MCPLines.byteLimit) bytes; this one was left out"
            return .send(Self.error(.invalidRequest(sentence)))
        }
        // Between messages an empty line means nothing.
        guard line.contains(where: { $0 > 0x20 }) else { return .nothing }
        do throws(MCPMessage.Fault) {
            switch try MCPMessage(reading: line) {
            case .answer: return .nothing
            case .notification(let method, let params):
                if method == "notifications/cancelled", let id = params["requestId"].flatMap(MCPRequestID.init),
                    let call = calls.removeValue(forKey: id)
                {
                    withdrawn.insert(call.number)
                }
                return .nothing
            case .request(let id, let method, let params):
                do throws(MCPMessage.Fault) {
                    return try reply(to: id, method, params)
                } catch {
                    var fault = error
                    fault.id = id
                    throw fault
                }
            }
        } catch {
            return .send(Self.error(error))
        }
    }

    /// The answer to a call, a line with its end; nil where the client has withdrawn it, and wants none.
    package mutating func answerCall(_ call: MCPCall, with result: MCPResult) -> [UInt8]? {
        guard withdrawn.remove(call.number) == nil else { return nil }
        calls[call.id] = nil
        switch (result, call.work) {
        case (.text(let text, let isError), _):
            return Self.toolResult(call.id, call.era, text, isError: isError)
        case (.document(let text, let type), .resource(let uri)):
            return Self.result(call.id, call.era, seconds: 0) { json in
                json.objects("contents", of: [Self.bounded(text)]) { json, text in
                    json.member("uri", uri)
                    json.member("mimeType", type)
                    json.member("text", text)
                }
            }
        case (.nothingThere(let sentence), _), (.document(let sentence, _), _):
            let code = call.era == .handshake ? MCPErrorCode.noResource : MCPErrorCode.invalidParams
            return Self.error(MCPMessage.Fault(id: call.id, code: code, sentence: sentence))
        }
    }

    // MARK: Requests

    private mutating func reply(
        to id: MCPRequestID, _ method: String, _ params: [String: JSONTree]
    ) throws(MCPMessage.Fault) -> Step {
        let era = try Self.era(of: method, params)
        switch (method, era) {
        case ("initialize", .handshake):
            isAgreed = true
            let wanted = params["protocolVersion"]?.string ?? ""
            let version = Self.handshakeVersions.contains(wanted) ? wanted : Self.handshakeVersions.last ?? wanted
            return .send(
                Self.result(id, era) { json in
                    json.member("protocolVersion", version)
                    server.writeCapabilities(to: &json)
                    json.object("serverInfo", server.writeInfo)
                    json.member("instructions", server.instructions)
                })
        case ("server/discover", .request):
            return .send(
                Self.result(id, era, seconds: 3_600) { json in
                    json.texts("supportedVersions", Self.requestVersions)
                    server.writeCapabilities(to: &json)
                    json.member("instructions", server.instructions)
                    json.object("_meta") { json in
                        json.object("io.modelcontextprotocol/serverInfo", server.writeInfo)
                    }
                })
        case ("ping", .handshake): return .send(Self.result(id, era) { _ in })
        default: break
        }
        guard era == .request || isAgreed else {
            throw .invalidRequest("\(Self.shown(method)) came before 'initialize', with which a session begins")
        }
        return try list(id, method, params, era)
    }

    private mutating func list(
        _ id: MCPRequestID, _ method: String, _ params: [String: JSONTree], _ era: MCPCall.Era
    ) throws(MCPMessage.Fault) -> Step {
        if method.hasSuffix("/list"), let cursor = params["cursor"] {
            throw .invalidParams(
                "there is no cursor '\(Self.shown(cursor.string ?? ""))'; every list here is one page")
        }
        switch method {
        case "tools/list":
            return .send(
                Self.result(id, era, seconds: 3_600) { json in
                    json.key("tools")
                    json.list(server.tools) { tool, json in tool.write(to: &json) }
                })
        case "resources/list": return .send(Self.list(id, era, of: server.documents, as: "resources", uriKey: "uri"))
        case "resources/templates/list":
            return .send(Self.list(id, era, of: server.templates, as: "resourceTemplates", uriKey: "uriTemplate"))
        case "tools/call": return try callTool(id, params, era)
        case "resources/read":
            guard let uri = params["uri"]?.string else { throw .invalidParams("resources/read needs a 'uri'") }
            return .run(try beginCall(id, era, .resource(uri)))
        default:
            throw MCPMessage.Fault(
                code: MCPErrorCode.unknownMethod,
                sentence: "this server has no method '\(Self.shown(method))'; it has tools and resources")
        }
    }

    private mutating func callTool(
        _ id: MCPRequestID, _ params: [String: JSONTree], _ era: MCPCall.Era
    ) throws(MCPMessage.Fault) -> Step {
        guard let name = params["name"]?.string else { throw .invalidParams("tools/call needs the 'name' of a tool") }
        guard let tool = server.tools.first(where: { $0.name == name }) else {
            let names = server.tools.map(\.name)
            let hint = NearestName.find(name, in: names).map { "did you mean '\($0)'?" }
            throw .invalidParams(
                "there is no tool '\(Self.shown(name))'; \(hint ?? "there are \(names.joined(separator: ", "))")")
        }
        let members: [String: JSONTree]
        switch params["arguments"] {
        case nil, .null: members = [:]
        case .object(let given): members = given
        default: throw .invalidParams("'arguments' of \(name) is an object")
        }
        let arguments: MCPArguments
        do throws(MCPRefusal) {
            arguments = try MCPArguments(members, of: tool)
        } catch {
            // A model that reads the sentence can call again, so it is a result of the tool.
            return .send(Self.toolResult(id, era, "\(error)", isError: true))
        }
        return .run(try beginCall(id, era, .tool(name, arguments)))
    }

    private mutating func beginCall(
        _ id: MCPRequestID, _ era: MCPCall.Era, _ work: MCPCall.Work
    ) throws(MCPMessage.Fault) -> MCPCall {
        guard calls[id] == nil else {
            throw .invalidRequest("a request with this id is under way; take another id")
        }
        guard calls.count + withdrawn.count < Self.callLimit else {
            throw MCPMessage.Fault(
                code: MCPErrorCode.busy,
                sentence: "\(Self.callLimit) calls are under way, which is the limit; wait for an answer")
        }
        callCount += 1
        let call = MCPCall(work: work, id: id, era: era, number: callCount)
        calls[id] = call
        return call
    }

    /// How the request names its version; throws where it names one of the future, or half of what it must.
    private static func era(
        of method: String, _ params: [String: JSONTree]
    ) throws(MCPMessage.Fault) -> MCPCall.Era {
        var meta: [String: JSONTree] = [:]
        if case .object(let given) = params["_meta"] { meta = given }
        let names = ["io.modelcontextprotocol/protocolVersion", "io.modelcontextprotocol/clientCapabilities"]
        guard let version = meta[names[0]] else {
            guard method == "server/discover" else { return .handshake }
            throw .invalidParams("'_meta' of \(method) needs '\(names[0])'")
        }
        guard let text = version.string, requestVersions.contains(text) else {
            var fault = MCPMessage.Fault(
                code: MCPErrorCode.unsupportedVersion,
                sentence: "this server does not speak the version '\(shown(version.string ?? ""))' without a handshake")
            fault.version = version.string ?? ""
            throw fault
        }
        guard case .object = meta[names[1]] else {
            throw .invalidParams("'_meta' of \(shown(method)) needs '\(names[1])', an object")
        }
        return .request
    }

    private static func shown(_ text: String) -> String { EscapedText.escape(text.utf8, limit: 80) }

    // MARK: Lines

    /// `seconds` is how long the client may keep a result that can be kept; nil: it is none.
    private static func result(
        _ id: MCPRequestID, _ era: MCPCall.Era, seconds: Int? = nil, _ write: (inout JSONText) -> Void
    ) -> [UInt8] {
        line(id) { json in
            json.object("result") { json in
                write(&json)
                guard era == .request else { return }
                json.member("resultType", "complete")
                guard let seconds else { return }
                json.member("ttlMs", seconds * 1_000)
                json.member("cacheScope", "private")
            }
        }
    }

    private static func list(
        _ id: MCPRequestID, _ era: MCPCall.Era, of documents: [MCPDocument], as key: StaticString,
        uriKey: StaticString
    ) -> [UInt8] {
        result(id, era, seconds: 3_600) { json in
            json.objects(key, of: documents) { json, document in
                json.member(uriKey, document.uri)
                json.member("name", document.name)
                json.member("title", document.title)
                json.member("description", document.summary)
                json.member("mimeType", document.type)
            }
        }
    }

    private static func toolResult(_ id: MCPRequestID, _ era: MCPCall.Era, _ text: String, isError: Bool) -> [UInt8] {
        result(id, era) { json in
            json.objects("content", of: [bounded(text)]) { json, text in
                json.member("type", "text")
                json.member("text", text)
            }
            json.member("isError", isError)
        }
    }

    private static func error(_ fault: MCPMessage.Fault) -> [UInt8] {
        line(fault.id) { json in
            json.object("error") { json in
                json.member("code", fault.code)
                json.member("message", fault.sentence)
                guard let version = fault.version else { return }
                json.object("data") { json in
                    json.texts("supported", requestVersions)
                    json.member("requested", version)
                }
            }
        }
    }

    private static func line(_ id: MCPRequestID?, _ write: (inout JSONText) -> Void) -> [UInt8] {
        var json = JSONText()
        json.object { json in
            json.member("jsonrpc", "2.0")
            json.key("id")
            switch id {
            case .text(let bytes): json.string(bytes[...])
            case .number(let number): json.number(number)
            case nil: json.value(complete: Array("null".utf8))
            }
            write(&json)
        }
        json.lineEnd()
        return json.bytes
    }

    private static func bounded(_ text: String) -> String {
        guard text.utf8.count > textByteLimit else { return text }
        let kept = String(decoding: text.utf8.prefix(textByteLimit), as: UTF8.self)
        return kept + "\n… \(text.utf8.count - textByteLimit) bytes more are left out: an answer has at most "
            + "\(textByteLimit); ask for less"
    }
}
