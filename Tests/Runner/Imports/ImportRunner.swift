import Foundation
import ProctorBase
import ProctorHTTP
import ProctorImport
import ProctorProving
import ProctorTestSupport

/// Imports what another tool wrote, and compares the scenario, the remarks and the replies that it gives.
///
/// A block that is named as a kind of import holds the source, or nothing where `of FILE` names one of
/// `Tests/Data/imports/recordings`; `keep-secrets` leaves its secrets, `waits` takes its times. Blocks behind it say what comes of it.
struct ImportRunner: RowRunner {
    func run(_ row: Row, _ check: inout Check) async throws {
        var source: ImportSource?
        for block in row.blocks {
            if let kind = ImportKind(rawValue: block.name) {
                source = try ImportSource(kind, block)
                continue
            }
            guard block.name != "slow" else { continue }
            guard let source else { throw RowError(block.line, "no source stands before this block") }
            switch block.name {
            case "scenario": check.expect(block, got: source.scenario)
            case "remarks": check.expect(block, got: source.remarks)
            case "proof": check.expect(block, got: source.proof)
            case "exchanges": check.expect(block, got: try source.exchanges())
            case "replays": check.expect(block, got: try await Replay.run(source, block))
            default:
                let kinds = ImportKind.allCases.map(\.rawValue).joined(separator: ", ")
                throw RowError(
                    block.line,
                    "unknown block \"\(block.name)\"; blocks are scenario, remarks, proof, exchanges, replays, slow and the kinds: "
                        + kinds)
            }
        }
    }
}

/// What is imported.
struct ImportSource {
    let kind: ImportKind
    let bytes: [UInt8]
    let file: String
    let result: Result<Draft, ImportFailure>

    init(_ kind: ImportKind, _ block: Block) throws {
        self.kind = kind
        if let name = block.value(of: "of") {
            let path = "\(Project.path)/Tests/Data/imports/recordings/\(name)"
            guard let data = FileManager.default.contents(atPath: path) else {
                throw RowError(block.line, "there is no file \(path)")
            }
            bytes = [UInt8](data)
            file = name
        } else {
            bytes = kind == .http ? try ByteText.bytes(block.text, line: block.line) : Array(block.text.utf8)
            file = "it"
        }
        let (bytes, file) = (bytes, file)
        result = Result { () throws(ImportFailure) in
            // A file of mappings stands for a folder with it alone.
            if kind == .wiremock { return try WireMockReader.read(["mappings.json": bytes], folder: file) }
            if kind == .folder { return try FolderReader.read(Self.files(in: block.text), folder: file) }
            let importer = Importer(
                keepsSecrets: block.has("keep-secrets"), keepsWaits: block.has("waits"), within: WorkBudget())
            return try importer.draft(kind, bytes, file: file)
        }
    }

    /// A line `=== NAME` begins a file, whose content is the lines up to the next, without the last line end.
    private static func files(in text: String) -> [String: [UInt8]] {
        var files: [String: [UInt8]] = [:]
        var name: String?
        var lines: [Substring] = []
        for line in text.split(separator: "\n", omittingEmptySubsequences: false) + [Substring("=== ")] {
            guard line.hasPrefix("=== ") else {
                lines.append(line)
                continue
            }
            if let name { files[name] = Array(lines.joined(separator: "\n").utf8) }
            (name, lines) = (String(line.dropFirst(4)), [])
        }
        return files
    }

    /// The text of the fixture, and the files beside it by their names and sizes.
    var scenario: String {
        guard case .success(let draft) = result else { return "none\n" }
        let text = ScenarioText(draft, name: "it", head: "")
        return text.text.drop { $0 == "\n" } + text.files.map { "\($0.path) \($0.content.byteCount) bytes\n" }.joined()
    }

    /// Remarks, a line each; or why it can't be read.
    var remarks: String {
        switch result {
        case .success(let draft): draft.remarks.map { "\($0)\n" }.joined()
        case .failure(let failure): "\(failure)\n"
        }
    }

    /// What is left out since no fixture can say it, and what is not as the source says; `none` where all is.
    var proof: String {
        switch result {
        case .success(var draft):
            // It needs a file beside the scenario, which rows of commands have.
            draft.description?.isExpected = false
            do throws(SoundDraft.Failure) {
                let sound = try SoundDraft(draft, as: SoundDraft.Form(id: "it", head: ""), within: WorkBudget())
                let told = Set(draft.remarks)
                let lines = sound.draft.remarks.filter { !told.contains($0) } + Array(sound.differences)
                return lines.isEmpty ? "none\n" : lines.map { "\($0)\n" }.joined()
            } catch {
                return "\(error)\n"
            }
        case .failure(let failure): return "\(failure)\n"
        }
    }

    /// What the source says was exchanged, before anything is made of it.
    func exchanges() throws -> String {
        try recording().exchanges.map { exchange in
            let reply = exchange.reply
            return "\(exchange.request.method) \(exchange.request.target) => \(reply.status)\n"
                + reply.fields.map { "  \(ByteText.inLine(Array($0.name.utf8))): \(ByteText.inLine($0.bytes))\n" }
                .joined()
                + (reply.content.isEmpty ? "" : "  content \(ByteText.inLine(reply.content))\n")
        }
        .joined()
    }

    func recording() throws -> ProctorImport.Recording {
        switch kind {
        case .har: try HARReader.read(bytes, file: file)
        case .http: try DumpReader.read(bytes, file: file)
        case .vcr: try CassetteReader.read(bytes, file: file)
        case .journal: try JournalImport.read(bytes, file: file)
        case .curl, .wiremock, .postman, .openapi, .folder:
            throw ImportFailure("\(kind.rawValue) holds no replies of the wire")
        }
    }
}
