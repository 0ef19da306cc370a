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
        private var piped: [DraftExchange] = []
        private var claims: [SourceClaim] = []
        private var remarks = ImportRemarks()
        /// Files whose exchange holds pipes already, with the words of the pipe.
        private var knownPipes: Set<[String]> = []

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
            addPipes(namedIn: path, bytes)
        }

        /// The file answers every query, but for those with pipes, whose replies are others.
        private mutating func add(_ path: String, _ reply: FolderReply) {
            var pattern = RegexText.escape(FolderFile.target(of: path))
            if let end = FolderFile.indexEnd(of: path) {
                pattern = RegexText.escape(FolderFile.target(of: String(path.dropLast(end)))) + "(?:index\\.html)?"
            }
            let request = DraftRequest("GET|HEAD", ["matches": .text(pattern + Self.anyQuery)])
            var exchange = DraftExchange(request, [reply.draft(honoursRanges: true)])
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

        // MARK: Pipes

        private mutating func addPipes(namedIn path: String, _ bytes: [UInt8]) {
            for named in PipedURL.all(in: bytes, isMarkup: FolderTypes.isMarkup(path)) {
                let line = "\(path):\(named.line)"
                guard !named.pipe.contains(text: "${") else {
                    addRemark("\(named.shown) is put together by a script, and is left out", at: line)
                    continue
                }
                let pipes: [FolderPipe]
                do throws(FolderPipe.Fault) {
                    pipes = try FolderPipe.parse(named.pipe)
                } catch {
                    addRemark("\(named.shown) is left out: \(error.sentence)", at: line)
                    continue
                }
                guard let target = named.file(from: path, in: files) else {
                    addRemark("\(named.shown) leads to no file of the folder, and is left out", at: line)
                    continue
                }
                addPiped(target, pipes, named, at: line)
            }
        }

        private mutating func addPiped(
            _ path: String, _ pipes: [FolderPipe], _ named: PipedURL, at line: String
        ) {
            guard knownPipes.insert([path, named.pipe] + named.others).inserted else { return }
            guard FolderFile.owner(of: path) == nil, let bytes = files[path], !FolderFile.isHandler(path, bytes),
                !path.hasSuffix(".asis")
            else { return addRemark("\(named.shown) is left out, as what it leads to is", at: line) }
            var unread = ImportRemarks()
            let file = FolderFile(path: path, files: files, folder: folder)
            var reply = file.reply(place: place(line), &unread)
            for pipe in pipes {
                do throws(FolderPipe.Fault) {
                    try reply.apply(pipe, isMarkup: FolderTypes.isMarkup(path), &remarks)
                } catch {
                    return addRemark("\(named.shown) is left out: \(error.sentence)", at: line)
                }
            }
            var request = DraftRequest("GET|HEAD", .text(LiteralText.pattern(FolderFile.target(of: path))))
            request.query =
                [.init("pipe", .text(LiteralText.pattern(named.pipe)))] + named.others.map { .init($0, .text("*")) }
            var exchange = DraftExchange(request, [reply.draft(honoursRanges: false)])
            exchange.place = place(line)
            piped.append(exchange)
            let pairs = [("pipe", named.pipe)] + named.others.map { ($0, "1") }
            let query = URLEncodedForm(pairs.map { .init(name: $0.0.utf8, value: $0.1.utf8) })
            claims.append(
                reply.claim(
                    at: place(line),
                    target: FolderFile.target(of: path) + "?" + String(decoding: query.bytes, as: UTF8.self)))
        }

        func draft() throws(ImportFailure) -> Draft {
            var draft = Draft(summary: "The files of \(folder.split(separator: "/").last ?? "a folder")")
            draft.exchanges = piped + exchanges
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
