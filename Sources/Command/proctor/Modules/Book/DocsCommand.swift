internal import ProctorBase
internal import ProctorBook
internal import ProctorDocument
internal import ProctorFixtures
internal import ProctorLoop
internal import ProctorMarkdown
internal import ProctorProgram
internal import ProctorScenario
internal import ProctorServer

let docsCommand = Command(name: "docs", operandNames: "pages") { arguments, context in
    guard let folder = try ShippedFiles.folder(BookFolder.name), let book = try ShippedBook.read(folder) else {
        throw UsageError("no book comes with this binary: it stands outside of its checkout and has none inside")
    }
    let docs = Docs(book: book, folder: folder, context: context)
    let words = arguments.operands
    if let site = arguments["--site"] {
        guard words.isEmpty, !arguments.has("--list") else {
            throw UsageError("--site takes the whole book, without words")
        }
        return try docs.write(to: site)
    }
    if arguments.has("--list") {
        guard words.isEmpty else { throw UsageError("say either --list or words, not both") }
        docs.list()
        return .success
    }
    if words.isEmpty { return try await docs.open(arguments) }
    if words.count == 1 {
        docs.explain(words[0])
        if let page = docs.page(words[0]) {
            let style = Style.choose(arguments["--color"], isTerminal: context.output.isTerminal(), context.environment)
            let width = try arguments.number("--width", in: 40...400) ?? ScenarioLines.width
            context.output.out(page.text(width: width) { style.strong($0) })
            context.output.line("\n('proctor docs words' explains the words of the book)")
            return .success
        }
    }
    return try docs.find(words.joined(separator: " "), arguments)
}

extension Book {
    /// nil where none comes with the program.
    static func comingWithProgram() throws(UsageError) -> Book? {
        try ShippedFiles.folder(BookFolder.name).flatMap { folder throws(UsageError) in try ShippedBook.read(folder) }
    }
}

enum ShippedBook {
    /// nil where the folder has no contents.
    static func read(_ folder: String) throws(UsageError) -> Book? {
        do throws(Diagnostic) {
            return try BookFolder.read(folder)
        } catch {
            throw UsageError("the book can't be read: \(error)")
        }
    }
}

/// What the command does with the book.
private struct Docs {
    let book: Book
    let folder: String
    let context: CommandContext

    private static let shownCount = 10
    /// Files by which the folder of an earlier site is known.
    private static let siteMarks = ["book-data.js"]

    private var output: Output { context.output }

    func list() {
        let lines = ScenarioLines(output: output)
        let column = (book.pages.map(\.path.count).max() ?? 0) + 4
        for part in book.parts {
            output.line(part.title)
            for page in book.pages[part.pages] where page.parent == nil {
                lines.write("  \(page.path)", page.title, column: column)
            }
        }
    }

    /// Prints what a word means in the book, where it is one of Proctor's own, with an empty line behind it.
    func explain(_ word: String) {
        guard let meaning = book.meaning(of: word) else { return }
        for line in LineBreaking.wrapped("\(word.lowercased()): \(meaning)", indentation: 0) { output.line(line) }
        output.line("")
    }

    /// A page, or the section of one that stands behind `#`; nil where the word means none.
    func page(_ word: String) -> Markdown? {
        let parts = word.split(separator: "#", maxSplits: 1, omittingEmptySubsequences: false).map(String.init)
        guard let page = book.page(meantBy: parts[0])?.markdown else { return nil }
        return parts.count > 1 ? page.section(at: parts[1]) : page
    }

    func find(_ text: String, _ arguments: ParsedArguments) throws -> ExitCode {
        let files = try FixtureLocation(environment: context.environment).libraryIfAny(of: arguments)?.find()
        let scenarios = files.map { ScenarioSearch($0.load { _ in true }.scenarios) }
        let limit = arguments.has("--all") ? Int.max : Self.shownCount
        let hits = BookSearch(book).find(text, limit: limit, scenarios: scenarios)
        guard !hits.isEmpty else {
            let paths = book.pages.map(\.path)
            let hint = NearestName.hint(for: text, in: paths, else: "fewer words find more, and --list lists its pages")
            output.message("the book has nothing about '\(text)'; \(hint)")
            return .failure
        }
        for hit in hits {
            output.line("\(hit.title)  (\(hit.place))")
            output.line("    proctor \(hit.kind == .scenario ? "explain" : "docs") \(shown(hit.target))")
            for line in LineBreaking.wrapped(hit.line, indentation: 4) { output.line(line) }
        }
        return .success
    }

    /// A shell would take what stands behind `#` for a remark only behind a blank.
    private func shown(_ target: String) -> String {
        target.utf8.allSatisfy { $0.isASCIILetter || $0.isASCIIDigit || "/#-_.".utf8.contains($0) }
            ? target : "'\(target)'"
    }

    func write(to site: String) throws -> ExitCode {
        var folder = try ReportFolder(site, of: "book", marks: Self.siteMarks)
        for file in BookSite(book).files() { try folder.write(file.bytes, to: file.path) }
        output.line("wrote \(Plural.count(folder.fileCount, "file")); open \(site)/index.html")
        return .success
    }

    // MARK: In a browser

    func open(_ arguments: ParsedArguments) async throws -> ExitCode {
        let connection = try ControlConnection(arguments, environment: context.environment)
        if let reply = try? await connection.send(.searchBook("")), reply.status == 200 || reply.status == 401 {
            output.line("http://\(connection.address)\(ServedBook.address)")
            return .success
        }
        var configuration = ServerConfiguration.ofProgram
        ServedBook(folder: folder).register(in: &configuration)
        let server = try await Server.start(try scenarios(arguments), configuration: configuration)
        let signals = try await SignalThread([], stops: SignalThread.endsOfServing)
        output.line("\(server.pagesBase ?? server.base)\(ServedBook.address)")
        output.message("the book stands there until ^C")
        for await _ in signals.events {}
        await signals.stop()
        await server.stop(grace: .zero)
        return .success
    }

    /// So that links of pages to scenarios lead to them.
    private func scenarios(_ arguments: ParsedArguments) throws -> Catalogue {
        guard let files = try FixtureLocation(environment: context.environment).libraryIfAny(of: arguments)?.find(),
            files.diagnostics.isEmpty
        else { return Catalogue([]) }
        return Catalogue(LateCheck(certificates: CertificateReport(folders: []), output: output).reading(files))
    }
}
