internal import ProctorBase
internal import ProctorDocument
internal import ProctorFixtures
import ProctorHTML
internal import ProctorReplies
internal import ProctorScenario
package import ProctorServer
internal import ProctorServing

/// The book on a server: its pages, and what its search finds; each read when it is first asked for.
///
/// Safe from any thread; calls block while files are read.
package final class ServedBook: Sendable {
    private let folder: String?
    private let keptPages = Locked<BookPages?>(nil)
    private let keptSearch = Locked<BookSearch?>(nil)

    /// The path of the book's contents.
    package static let address = PageAddress.prefix + PageAddress.bookName

    /// The most characters of a search that are looked at.
    private static let typedLimit = 300

    /// nil: the server has no book.
    package init(folder: String?) { self.folder = folder }

    private static let addresses = BookAddresses(
        page: { $0.isEmpty ? address : "\(address)/\($0)" }, scenario: { "/\($0)" })

    /// What the book adds to a server: its pages, and its search for the scripts of pages.
    package func register(in configuration: inout ServerConfiguration) {
        configuration.calls.append(
            ControlCall("GET", "docs") { api in
                { request throws(ControlError) in try await self.search(for: request, of: api) }
            })
        configuration.pages.append(
            ServedPage(PageAddress.bookName, title: "Docs") { api, path, query throws(ControlError) in
                try await self.page(path, query, of: api)
            })
    }

    private func search(for request: ControlRequest, of api: ControlAPI) async throws(ControlError) -> BuiltInReply {
        let typed = request.query["q"] ?? ""
        let scenarios = typed.isEmpty ? nil : await api.searchOfScenarios()
        return try await api.search(for: request) { _ in try self.hits(typed, scenarios) }
    }

    private func page(
        _ path: String, _ query: [String: String], of api: ControlAPI
    ) async throws(ControlError) -> BuiltInReply {
        let scenarios = query["q"] == nil ? nil : await api.searchOfScenarios()
        return try await WorkThreads.streaming.attempt(within: .ofInput) { _ throws(ControlError) in
            try self.reply(to: path, query, scenarios, in: api)
        }
    }

    private func pages() throws(ControlError) -> BookPages {
        if let pages = keptPages.withLock({ $0 }) { return pages }
        let read: Book?
        do throws(Diagnostic) {
            read = try folder.flatMap { folder throws(Diagnostic) in try BookFolder.read(folder) }
        } catch {
            throw ControlError(503, "unreadable-now", message: "the book can't be read; ask again: \(error)")
        }
        guard let book = read else {
            throw ControlError(
                404, "no-book", message: "this server has no book: the folder \(BookFolder.name) is not there")
        }
        let pages = BookPages(book, at: Self.addresses)
        keptPages.withLock { $0 = pages }
        return pages
    }

    /// Reads every page to its end, which takes many times as long as to open the book.
    private func search(of book: Book) -> BookSearch {
        if let search = keptSearch.withLock({ $0 }) { return search }
        let search = BookSearch(book)
        keptSearch.withLock { $0 = search }
        return search
    }

    private func hits(_ typed: String, in book: Book, _ scenarios: ScenarioSearch?) -> [BookHit] {
        search(of: book).find(String(typed.prefix(Self.typedLimit)), scenarios: scenarios)
    }

    /// The page with the path, or what `q` of the query finds, or the way to the chapter that `about` names.
    private func reply(
        to path: String, _ query: [String: String], _ scenarios: ScenarioSearch?, in api: ControlAPI
    ) throws(ControlError) -> BuiltInReply {
        let pages = try pages()
        if let word = query["about"] {
            guard let chapter = BookTopics.chapter(about: word) else {
                throw ControlError(404, "unknown-topic", message: "the book has no chapter about that word")
            }
            return PageAddress.redirect(to: Self.addresses.chapter(chapter))
        }
        guard let page = pages.book.page(at: path) else {
            throw ControlError(
                404, "unknown-page", message: "the book has no such page; its contents are at \(Self.address)")
        }
        let typed = String((query["q"] ?? "").prefix(Self.typedLimit))
        let hits = typed.isEmpty ? nil : hits(typed, in: pages.book, scenarios)
        return try api.page(
            PageContent(
                pages.main(of: page, typed: typed, hits: hits),
                title: hits == nil ? "\(page.title) · Proctor" : "Search · Proctor", scripts: ["book.js"],
                styles: ["book.css"], isWide: true))
    }

    /// What the script of a page shows.
    private func hits(_ typed: String, _ scenarios: ScenarioSearch?) throws(ControlError) -> BuiltInReply {
        let pages = try pages()
        let hits = hits(typed, in: pages.book, scenarios)
        return .object { json in
            json.objects("hits", of: hits) { json, hit in
                json.member("kind", hit.kind.rawValue)
                json.member("title", hit.title)
                json.member("place", hit.place)
                json.member("line", hit.line)
                json.member("address", pages.address(of: hit) ?? "")
            }
        }
    }
}
