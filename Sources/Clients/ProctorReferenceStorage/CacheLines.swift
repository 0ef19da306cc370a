internal import ProctorBase
internal import ProctorHTTP
internal import ProctorHTTPClient
internal import ProctorReference

extension StoredResponse {
    func write(to line: inout JSONText) {
        line.member("url", orBase64: "urlBase64", key.bytes[...])
        line.member("status", reply.status)
        line.member("reason", orBase64: "reasonBase64", reason[...])
        line.member("requestedAt", max(0, reply.requestedAt))
        line.member("receivedAt", max(0, reply.receivedAt))
        line.objects("fields", of: reply.fields) { $0.write($1) }
        line.objects("varies", of: reply.variant.conditions) { line, condition in
            line.member("name", condition.name)
            if let value = condition.value { line.member("value", orBase64: "valueBase64", value[...]) }
        }
        line.objects("notes", of: notes.sorted { $0.key < $1.key }) { line, note in
            line.member("name", note.key)
            line.member("value", note.value)
        }
        line.member("content", orBase64: "contentBase64", content[...])
    }

    /// Reads a response; `fault` changes it as a client with that fault would have it.
    init(_ object: StoredObject, at now: Int, fault: StorageFault?) throws(StorageProblem) {
        let text = try object.text("url")
        guard let url = try? ClientURL(text) else {
            throw StorageProblem(sentence: "\"\(text)\" is no URL")
        }
        var fields = try object.objects("fields").fields
        let varied = try object.objects("varies")
        var requestFields: [HTTPField] = []
        for condition in varied where condition.has("value") { requestFields.append(try condition.field) }
        var times = (requested: try object.number("requestedAt"), received: try object.number("receivedAt"))
        switch fault {
        case .ageLost:
            times = (now, now)
            for name in ["Date", "Age"] { fields.removeAll(named: name) }
        case .validatorsLost: for name in ["ETag", "Last-Modified"] { fields.removeAll(named: name) }
        case .varyLost:
            fields.removeAll(named: "Vary")
            requestFields = []
        default: break
        }
        let reply = CachedReply(
            status: try object.number("status"), fields: fields, requestFields: requestFields,
            requestedAt: times.requested, receivedAt: times.received)
        guard let reply, 100...599 ~= reply.status else {
            throw StorageProblem(sentence: "expected a status from 100 to 599, and a Vary that is no *")
        }
        var notes: [String: String] = [:]
        for note in try object.objects("notes") { notes[try note.text("name")] = try note.text("value") }
        self.init(
            reply, reason: try object.bytes("reason"), of: url, content: try object.bytes("content"), notes: notes)
    }
}

extension JSONText {
    mutating func write(_ field: HTTPField) {
        member("name", field.name)
        member("value", orBase64: "valueBase64", field.bytes[...])
    }
}

extension StoredObject {
    /// A field whose name is a token, and whose value has no control.
    var field: HTTPField {
        get throws(StorageProblem) {
            let field = HTTPField(name: try text("name"), bytes: try bytes("value"))
            guard field.isSendable else { throw StorageProblem(sentence: "\"\(field.name)\" is no header field") }
            return field
        }
    }
}

extension [StoredObject] {
    var fields: [HTTPField] {
        get throws(StorageProblem) {
            var fields: [HTTPField] = []
            for object in self { fields.append(try object.field) }
            return fields
        }
    }
}
