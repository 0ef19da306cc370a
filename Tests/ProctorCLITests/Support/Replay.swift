import Foundation
import ProctorBase
import ProctorCoding
import ProctorHTTP
import ProctorImport
import ProctorTestSupport
import Testing

/// The recordings of `Tests/ProctorImportTests/Recordings`, and their requests over the wire once more.
enum Replay {
    static func path(_ file: String) -> String { "\(Project.path)/Tests/ProctorImportTests/Recordings/\(file)" }

    static func recording(_ kind: ImportKind, _ file: String) throws -> Recording {
        let bytes = [UInt8](try Data(contentsOf: URL(fileURLWithPath: path(file))))
        switch kind {
        case .har: return try HARReader.read(bytes, file: file)
        case .http: return try DumpReader.read(bytes, file: file)
        case .vcr: return try CassetteReader.read(bytes, file: file)
        case .journal: return try JournalImport.read(bytes, file: file)
        case .curl, .wiremock, .postman, .openapi: throw Timeout(description: "\(kind) holds no replies of the wire")
        }
    }

    /// Fields that another server says in its own way, or that are made for each reply.
    private static let own: Set<String> = [
        "connection", "keep-alive", "transfer-encoding", "content-length", "date", "server", "x-request-id",
    ]

    /// Sends the request of an exchange with curl, and compares the reply with the recorded one.
    static func send(_ exchange: RecordedExchange, to base: String, in folder: TestFolder) async throws {
        let (request, recorded) = (exchange.request, exchange.reply)
        var words = ["-o", "\(folder.path)/body", "-D", "\(folder.path)/head"]
        words += request.method == "HEAD" ? ["-I"] : ["-X", request.method]
        let given = request.fields.filter { !["host", "content-length", "connection"].contains($0.name.lowercased()) }
        for name in ["Accept", "User-Agent", "Expect", "Content-Type"] where !given.contains(named: name) {
            words += ["-H", "\(name):"]
        }
        for field in given {
            words += ["-H", field.bytes.isEmpty ? "\(field.name);" : "\(field.name): \(field.value)"]
        }
        if let content = request.content {
            words += ["--data-binary", "@\(try folder.write(content, to: "content"))"]
        }
        _ = try folder.write("", to: "body")
        let outcome = try await Child.run(
            ["-sS", "--max-time", "60"] + words + [base + request.target], program: "/usr/bin/curl")
        #expect(outcome.status == 0, "\(exchange.place): \(outcome.err)")
        let bytes = [UInt8](try Data(contentsOf: URL(fileURLWithPath: "\(folder.path)/head")))
        let head = try ReplyHead(parsing: bytes, replyingTo: Array(request.method.utf8))
        #expect(head.status == recorded.status, "\(exchange.place): \(request.method) \(request.target)")
        let fields = [HTTPField](head.fields)
        for field in recorded.fields where !own.contains(field.name.lowercased()) {
            let wanted = field.value.replacing(request.origin, with: "")
            let got = fields.all(named: field.name).map {
                $0.value.replacing(base, with: "").replacing("/it/", with: "/")
            }
            #expect(got.contains(wanted), "\(exchange.place): \(field.name): \(field.value), not \(got)")
        }
        guard request.method != "HEAD" else { return }
        let body = [UInt8](try Data(contentsOf: URL(fileURLWithPath: "\(folder.path)/body")))
        let wanted = recorded.isDecoded ? recorded.content : try decoded(recorded.content, recorded.fields)
        #expect(try decoded(body, fields) == wanted, "\(exchange.place): content of \(request.target)")
    }

    private static func decoded(_ bytes: [UInt8], _ fields: [HTTPField]) throws -> [UInt8] {
        guard let name = fields.value(of: "Content-Encoding"), let coding = ContentCoding(name: name) else {
            return bytes
        }
        return try CodingDecoder.decode(bytes, codings: [coding], limit: 1 << 20)
    }
}
