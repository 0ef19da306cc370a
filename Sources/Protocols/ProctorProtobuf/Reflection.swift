package import ProctorBase

/// The answers of gRPC's reflection service, v1 and v1alpha, whose messages have the same fields.
package struct Reflection: Sendable {
    private let descriptors: Descriptors
    /// The names of those that are told.
    private let services: [String]

    package init(_ descriptors: Descriptors, services: [String]) {
        (self.descriptors, self.services) = (descriptors, services)
    }

    /// The bytes of a ServerReflectionResponse.
    package func response(to request: [UInt8]) throws(LineFault) -> [UInt8] {
        var response = WireWriter()
        var host: [UInt8] = []
        var reader = WireReader(request, 0..<request.count)
        var answer: (number: Int, content: [UInt8])?
        while let field = try reader.nextField() {
            guard case .bytes(let range) = field.value else { continue }
            let text = String(decoding: request[range], as: UTF8.self)
            switch field.number {
            case 1: host = Array(request[range])
            case 3: answer = files(descriptors.files.first { $0.name == text }, "file \(text)")
            case 4: answer = files(descriptors.files.first { $0.symbols.contains(text) }, "symbol \(text)")
            case 5: answer = error(5, "no extension is known here")
            case 6: answer = extensions(of: text)
            case 7: answer = (6, list())
            default: continue
            }
        }
        response.addField(1, host)
        response.addField(2, request)
        let (number, content) = answer ?? error(3, "the request asks nothing that reflection v1 has")
        response.addField(number, content)
        return response.bytes
    }

    /// A file with all that it imports, itself first.
    private func files(_ file: Descriptors.File?, _ wanted: String) -> (Int, [UInt8]) {
        guard let file else {
            return error(5, "the descriptor has no \(EscapedText.escape(Array(wanted.utf8), limit: 200))")
        }
        var response = WireWriter()
        var names: Set<String> = [file.name]
        var waiting = [file]
        while let next = waiting.popLast() {
            response.addField(1, next.bytes)
            for name in next.dependencies where names.insert(name).inserted {
                if let file = descriptors.files.first(where: { $0.name == name }) { waiting.append(file) }
            }
        }
        return (4, response.bytes)
    }

    private func extensions(of name: String) -> (Int, [UInt8]) {
        guard descriptors.messages[name] != nil else {
            return error(5, "the descriptor has no message \(EscapedText.escape(Array(name.utf8), limit: 200))")
        }
        var response = WireWriter()
        response.addField(1, Array(name.utf8))
        return (5, response.bytes)
    }

    private func list() -> [UInt8] {
        var response = WireWriter()
        for name in services {
            var service = WireWriter()
            service.addField(1, Array(name.utf8))
            response.addField(1, service.bytes)
        }
        return response.bytes
    }

    private func error(_ code: UInt64, _ message: String) -> (Int, [UInt8]) {
        var response = WireWriter()
        response.addField(1, varint: code)
        response.addField(2, Array(message.utf8))
        return (7, response.bytes)
    }
}
