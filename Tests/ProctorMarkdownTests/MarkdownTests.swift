import ProctorHTML
import ProctorMarkdown
import Testing

struct MarkdownTests {
    struct Row: CustomTestStringConvertible {
        let source: String
        let html: String
        var testDescription: String { source }
    }

    private static func html(_ source: String) -> String {
        let html = Markdown(source).html { $0 == "gone" ? .missing("gone.txt") : .address($0) }
        return String(decoding: html.bytes, as: UTF8.self)
    }

    @Test(arguments: [
        Row(
            source: "a *b* **c** `d<e` \\<f", html: "<p>a <em>b</em> <strong>c</strong> <code>d&lt;e</code> &lt;f</p>\n"
        ),
        Row(source: "one\ntwo  \nthree", html: "<p>one two<br>three</p>\n"),
        Row(
            source: "| a<br>b | c |\n|-|-|",
            html: """
                <div class="scroll" role="region" aria-label="Table: a b, c" tabindex="0"><table><thead><tr><th scope="col">a<br>b</th>\
                <th scope="col">c</th></tr></thead><tbody>
                </tbody></table></div>

                """),
        Row(source: "# A `b`", html: "<h1 id=\"a-b\">A <code>b</code></h1>\n"),
        Row(
            source: "## Why?",
            html: "<h2 id=\"why\">Why? <a class=\"anchor\" href=\"#why\" aria-label=\"Link to Why?\">#</a></h2>\n"),
        Row(
            source: "```swift\nlet a = \"<\"\n```",
            html:
                "<pre tabindex=\"0\" class=\"code\" data-language=\"swift\"><code>let a = &quot;&lt;&quot;\n</code></pre>\n"
        ),
        Row(
            source: "    code",
            html: "<pre tabindex=\"0\" class=\"code\" data-language=\"\"><code>code\n</code></pre>\n"),
        Row(source: "- a\n- b\n  - c", html: "<ul>\n<li>a</li>\n<li>b<ul>\n<li>c</li>\n</ul>\n</li>\n</ul>\n"),
        Row(source: "3. a\n4. b", html: "<ol start=\"3\">\n<li>a</li>\n<li>b</li>\n</ol>\n"),
        Row(source: "> q", html: "<blockquote><p>q</p>\n</blockquote>\n"),
        Row(source: "[a](b.md#c)", html: "<p><a href=\"b.md#c\">a</a></p>\n"),
        Row(source: "[a](gone)", html: "<p>a (<code>gone.txt</code>)</p>\n"),
        Row(source: "![a \"b\"](c.png)", html: "<p><img src=\"c.png\" alt=\"a &quot;b&quot;\"></p>\n"),
        Row(source: "![a](gone)", html: "<p><span class=\"soft\">[picture: a]</span></p>\n"),
        Row(
            source: "| a | b |\n|---|---|\n| `x\\|y` | |",
            html: """
                <div class="scroll" role="region" aria-label="Table: a, b" tabindex="0"><table><thead><tr><th scope="col">a</th>\
                <th scope="col">b</th></tr></thead><tbody>
                <tr><td><code>x|y</code></td><td></td></tr>
                </tbody></table></div>

                """),
        Row(source: "---", html: "<hr>\n"),
        Row(source: "<!-- gone -->\n\na <!-- and this --> b", html: "<p>a  b</p>\n"),
        Row(source: "<script>alert(1)</script>", html: "<p>&lt;script&gt;alert(1)&lt;/script&gt;</p>\n"),
        Row(source: "a <b onclick=x>c</b>", html: "<p>a &lt;b onclick=x&gt;c&lt;/b&gt;</p>\n"),
        Row(source: "[x](a\"b<c)", html: "<p><a href=\"a&quot;b&lt;c\">x</a></p>\n"),
        Row(source: "", html: ""),
    ])
    func `what our pages use becomes HTML, and markup of the source stays text`(row: Row) {
        #expect(Self.html(row.source) == row.html)
    }

    @Test func `anchors are those of GitHub, and a second one has a number`() {
        let page = Markdown(
            "# What a mark means\n\n## R12, `instead` of it!\n\n## Two\n\n### Two\n\n## Ünder_score - x\n")
        #expect(
            page.anchors == ["what-a-mark-means", "r12-instead-of-it", "two", "two-1", "ünder_score---x"])
        #expect(page.title == "What a mark means")
        #expect(page.lead.isEmpty)
    }

    @Test(arguments: [
        ("# A\n\n- x\n\nWords of *A*.\n\n## B\n\nMore.\n", 3), ("Words.\n\n# A\n\nMore.\n", 2),
        ("# A\n\n- x\n\n## B\n", 3),
        ("Words.\n\nMore.\n", 2), ("<!-- a -->\n\n# A\n\nWords.\n\nMore.\n", 2), ("", 0),
    ])
    func `the opening of a page has its title and its lead, and nothing behind them`(source: String, count: Int) {
        let (opening, page) = (Markdown(openingOf: source), Markdown(source))
        #expect(opening.title == page.title && opening.lead == page.lead)
        #expect(opening.blocks == Array(page.blocks.prefix(count)))
    }

    @Test func `every link and image is a target`() {
        let page = Markdown("[a](1) **[b](2)**\n\n- ![c](3)\n\n| [d](4) |\n|---|\n| x |\n\n> [e](5)\n")
        #expect(page.links.map(\.target) == ["1", "2", "3", "4", "5"])
        #expect(page.links.map(\.words) == ["a", "b", "c", "d", "e"])
    }

    @Test func `a page is text for a terminal`() {
        let source = """
            # Title

            Some words that are longer than a line of the terminal has room for, with `code` and a [link](x.md).

            1. one
            2. two
               - inner

            | key | meaning |
            |---|---|
            | `a` | short |

            | key | meaning |
            |---|---|
            | `b` | a sentence that is far too long to stand in a line of forty columns |

            ```
            code  stays
            ```
            """
        #expect(
            Markdown(source).text(width: 40) == """
                Title
                =====

                Some words that are longer than a line
                of the terminal has room for, with
                `code` and a link.

                1. one
                2. two
                   - inner

                key  meaning
                ---  -------
                `a`  short

                `b`
                    meaning: a sentence that is far too
                    long to stand in a line of forty
                    columns

                    code  stays

                """)
    }

    @Test func `nothing that is written is a fault, whatever its length`() {
        for source in [
            "[", "`", "|", "<", "![](", "- - - - -", "|a|\n|-|\n|b|c|d|", String(repeating: ">", count: 3_000),
        ] {
            _ = Markdown(source)
        }
        let long = Markdown(String(repeating: "word ", count: 1 << 20))
        #expect(long.blocks.count == 1)
    }
}
