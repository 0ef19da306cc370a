internal import ProctorBase
internal import ProctorDocument
internal import ProctorFixtures
internal import ProctorProtobuf

/// The status with which a call ends, as its trailers have it.
struct CallStatus: Sendable {
    let code: Code
    var message = ""
    /// A google.rpc.Status; empty: there are no details.
    var details: [UInt8] = []

    static let ok = CallStatus(code: .ok)

    /// The names of gRPC, by their numbers.
    enum Code: String, CaseIterable, Sendable {
        case ok = "OK"
        case cancelled = "CANCELLED"
        case unknown = "UNKNOWN"
        case invalidArgument = "INVALID_ARGUMENT"
        case deadlineExceeded = "DEADLINE_EXCEEDED"
        case notFound = "NOT_FOUND"
        case alreadyExists = "ALREADY_EXISTS"
        case permissionDenied = "PERMISSION_DENIED"
        case resourceExhausted = "RESOURCE_EXHAUSTED"
        case failedPrecondition = "FAILED_PRECONDITION"
        case aborted = "ABORTED"
        case outOfRange = "OUT_OF_RANGE"
        case unimplemented = "UNIMPLEMENTED"
        case `internal` = "INTERNAL"
        case unavailable = "UNAVAILABLE"
        case dataLoss = "DATA_LOSS"
        case unauthenticated = "UNAUTHENTICATED"

        var number: Int { Self.allCases.firstIndex(of: self) ?? 2 }
    }

    /// The lines of the trailers.
    var fields: [(name: String, value: [UInt8])] {
        var fields = [("grpc-status", Array(String(code.number).utf8))]
        if !message.isEmpty { fields.append(("grpc-message", Self.escaped(message))) }
        if !details.isEmpty {
            fields.append(
                ("grpc-status-details-bin", Array(Base64Text.encode(details).utf8.filter { $0 != UInt8(ascii: "=") })))
        }
        return fields
    }

    /// Percent-encoding, as grpc-message has it.
    private static func escaped(_ text: String) -> [UInt8] {
        let digits = Array("0123456789ABCDEF".utf8)
        return text.utf8.flatMap { byte -> [UInt8] in
            0x20...0x7E ~= byte && byte != UInt8(ascii: "%")
                ? [byte] : [UInt8(ascii: "%"), digits[Int(byte >> 4)], digits[Int(byte & 15)]]
        }
    }
}

/// `status: { code, message, details }`.
struct CallStatusKeys: Sendable {
    let code = Key<CallStatus.Code>("code", isRequired: true) { $1.statusCode($0) }
    let message = Key<String>("message") { node, reader in reader.sink.text(node, "a message") }
    let details = Key<Node>("details")
}

extension ScenarioReader {
    private static let statusTable = Table("a status of gRPC", CallStatusKeys())

    /// A name or its number.
    fileprivate func statusCode(_ node: Node) -> CallStatus.Code? {
        if let number = node.plainText.flatMap({ Int($0) }) {
            let all = CallStatus.Code.allCases
            guard all.indices.contains(number) else {
                return sink.refuse(node, "a status of gRPC is a number from 0 to \(all.count - 1), found \(number)")
            }
            return all[number]
        }
        return sink.choice(node, "a status of gRPC", among: CallStatus.Code.self)
    }

    /// A code alone, or a mapping.
    func callStatus(_ node: Node, _ nodes: MessageNodes) -> CallStatus? {
        guard node.entries != nil else { return statusCode(node).map { CallStatus(code: $0) } }
        guard let keys = Self.statusTable.open(node, self) else { return nil }
        let message = keys[\.message] ?? ""
        let details = keys[\.details].flatMap { self.details($0, nodes) }
        guard let code = keys[\.code], !keys.has(\.details) || details != nil else { return nil }
        guard let details else { return CallStatus(code: code, message: message) }
        var status = WireWriter()
        if code != .ok { status.addField(1, varint: UInt64(code.number)) }
        if !message.isEmpty { status.addField(2, Array(message.utf8)) }
        for detail in details { status.addField(3, detail) }
        return CallStatus(code: code, message: message, details: status.bytes)
    }

    private func details(_ node: Node, _ nodes: MessageNodes) -> [[UInt8]]? {
        sink.list(node, "details", limit: 100)?.mapAll { nodes.bytes($0, as: WellKnownType.any.rawValue) }
    }
}
