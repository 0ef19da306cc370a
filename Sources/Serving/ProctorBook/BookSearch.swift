internal import ProctorBase
internal import ProctorMarkdown
package import ProctorScenario

/// Something that a search found.
package struct BookHit: Sendable, Equatable {
    package let kind: Kind
    package let title: String
    /// The part and the page that it stands in.
    package let place: String
    /// One line that says what it is.
    package let line: String
    /// A chapter of the book, or the id of a scenario.
    package let target: String

    package enum Kind: String, Sendable {
        case page, section, rule, scenario
        /// A key, a message, an outcome: what the first column of a table has.
        case word
    }
}

/// The pages of a book, their sections and the words of their tables, and scenarios beside them, by words; made once.
///
/// `Assets/book.js` ranks alike.
package struct BookSearch: Sendable {
    let entries: [Entry]

    struct Entry: Sendable {
        let hit: BookHit
        let searched: SearchedText
        /// Between entries whose words weigh alike.
        let bonus: Int
        /// The group of the entry; only the first entry of a group is found.
        let group: String
    }

    package init(_ book: Book) {
        entries = book.pages.flatMap { PageEntries($0).entries }
    }

    /// What fits best comes first; at most `limit`, and at most five scenarios behind them.
    ///
    /// Where nothing has all of the words, what has most of them is found.
    package func find(_ text: String, limit: Int = 20, scenarios: ScenarioSearch? = nil) -> [BookHit] {
        let question = ScenarioSearch.Question(text)
        guard !question.terms.isEmpty else { return [] }
        var ranked: [(entry: Entry, termCount: Int, weight: Int)] = []
        for entry in entries {
            let weights = entry.searched.weights(of: question.terms)
            let termCount = weights.count { $0 > 0 }
            // At least half of the words.
            guard termCount > 0, 2 * termCount >= weights.count else { continue }
            let isExact = weights.count == 1 && entry.hit.title.lowercased() == question.terms[0].word
            ranked.append((entry, termCount, weights.reduce(0, +) + entry.bonus + (isExact ? 11 : 0)))
        }
        let most = ranked.map(\.termCount).max() ?? 0
        var groups: Set<String> = []
        // The order of the book decides between equals.
        let entries = ranked.enumerated().filter { $0.element.termCount == most }
            .sorted { ($1.element.weight, $0.offset) < ($0.element.weight, $1.offset) }
            .map(\.element.entry).filter { groups.insert($0.group).inserted }
        return entries.prefix(limit).map(\.hit) + (scenarios?.find(question).prefix(5).map(BookHit.init) ?? [])
    }
}

/// What a page can be found by.
private struct PageEntries {
    typealias Entry = BookSearch.Entry

    private let page: Book.Page
    private(set) var entries: [Entry] = []
    private var heading: String
    private var anchor = ""
    private var texts: [String] = []
    private var line = ""

    /// What a part counts where words weigh alike: recipes before all, what is known of clients and of the inside last.
    private static let bonuses = ["Cookbook": 8, "Inside": -8, "Clients": -4]

    init(_ page: Book.Page) {
        self.page = page
        heading = page.title
        let blocks = page.markdown.blocks.filter { !Self.isProgram($0) }
        let headings = blocks.compactMap { if case .heading(_, let words, _) = $0 { words.plainText } else { nil } }
        entries.append(
            Entry(
                hit: BookHit(
                    kind: .page, title: page.title, place: page.part, line: Self.shortened(page.lead), target: page.path
                ),
                searched: SearchedText(
                    name: "\(page.path) \(page.title) \(page.name)",
                    title: "\(headings.joined(separator: "\n"))\n\(page.lead)",
                    text: blocks.map(\.plainText).joined(separator: "\n")), bonus: bonus + 3, group: page.path))
        for block in blocks { read(block) }
        closeSection()
    }

    /// Programs in several languages have words of everything.
    private static func isProgram(_ block: Markdown.Block) -> Bool {
        guard case .code(let language, _) = block else { return false }
        return ["python", "js", "go", "swift", "java"].contains(language)
    }

    private var bonus: Int {
        // A list of pages leads to nothing that the pages do not.
        if page.path.hasSuffix("/README") { return -8 }
        return page.path.hasPrefix("matrix/") ? -16 : Self.bonuses[page.part] ?? 0
    }

    private var place: String {
        [page.part, page.title].filter { !$0.isEmpty }.joined(separator: " › ")
    }

    private mutating func read(_ block: Markdown.Block) {
        switch block {
        case .heading(let level, let words, let name) where level > 1:
            closeSection()
            (heading, anchor, texts, line) = (words.plainText, "#\(name)", [], "")
            return
        case .paragraph(let words) where line.isEmpty: line = words.plainText
        case .table(_, let rows): for row in rows { readRow(row) }
        default: break
        }
        texts.append(block.plainText)
    }

    /// The top of a page is found as the page.
    private mutating func closeSection() {
        guard !anchor.isEmpty else { return }
        let number = heading.split(separator: " ").first.map(String.init) ?? ""
        let isRule = RuleChapters.isPage(page.path) && heading.first == "R"
        let title = isRule ? number : heading
        // Recipes are found each for itself.
        let isRecipe = page.part == "Cookbook" && page.parent != nil
        let group = isRule || isRecipe ? page.path + anchor : page.path
        entries.append(
            Entry(
                hit: BookHit(
                    kind: isRule ? .rule : .section, title: title, place: place,
                    line: Self.shortened(isRule ? String(heading.dropFirst(number.count + 1)) : line),
                    target: page.path + anchor),
                searched: SearchedText(name: heading, title: page.title, text: texts.joined(separator: "\n")),
                bonus: bonus + (isRecipe ? 4 : 1), group: group))
    }

    /// A row whose first cell is a word of code: a key, an outcome, a kind of violation.
    private mutating func readRow(_ row: [[Markdown.Inline]]) {
        guard case .code(let name)? = row.first?.first, !name.contains("/") else { return }
        // The cell that says most.
        let sentence = row.dropFirst().map(\.plainText).max { $0.count < $1.count } ?? ""
        entries.append(
            Entry(
                hit: BookHit(
                    kind: .word, title: name, place: anchor.isEmpty ? place : "\(place) › \(heading)",
                    line: Self.shortened(sentence), target: page.path + anchor),
                searched: SearchedText(name: name, title: "", text: "\(sentence)\n\(page.title)"),
                bonus: page.path == Book.words ? bonus + 8 : bonus - 6,
                group: "`\(name)"))
    }

    /// The first words of a text, of at most 140 characters.
    private static func shortened(_ text: String) -> String {
        guard text.count > 140 else { return text }
        return text.prefix(140).split(separator: " ").dropLast().joined(separator: " ") + " …"
    }
}

extension BookHit {
    fileprivate init(_ scenario: Scenario) {
        self.init(
            kind: .scenario, title: scenario.id, place: "Scenarios", line: scenario.summary, target: scenario.id)
    }
}
