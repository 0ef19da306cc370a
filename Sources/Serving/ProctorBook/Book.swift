package import ProctorMarkdown

/// The documents of the project as a book: pages in reading order, in parts.
///
/// `README.md` of the folder is its first page, and its table of contents: nested lists of links.
package struct Book: Sendable {
    package let parts: [Part]
    /// In reading order, the first page first.
    package let pages: [Page]
    private let positions: [String: Int]

    package struct Part: Sendable {
        package let title: String
        /// Positions in ``Book/pages``.
        package fileprivate(set) var pages: Range<Int>
    }

    package struct Page: Sendable {
        /// The file's path below the folder without its extension, as `format/replies`; empty for the first page.
        package let path: String
        /// What the table of contents calls it.
        package let name: String
        package let title: String
        /// Its first paragraph: what the page is for.
        package let lead: String
        /// The title of its part; empty for the first page.
        package let part: String
        /// The path of the page whose list it stands in; nil where the contents of the book name it themselves.
        package let parent: String?
        package let source: String

        package var markdown: Markdown { Markdown(source) }
    }

    /// The name of the file that has the contents.
    package static let contents = "README.md"

    /// The path of the page that explains words: each row of its tables begins with words of code.
    package static let words = "start/words"

    /// `files` are texts by paths relative to the folder; nil where they have no contents.
    ///
    /// What the contents do not name is no page.
    package init?(files: [String: String]) {
        guard let front = files[Self.contents] else { return nil }
        let reader = ContentsReader(Markdown(front), files: files)
        var pages = [Page("", named: "Contents", in: "", front)]
        var parts: [Part] = []
        for (title, entries) in reader.parts {
            let start = pages.count
            for entry in entries {
                pages.append(
                    Page(
                        entry.path, named: entry.name, in: title, below: entry.parent, files["\(entry.path).md"] ?? ""))
            }
            parts.append(Part(title: title, pages: start..<pages.count))
        }
        (self.parts, self.pages) = (parts, pages)
        positions = Dictionary(pages.enumerated().map { ($1.path, $0) }) { first, _ in first }
    }

    /// nil where no page has the path.
    package func position(of path: String) -> Int? { positions[path] }

    package func page(at path: String) -> Page? { positions[path].map { pages[$0] } }

    /// The page that a person means by a word: its path, its last name, or its title in any letter case.
    package func page(meantBy word: String) -> Page? {
        if let page = page(at: word), !word.isEmpty { return page }
        let wanted = word.lowercased()
        let named = pages.dropFirst().filter { page in
            page.path.split(separator: "/").last.map { $0 == wanted } ?? false || page.title.lowercased() == wanted
        }
        return named.count == 1 ? named[0] : nil
    }

    /// What the page ``words`` says of a word, in any letter case; nil where it has no row of the word.
    package func meaning(of word: String) -> String? {
        let wanted = word.lowercased()
        for case .table(_, let rows) in page(at: Self.words)?.markdown.blocks ?? [] {
            for row in rows where row.count > 1 {
                let names = row[0].compactMap { if case .code(let name) = $0 { name } else { nil } }
                if names.contains(wanted) { return row[1].plainText }
            }
        }
        return nil
    }
}

extension Book.Page {
    /// Without a name it is called by its title.
    fileprivate init(
        _ path: String, named name: String? = nil, in part: String, below parent: String? = nil, _ source: String
    ) {
        let opening = Markdown(openingOf: source)
        let title = opening.title ?? name ?? path
        self.init(
            path: path, name: name ?? title, title: title, lead: opening.lead, part: part, parent: parent,
            source: source)
    }
}

/// The parts of a book and their pages, as its contents list them.
///
/// A README of a folder stands for the pages of that folder: those that it links, in its order, then the others.
private struct ContentsReader {
    private(set) var parts: [(title: String, pages: [Entry])] = []
    private let files: [String: String]
    private var used: Set<String> = []

    struct Entry {
        let path: String
        /// Nil: its title.
        let name: String?
        let parent: String?
    }

    init(_ contents: Markdown, files: [String: String]) {
        self.files = files
        var title = ""
        for block in contents.blocks {
            switch block {
            case .heading(let level, let words, _) where level > 1: title = words.plainText
            case .list(_, let items): items.forEach { readItem($0, in: title, isOuter: true) }
            default: continue
            }
        }
    }

    private mutating func readItem(_ blocks: [Markdown.Block], in title: String, isOuter: Bool) {
        guard case .paragraph(let words)? = blocks.first else { return }
        let inner = blocks.dropFirst().compactMap { if case .list(_, let items) = $0 { items } else { nil } }
        // An outer item that has a list of its own is a part.
        let title = isOuter && !inner.isEmpty ? words.partTitle : title
        for case .link(let name, let target) in words {
            append(target, named: name.plainText, in: title, below: nil)
            guard target.hasSuffix("/\(Book.contents)"), let source = files[target] else { continue }
            let (folder, parent) = (target.dropLast(Book.contents.count), String(target.dropLast(3)))
            for (name, target) in Markdown(source).links where !target.contains("/") {
                append("\(folder)\(target)", named: name, in: title, below: parent)
            }
            for file in files.keys.sorted() where file.hasPrefix(folder) && !file.dropFirst(folder.count).contains("/")
            {
                append(file, named: nil, in: title, below: parent)
            }
        }
        for item in inner.joined() { readItem(item, in: title, isOuter: false) }
    }

    private mutating func append(_ target: String, named name: String?, in title: String, below parent: String?) {
        guard target.hasSuffix(".md"), files[target] != nil, used.insert(target).inserted else { return }
        if parts.last?.title != title { parts.append((title, [])) }
        parts[parts.count - 1].pages.append(Entry(path: String(target.dropLast(3)), name: name, parent: parent))
    }
}

extension [Markdown.Inline] {
    /// The words that are strong or a link, or else those before a colon.
    fileprivate var partTitle: String {
        for word in self {
            switch word {
            case .strong(let words), .link(let words, _): return words.plainText
            default: continue
            }
        }
        return String(plainText.prefix { $0 != ":" })
    }
}
