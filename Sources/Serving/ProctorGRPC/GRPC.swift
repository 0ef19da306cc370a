internal import ProctorBase
internal import ProctorDocument
internal import ProctorFixtures
internal import ProctorProtobuf
internal import ProctorScenario

/// Calls of gRPC by a descriptor: the key `grpc` of a scenario, of content and of replies.
package enum GRPC {
    /// Hands the keys over to the language, for every scenario that this process reads from then on.
    ///
    /// Safe from any thread, and again. Without it a fixture with such a key is refused.
    package static func register() {
        ScenarioReader.described.register(table) { DescribedCalls($0) }
        ScenarioReader.callMessages.register(Shape { $1.callMessages($0) })
        ScenarioReader.call.register(Shape { $1.call($0) })
    }

    private static let table = Table("grpc", DescriptorKeys())
}

/// `grpc:` at the top of a file.
struct DescriptorKeys: Sendable {
    let descriptor = Key<Node>("descriptor", isRequired: true)
    let service = Key<[(text: String, node: Node)]>("service") { node, reader in
        reader.sink.texts(node, "a service", limit: 100)
    }
}

/// What the calls of a scenario are described by.
struct DescribedCalls: Sendable {
    let descriptors: Descriptors
    /// The names of the services that the scenario has.
    let services: [String]

    /// nil after a diagnostic.
    init?(_ keys: Mapping<DescriptorKeys>) {
        let sink = keys.reader.sink
        guard let node = keys[\.descriptor],
            let (path, bytes) = keys.reader.sidecarText(node, byteLimit: Descriptors.byteBound)
        else { return nil }
        do {
            descriptors = try Descriptors(reading: bytes)
        } catch {
            sink.report(
                node, "\(quoted(path)) is no FileDescriptorSet: \(error.sentence), at byte \(error.offset)",
                hint: "protoc --include_imports --descriptor_set_out=\(node.text ?? "FILE") FILE.proto writes one")
            return nil
        }
        guard keys.has(\.service) else {
            services = descriptors.services.map(\.name)
            return
        }
        services = keys[\.service]?.map(\.text) ?? []
        for (name, node) in keys[\.service] ?? [] where descriptors.service(name) == nil {
            let known = descriptors.services.map(\.name)
            sink.report(
                node, "the descriptor has no service \(quoted(name))",
                hint: known.isEmpty ? "it has none" : DiagnosticSink.hint(for: name, among: known))
        }
    }

    /// The method of a request's path; nil after a diagnostic.
    func method(_ target: [UInt8]?, _ node: Node, _ sink: DiagnosticSink) -> ServiceType.Method? {
        guard let target else {
            return sink.refuse(
                node, "messages are read by the method that the request's path names, and the path is not one text",
                hint: "write path: /package.Service/Method")
        }
        let path = String(decoding: target, as: UTF8.self)
        if let method = descriptors.method(ofPath: path), services.contains(where: { path.hasPrefix("/\($0)/") }) {
            return method
        }
        let known = services.compactMap(descriptors.service).flatMap { service in
            service.methods.map { "/\(service.name)/\($0.name)" }
        }
        return sink.refuse(
            node, "no service here has the method of \(quoted(path))",
            hint: DiagnosticSink.hint(for: path, among: known))
    }
}

extension ScenarioReader {
    /// What the top of the file says; nil after a diagnostic.
    func describedCalls(_ node: Node) -> DescribedCalls? {
        if let calls = description.value as? DescribedCalls { return calls }
        // Where it stands and could not be read, that is told already.
        guard !description.isWritten else { return nil }
        return sink.refuse(
            node, "messages of gRPC are read by a descriptor, which the scenario does not have",
            hint: "write grpc: { descriptor: FILE.binpb } at the top of the file")
    }
}
