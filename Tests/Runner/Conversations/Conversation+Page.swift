import ProctorServer
import ProctorTestSupport
import ProctorTestWire

extension Conversation {
    /// A block `page TARGET`: what a browser shows of a page of the server, as an outline.
    mutating func page(_ block: Block, _ check: inout Check) async throws {
        guard let target = block.words.first.map(check.fill) else {
            throw RowError(block.line, "a page needs a target: page /redirect")
        }
        let host = block.value(of: "host").map(check.fill) ?? (target.hasPrefix("/__proctor") ? "127.0.0.1" : "a")
        let base = server.base
        let reply = try await onThread {
            let wire = try Wire(to: base)
            defer { wire.close() }
            try wire.send("GET \(target) HTTP/1.1\r\nHost: \(host)\r\nAccept: text/html\r\n\r\n")
            wire.finish()
            var reply = AskedReply()
            try reply.readHead(wire)
            try reply.readContent(wire, method: "GET", toEnd: true)
            return reply
        }
        var outline = PageOutline()
        if reply.status != "200" { outline.say(reply.status) }
        let type = reply.values("Content-Type").first ?? "none"
        if type != "text/html; charset=utf-8" { outline.say("! it is \(type)") }
        outline.read(reply.text)
        if let part = block.value(of: "part") { outline.keep(part) }
        let found = TextPattern(check.fill(block.text)).captures(of: outline.text)
        if let found { check.names.merge(found) { _, last in last } }
        check.expect(block, got: Self.unfill(outline.text, check.names))
    }
}

/// A page as lines of text, its links as `[text](address)`, and what a page must not have behind `! `.
///
/// Text stays escaped, so that what a page forgets to escape is a tag that is not permitted.
struct PageOutline {
    private var lines: [String] = []
    private var line = ""
    private var open: [String] = []
    private var address = ""

    private static let void: Set = ["!doctype", "meta", "link", "input"]
    private static let inline: Set = [
        "a", "code", "span", "strong", "em", "q", "label", "input", "select", "option", "button",
    ]
    private static let tags: Set = [
        "!doctype", "html", "head", "meta", "link", "title", "body", "main", "h1", "h2", "h3", "h4", "p", "nav", "a",
        "ul", "li", "span", "code", "pre", "dl", "dt", "dd", "header", "form", "label", "input", "select", "option",
        "button", "div", "script", "ol", "strong", "em", "table", "thead", "tbody", "tr", "th", "td",
        "article", "q", "details", "summary",
    ]
    private static let attributes: Set = [
        "lang", "charset", "name", "content", "id", "class", "href", "rel", "tabindex", "role", "action", "method",
        "value", "type", "src", "autocomplete", "placeholder", "aria-label", "aria-live", "aria-current", "label",
        "data-run", "data-scenario",
    ]
    private static let marks = ["h1": "# ", "h2": "## ", "h3": "### ", "li": "- ", "dd": ": ", "title": "title: "]

    var text: String { lines.map { $0 + "\n" }.joined() }

    /// Leaves out what stands before an element with an id, or behind the next one.
    mutating func keep(_ id: String) {
        let start = lines.firstIndex { $0.contains("{#\(id)}") } ?? lines.endIndex
        let end = lines[start...].dropFirst().firstIndex { $0.contains("{#") } ?? lines.endIndex
        lines = lines.enumerated().filter { start..<end ~= $0.offset || $0.element.hasPrefix("! ") }.map(\.element)
    }

    mutating func say(_ text: String) { lines.append(text) }

    mutating func read(_ html: String) {
        var rest = html[...]
        while let start = rest.firstIndex(of: "<") {
            add(rest[..<start])
            guard let end = rest[start...].firstIndex(of: ">") else { return say("! a tag has no end") }
            let inside = rest[rest.index(after: start)..<end]
            rest = rest[rest.index(after: end)...]
            if inside.hasPrefix("/") { close(String(inside.dropFirst())) } else { begin(inside) }
        }
        add(rest)
        flush()
        if !open.isEmpty { say("! without an end: \(open.joined(separator: ", "))") }
    }

    private mutating func add(_ text: Substring) {
        guard open.last != "title" || !text.isEmpty else { return }
        if open.contains("pre") {
            for (index, part) in text.split(separator: "\n", omittingEmptySubsequences: false).enumerated() {
                if index > 0 { flush() }
                line += part
            }
        } else {
            let words = text.split(whereSeparator: \.isWhitespace).joined(separator: " ")
            let space = text.first?.isWhitespace == true && !line.isEmpty && !line.hasSuffix(" ") ? " " : ""
            line += space + words + (text.last?.isWhitespace == true && !words.isEmpty ? " " : "")
        }
    }

    private mutating func flush() {
        while line.last == " " { line.removeLast() }
        if !line.isEmpty { lines.append(line) }
        line = ""
    }

    private mutating func begin(_ inside: Substring) {
        let name = String(inside.prefix { $0 != " " })
        var values: [String: String] = [:]
        for match in inside.matches(of: /([a-z-]+)="([^"]*)"/) { values[String(match.1)] = String(match.2) }
        judge(name, values)
        if !Self.inline.contains(name) {
            flush()
            line = Self.marks[name] ?? ""
        }
        switch name {
        case "a":
            address = values["href"] ?? ""
            line += "["
        case "form": line += "form \(values["method"] ?? "get") \(values["action"] ?? "")"
        case "input": line += "(\(values["name"] ?? "")=\(values["value"] ?? ""))"
        case "option": line += "(\(values["value"] ?? "")) "
        default: break
        }
        if let id = values["id"], name != "main" { line += "{#\(id)} " }
        if !Self.void.contains(name) { open.append(name) }
    }

    private mutating func close(_ name: String) {
        if name == "a" { line += "](\(address))" }
        if open.popLast() != name { say("! </\(name)> ends another element") }
        if !Self.inline.contains(name) { flush() }
    }

    /// Whether an element is one of ours, and can neither run nor fetch anything.
    private mutating func judge(_ name: String, _ values: [String: String]) {
        if !Self.tags.contains(name) { say("! <\(name)> is not permitted") }
        for attribute in values.keys.sorted() where !Self.attributes.contains(attribute) {
            say("! \(attribute)= is not permitted in <\(name)>")
        }
        if name == "link", values["rel"] != "icon",
            values != ["rel": "stylesheet", "href": "/__proctor/assets/pages.css"]
        {
            say("! a link that is no style sheet of ours")
        }
        if name == "script", values["src"]?.hasPrefix("/__proctor/assets/") != true {
            say("! a script stands in the page")
        }
        if name == "a", let href = values["href"],
            !["/", "#", "https://", "http://127."].contains(where: href.hasPrefix)
        {
            say("! a link to \(href)")
        }
    }
}
