import Foundation
import ProctorHTML
import ProctorMarkdown
import ProctorTestSupport
import Testing

@testable import ProctorBook

/// A small book, and the one that is shipped.
enum SampleBook {
    static let files = [
        "README.md": """
        # The book

        - Start
          - [Install](start/install.md)
          - [Gone](start/gone.md)
        - Cookbook
          - [Recipes](cookbook/README.md)
        - Judging
          - [Marks](judging/marks.md)
          - [Rules R1 to R20](judging/rules-r1.md)
        """,
        "start/install.md": """
        # Install it

        How it is installed. See [marks](../judging/marks.md#second), [itself](#here), [the top](../README.md),
        [a scenario](../../fixtures/plain/get.yaml), [the sources](../../Sources/x.swift) and [a site](https://example.org/).

        ## Here

        Words of here.
        """,
        "cookbook/README.md": "# Recipes\n\nAll of them.\n\n- [Slow](slow.md)\n- [Other](../start/install.md)\n",
        "cookbook/slow.md":
            "# Slow servers\n\nA server that is slow.\n\n## A reply that stalls\n\nWait.\n\n## A slow start\n\nWait.\n",
        "cookbook/late.md": "# Late\n\nA page that its README does not link.\n",
        "judging/marks.md": """
        # Marks

        What they mean.

        ## First

        | mark | meaning |
        |---|---|
        | `lost` | nothing came back in the time that it had |
        | `won` | all came |

        ## Second
        """,
        "judging/rules-r1.md": "# Rules R1 to R20\n\n## R12 challenge instead of response\n\nA challenge.\n",
        "unlisted.md": "# Unlisted\n",
    ]

    static func book() throws -> Book { try #require(Book(files: files)) }

    /// Read once; who waits for it takes no thread of the test process.
    static func shipped() async throws -> Book { try await reading.value }

    private static let reading = Task { try read() }

    /// From where this file stands.
    private static func read() throws -> Book {
        let sources = URL(fileURLWithPath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
        return try #require(try BookFolder.read("\(sources.deletingLastPathComponent().path)/Docs"))
    }
}

struct BookTests {
    @Test func `the contents say which pages there are, and in which order`() throws {
        let book = try SampleBook.book()
        #expect(book.parts.map(\.title) == ["Start", "Cookbook", "Judging"])
        #expect(
            book.pages.map(\.path) == [
                "", "start/install", "cookbook/README", "cookbook/slow", "cookbook/late", "judging/marks",
                "judging/rules-r1",
            ])
        #expect(book.page(at: "cookbook/slow")?.parent == "cookbook/README")
        let page = try #require(book.page(at: "start/install"))
        #expect(page.title == "Install it" && page.name == "Install" && page.part == "Start" && page.parent == nil)
        #expect(page.lead.hasPrefix("How it is installed."))
        #expect(Book(files: ["a.md": "# A"]) == nil)
    }

    @Test(arguments: [
        ("cookbook/slow", "cookbook/slow"), ("slow", "cookbook/slow"), ("Slow Servers", "cookbook/slow"),
        ("nothing", nil), ("", nil),
    ])
    func `a page is meant by its path, its last name or its title`(word: String, path: String?) throws {
        #expect(try SampleBook.book().page(meantBy: word)?.path == path)
    }

    @Test(arguments: [
        ("../judging/marks.md#second", BookLink.page("judging/marks", anchor: "second")),
        ("#here", .page("start/install", anchor: "here")), ("../README.md", .page("", anchor: nil)),
        ("../cookbook/README.md", .page("cookbook/README", anchor: nil)),
        ("../unlisted.md", .source("Docs/" + "unlisted.md")), ("../../README.md", .source("README.md")),
        ("../../fixtures/plain/get.yaml", .scenario("plain/get")), ("https://a/b.md", .web("https://a/b.md")),
        ("../../../../x", .source("x")),
    ])
    func `a link leads to a page, a scenario, a file of the sources or another site`(target: String, link: BookLink)
        throws
    {
        #expect(try BookLink(target, from: "start/install", in: SampleBook.book()) == link)
    }

    @Test func `a page has its text, the pages beside it and the contents`() throws {
        let book = try SampleBook.book()
        let pages = BookPages(book, at: BookAddresses(page: { "/b/\($0)" }, scenario: { "/\($0)" }))
        let html = String(decoding: pages.main(of: try #require(book.page(at: "start/install"))).bytes, as: UTF8.self)
        for part in [
            "<h1 id=\"install-it\">Install it</h1>", "<a href=\"/b/judging/marks#second\">marks</a>",
            "<a href=\"#here\">itself</a>", "<a href=\"/b/\">the top</a>", "<a href=\"/plain/get\">a scenario</a>",
            "the sources (<code>Sources/x.swift</code>)", "<a rel=\"prev\" href=\"/b/\">← The book</a>",
            "<a rel=\"next\" href=\"/b/cookbook/README\">Recipes →</a>",
            "<a href=\"/b/start/install\" aria-current=\"page\">Install</a><ul><li><a href=\"#here\">Here</a></li></ul>",
            "<form id=\"search\" class=\"bar\" role=\"search\" action=\"/b/\" method=\"get\">",
        ] {
            #expect(html.contains(part), "\(part) in \(html)")
        }
        // Pages of a folder are listed where that folder is read.
        #expect(!html.contains("/b/cookbook/slow"))
        let below = String(decoding: pages.main(of: try #require(book.page(at: "cookbook/slow"))).bytes, as: UTF8.self)
        #expect(below.contains("<li class=\"below\"><a href=\"/b/cookbook/slow\" aria-current=\"page\">Slow</a>"))
        #expect(below.contains("<p class=\"soft part\">Cookbook</p>"))
    }

    @Test func `what was typed and found is escaped`() throws {
        let book = try SampleBook.book()
        let pages = BookPages(book, at: BookAddresses(page: { "/b/\($0)" }, scenario: { "/\($0)" }))
        let html = String(
            decoding: pages.main(of: book.pages[0], typed: "\"><script>", hits: []).bytes, as: UTF8.self)
        #expect(!html.contains("<script>"))
        #expect(html.contains("value=\"&quot;&gt;&lt;script&gt;\"") && html.contains("Nothing in the book"))
    }

    @Test func `every link of the shipped book leads to a page and a heading of it`() async throws {
        let book = try await SampleBook.shipped()
        #expect(book.pages.count > 60)
        var anchors: [String: Set<String>] = [:]
        for page in book.pages { anchors[page.path] = Set(page.markdown.anchors) }
        for page in book.pages {
            for (_, target) in page.markdown.links {
                guard case .page(let path, let anchor?) = BookLink(target, from: page.path, in: book) else { continue }
                #expect(anchors[path]?.contains(anchor) == true, "\(page.path): \(target)")
            }
        }
    }
}
