internal import ProctorBase
internal import ProctorHTML
internal import ProctorScenario

/// The book as pages in a folder, which need no server; their search needs a script.
package struct BookSite {
    private let book: Book

    package init(_ book: Book) { self.book = book }

    private static let style = "book.css"
    private static let script = "book.js"
    private static let data = "book-data.js"

    /// Bytes by paths relative to the folder.
    package func files() -> [(path: String, bytes: [UInt8])] {
        var files = book.pages.map { (path: Self.file($0.path), bytes: page($0)) }
        let styles = ["pages.css", "book.css"].compactMap { PageAsset.all[$0]?.bytes }
        files.append((Self.style, Array(styles.joined())))
        files.append((Self.script, PageAsset.all["book.js"]?.bytes ?? []))
        files.append((Self.data, Array("globalThis.proctorBook = ".utf8) + BookSearch(book).json + Array(";\n".utf8)))
        return files
    }

    /// `way` leads to the folder.
    fileprivate static func addresses(behind way: String = "") -> BookAddresses {
        BookAddresses(page: { way + file($0) }, scenario: { _ in nil })
    }

    private static func file(_ path: String) -> String { "\(path.isEmpty ? "index" : path).html" }

    private func page(_ page: Book.Page) -> [UInt8] {
        let way = String(repeating: "../", count: page.path.count { $0 == "/" })
        let pages = BookPages(book, at: Self.addresses(behind: way), searchNeedsScript: true)
        let head: HTML = """
            <link rel="stylesheet" href="\(way)\(Self.style)">\
            <script defer src="\(way)\(Self.data)"></script><script defer src="\(way)\(Self.script)"></script>
            """
        let body: HTML = """
            <a class="skip" href="#main">Skip to the content</a>\
            <header class="top"><nav aria-label="Pages"><a class="home" href="\(way)\(Self.file(""))">Proctor</a></nav></header>
            <main id="main" tabindex="-1" class="wide">\(pages.main(of: page))</main>
            """
        return body.document(title: "\(page.title) · Proctor", head: head).bytes
    }
}

extension BookSearch {
    /// What the script of such pages searches, as JSON; addresses are relative to the folder.
    var json: [UInt8] {
        var json = JSONText()
        json.open("{")
        json.objects("entries", of: entries) { json, entry in
            json.texts("searched", entry.searched.parts)
            json.member("bonus", entry.bonus)
            json.member("group", entry.group)
            json.hit(entry.hit)
        }
        json.objects("synonyms", of: SearchTerm.synonyms.sorted { $0.key < $1.key }) { json, entry in
            json.member("word", entry.key)
            json.texts("others", entry.value)
        }
        json.texts("empty", SearchTerm.empty.sorted())
        json.close("}")
        return json.bytes
    }
}

extension JSONText {
    fileprivate mutating func hit(_ hit: BookHit) {
        member("title", hit.title)
        member("place", hit.place)
        member("line", hit.line)
        member("address", BookSite.addresses().chapter(hit.target))
    }
}
