import Foundation
import ProctorServer
import ProctorTestSupport
import ProctorTestWire

extension Conversation {
    /// A block `draft`: the fixture that is made of what the run has seen, of all requests or those of `entries N,N`.
    ///
    /// A run of it is made, whose base is called `$(draft)`.
    mutating func draft(_ block: Block, _ check: inout Check) async throws {
        let entries = block.value(of: "entries").map { "{\"entries\":[\($0)]}" } ?? ""
        let reply = try await call("POST /runs/\(run.id)/scenario", entries)
        let answer = try JSONSerialization.jsonObject(with: Data(reply.content)) as? [String: Any] ?? [:]
        var text = reply.error.map { "\(reply.status) \($0)\n" } ?? ""
        if let yaml = answer["yaml"] as? String {
            text += yaml
            for remark in answer["remarks"] as? [String] ?? [] where !yaml.contains("# - \(remark)\n") {
                text += "! a remark does not stand in the file: \(remark)\n"
            }
            let made = try await call("POST /inline", yaml)
            if made.status == "201" {
                draftBase = made.pick("base").trimmingCharacters(in: ["\""])
                check.names["draft"] = draftBase
            } else {
                text += "! it is no scenario: \(made.text)\n"
            }
        }
        check.expect(block, got: ByteText.shortened(Self.unfill(text, check.names)))
    }

    /// One call of the control API on a connection of its own.
    private func call(_ line: String, _ content: String) async throws -> AskedReply {
        let (method, target) = line.cut(at: " ")
        let base = server.base
        return try await onThread {
            let wire = try Wire(to: base)
            defer { wire.close() }
            let head = "\(method) /__proctor\(target ?? "") HTTP/1.1\r\nHost: 127.0.0.1\r\n"
            try wire.send(head + "Content-Length: \(content.utf8.count)\r\n\r\n\(content)")
            wire.finish()
            var reply = AskedReply()
            try reply.readHead(wire)
            try reply.readContent(wire, method: method, toEnd: true)
            return reply
        }
    }
}
