internal import ProctorBase
internal import ProctorBook
internal import ProctorMarkdown
internal import ProctorServer

extension Modules {
    static let book: ModuleRows? = ModuleRows(
        commands: [docsCommand], libraries: [.cmark],
        serve: { _, configuration throws(UsageError) in
            ServedBook(folder: try ShippedFiles.folder(BookFolder.name)).register(in: &configuration)
        },
        search: { words in
            try Book.comingWithProgram().map { book in
                BookSearch(book).find(words, limit: 3).map {
                    "in the book: \($0.title) (proctor docs \($0.target))"
                }
            } ?? []
        },
        pageNames: { try Book.comingWithProgram()?.pages.map(\.path).filter { !$0.isEmpty } ?? [] },
        chapter: { BookTopics.chapter(of: $0) })
}
