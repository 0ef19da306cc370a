internal import ProctorBase

/// The id of a request, which its answer repeats (JSON-RPC 2.0 §4): a text or a whole number.
enum MCPRequestID: Hashable, Sendable {
    case text([UInt8])
    case number(Int)

    /// nil where the value can't be an id.
    init?(_ tree: JSONTree) {
        switch tree {
        case .text(let bytes): self = .text(bytes)
        case .number(let number):
            guard let number = number.integer else { return nil }
            self = .number(number)
        default: return nil
        }
    }
}

/// One message of a client, a line of JSON-RPC 2.0.
enum MCPMessage {
    case request(MCPRequestID, method: String, params: [String: JSONTree])
    case notification(method: String, params: [String: JSONTree])
    /// An answer, to which this server has asked nothing.
    case answer

    /// What is wrong with a message, or why a request is refused.
    struct Fault: Error {
        /// nil where the message has none that can be read.
        var id: MCPRequestID?
        let code: Int
        let sentence: String
        /// The version that a request names and this server does not speak.
        var version: String?

        static func invalidRequest(_ sentence: String, of id: MCPRequestID? = nil) -> Fault {
            Fault(id: id, code: MCPErrorCode.invalidRequest, sentence: sentence)
        }

        static func invalidParams(_ sentence: String) -> Fault {
            Fault(code: MCPErrorCode.invalidParams, sentence: sentence)
        }
    }

    /// Reads a line without its end.
    init(reading line: [UInt8]) throws(Fault) {
        let tree: JSONTree
        do throws(LineFault) {
            tree = try JSONTree.read(line.span)
        } catch {
            throw Fault(
                code: MCPErrorCode.parse,
                sentence: "byte \(error.offset + 1) of the line: \(error.sentence); a message is one line of JSON")
        }
        guard case .object(let members) = tree else {
            throw .invalidRequest("a message is one object of JSON-RPC 2.0; lists of messages are not supported")
        }
        let id = members["id"].flatMap(MCPRequestID.init)
        guard case .text(let version) = members["jsonrpc"], version.elementsEqual("2.0".utf8) else {
            throw .invalidRequest("a message has \"jsonrpc\": \"2.0\"", of: id)
        }
        guard case .text(let name) = members["method"] else {
            guard members["method"] == nil, members["result"] != nil || members["error"] != nil else {
                throw .invalidRequest("a request has a 'method', which is a text", of: id)
            }
            self = .answer
            return
        }
        let method = String(decoding: name, as: UTF8.self)
        let params: [String: JSONTree]
        switch members["params"] {
        case nil: params = [:]
        case .object(let given): params = given
        default: throw .invalidRequest("'params' of \(method) is an object", of: id)
        }
        if let id {
            self = .request(id, method: method, params: params)
        } else if members["id"] == nil {
            self = .notification(method: method, params: params)
        } else {
            throw .invalidRequest("the 'id' of a request is a text or a whole number")
        }
    }
}

/// Codes of errors: JSON-RPC 2.0 §5.1, and those of the protocol.
enum MCPErrorCode {
    static let parse = -32700
    static let invalidRequest = -32600
    static let unknownMethod = -32601
    static let invalidParams = -32602
    /// No such resource, in the protocols before 2026.
    static let noResource = -32002
    /// The version of a request is none of the server's, from 2026 on.
    static let unsupportedVersion = -32022
    /// An error of this server: so many calls are under way.
    static let busy = -32000
}

/// Splits what a client sends into lines, each of at most ``byteLimit`` bytes.
package struct MCPLines: Sendable {
    /// The most bytes of a message: the text of a scenario has up to 1 MiB, and its escapes as many again.
    package static let byteLimit = 4 << 20

    private var line: [UInt8] = []
    private var isTooLong = false

    package init() {}

    /// The lines that end in the bytes, without their ends; nil stands for one that was too long.
    package mutating func append(_ bytes: [UInt8]) -> [[UInt8]?] {
        var lines: [[UInt8]?] = []
        for piece in bytes.split(separator: 0x0A, omittingEmptySubsequences: false).enumerated() {
            if piece.offset > 0 { lines.append(endLine()) }
            guard !isTooLong else { continue }
            if line.count + piece.element.count > Self.byteLimit {
                isTooLong = true
                line = []
            } else {
                line += piece.element
            }
        }
        return lines
    }

    /// The rest behind the last end of a line; nil: there is none.
    package mutating func finish() -> [UInt8]?? {
        guard isTooLong || !line.isEmpty else { return .none }
        return .some(endLine())
    }

    private mutating func endLine() -> [UInt8]? {
        defer { (line, isTooLong) = ([], false) }
        if isTooLong { return nil }
        return line.last == 0x0D ? line.dropLast() : line
    }
}
