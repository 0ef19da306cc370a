import ProctorBase
import ProctorHTTP

/// A folder of plain files with sidecars, as wptserve of web-platform-tests serves one.
package enum FolderReader {
    /// `files` by their path in the folder; `refused` are those that were not read.
    package static func read(
        _ files: [String: [UInt8]], refused: [String: FileRefusal] = [:], folder: String
    ) throws(ImportFailure) -> Draft {
        var collector = Collector(files: files, folder: folder)
        for (path, refusal) in refused.sorted(by: { $0.key < $1.key }) {
            collector.addRemark("the file \(refusal), and is left out", at: path)
        }
        for path in files.keys.sorted() { collector.addFile(path) }
        return try collector.draft()
    }

    /// Whether a path of the folder stands for something that is served: no part begins with a dot.
    package static func isServed(_ path: String) -> Bool {
        !path.split(separator: "/").contains { $0.hasPrefix(".") }
    }

    private struct Collector {
        let files: [String: [UInt8]]
        let folder: String
        private var exchanges: [DraftExchange] = []
        private var claims: [SourceClaim] = []
        private var remarks = ImportRemarks()

        init(files: [String: [UInt8]], folder: String) {
            (self.files, self.folder) = (files, folder)
        }

        private func place(_ path: String) -> String { "\(folder)/\(path)" }

        mutating func addRemark(_ sentence: String, at path: String) {
            remarks.add(at: place(path), sentence)
        }

        mutating func addFile(_ path: String) {
            if let owner = FolderFile.owner(of: path) {
                if owner == "__dir__" || owner.hasSuffix("/__dir__") || files[owner] != nil { return }
                return addRemark("no file \(owner) stands beside it, and it is left out", at: path)
            }
            guard let bytes = files[path] else { return }
            if FolderFile.isHandler(path, bytes) {
                return addRemark(
                    "a handler in Python is a program, and is left out: write an exchange that answers as it does",
                    at: path)
            }
            if path.hasSuffix(".asis") {
                addRaw(path, bytes)
            } else {
                let file = FolderFile(path: path, files: files, folder: folder)
                var reply = file.reply(place: place(path), &remarks)
                if path.split(separator: "/").last?.contains(text: ".sub.") == true {
                    reply.substitute(isMarkup: FolderTypes.isMarkup(path), &remarks)
                }
                add(path, reply)
            }
            if bytes.firstRange(ofBytes: "?pipe=".utf8) != nil {
                addRemark(
                    "it has URLs with ?pipe=, which no exchange answers: write one for each that is asked", at: path)
            }
        }

        /// The file answers every query but those with pipes, which ask wptserve for another reply.
        private mutating func add(_ path: String, _ reply: FolderReply) {
            var pattern = RegexText.escape(FolderFile.target(of: path))
            if let end = FolderFile.indexEnd(of: path) {
                pattern = RegexText.escape(FolderFile.target(of: String(path.dropLast(end)))) + "(?:index\\.html)?"
            }
            let request = DraftRequest("GET|HEAD", ["matches": .text(pattern + Self.anyQuery)])
            var exchange = DraftExchange(request, [reply.draft()])
            exchange.place = place(path)
            exchanges.append(exchange)
            claims.append(reply.claim(at: place(path), target: FolderFile.target(of: path)))
        }

        private static let anyQuery = "(?:\\?(?!(?:.*&)?pipe=).*)?"

        private mutating func addRaw(_ path: String, _ bytes: [UInt8]) {
            guard bytes.count <= Self.rawByteLimit, !bytes.isEmpty else {
                return addRemark(
                    "an .asis file of 1 to \(Self.rawByteLimit) bytes can be taken over, and this one is left out",
                    at: path)
            }
            var reply = DraftReply(200)
            reply.isRaw = true
            let raw = String(validUTF8: bytes).map { YAMLTree.text(LiteralText.late($0)) }
            reply.more = [
                .init("raw", raw ?? .base64(bytes)),
                .init("then", .text("close")),
            ]
            let pattern = RegexText.escape(FolderFile.target(of: path)) + Self.anyQuery
            let request = DraftRequest("GET", ["matches": .text(pattern)])
            var exchange = DraftExchange(request, [reply])
            exchange.place = place(path)
            exchanges.append(exchange)
        }

        private static let rawByteLimit = 64 << 10

        func draft() throws(ImportFailure) -> Draft {
            var draft = Draft(summary: "The files of \(folder.split(separator: "/").last ?? "a folder")")
            draft.exchanges = exchanges
            draft.remarks = remarks
            draft.claims = claims
            guard !draft.exchanges.isEmpty else {
                throw ImportFailure(
                    at: folder,
                    "the folder holds no file that can be taken over; expected files, with NAME.headers beside them"
                        + remarks.prefix(10).map { "\n\($0)" }.joined())
            }
            guard draft.exchanges.count <= 1_000 else {
                throw ImportFailure(
                    at: folder,
                    "it makes \(draft.exchanges.count) exchanges; a scenario has at most 1000: import folders in it one by one"
                )
            }
            return draft
        }
    }
}
