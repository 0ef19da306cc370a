import Foundation
import ProctorBase
import ProctorCoding
import ProctorDocument
import ProctorFixtures
import ProctorHTTP
import ProctorImport
import ProctorScenario
import ProctorServer
import ProctorTestSupport

/// The requests of a recording over the wire once more, by curl, to the scenario that was made of it.
enum Replay {
    /// A line for each exchange: what was asked, the status, and below it what is not as it was recorded.
    static func run(_ source: ImportSource, _ block: Block) async throws -> String {
        let folder = try TestFolder()
        let draft = try source.result.get()
        let text = ScenarioText(draft, name: "it", head: "")
        for file in text.files {
            guard case .bytes(let bytes) = file.content else { continue }
            try folder.write(bytes, to: file.path)
        }
        let (scenario, diagnostics) = ScenarioLoader.parse(
            Array(text.text.utf8), id: "it", file: "it.yaml", folder: folder.path)
        guard let scenario else { throw RowError(block.line, diagnostics.map(\.description).joined(separator: "\n")) }
        let server = try await Server.start(Catalogue([scenario]))
        var lines = ""
        do {
            let run = try await server.run("it")
            for exchange in try source.recording().exchanges {
                lines += "\(exchange.request.method) \(exchange.request.target) => "
                lines += try await send(exchange, to: run.base, in: folder)
            }
        } catch {
            await server.stop(grace: .zero)
            throw error
        }
        await server.stop(grace: .zero)
        return lines
    }

    /// Fields that another server says in its own way, or that are made for each reply; a date in the future moves with it.
    private static let own: Set<String> = [
        "connection", "keep-alive", "transfer-encoding", "content-length", "date", "server", "x-request-id", "expires",
    ]

    private static func send(_ exchange: RecordedExchange, to base: String, in folder: TestFolder) async throws
        -> String
    {
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
        let outcome = try await ChildProcess.run(
            ["/usr/bin/curl", "-q", "-sS", "--max-time", "60"] + words + [base + request.target])
        guard outcome.status == 0 else { return "curl exited with \(outcome.status): \(outcome.err)" }
        let head = try ReplyHead(
            parsing: [UInt8](try Data(contentsOf: folder.url.appendingPathComponent("head"))),
            replyingTo: Array(request.method.utf8))
        var lines = "\(head.status)\n"
        if head.status != recorded.status { lines += "  recorded \(recorded.status)\n" }
        let fields = [HTTPField](head.fields)
        for field in recorded.fields where !own.contains(field.name.lowercased()) {
            let wanted = field.value.replacing(request.origin, with: "")
            let got = fields.all(named: field.name).map { $0.value.replacing(base, with: "") }
            if !got.contains(wanted) { lines += "  \(field.name): \(field.value), and got \(got)\n" }
        }
        guard request.method != "HEAD" else { return lines }
        let body = [UInt8](try Data(contentsOf: folder.url.appendingPathComponent("body")))
        let wanted = RecordedContent(recorded).content
        if try decoded(body, fields) != wanted { lines += "  content is not as it was recorded\n" }
        return lines
    }

    private static func decoded(_ bytes: [UInt8], _ fields: [HTTPField]) throws -> [UInt8] {
        guard let name = fields.value(of: "Content-Encoding"), let coding = ContentCoding(name: name) else {
            return bytes
        }
        return try CodingDecoder.decode(bytes, codings: [coding], limit: 1 << 20)
    }
}
