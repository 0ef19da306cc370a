import FuzzSupport
import ProctorHTML
import ProctorMarkdown

/// Input: a page of Markdown, which cmark reads.
@c(LLVMFuzzerTestOneInput)
public func testOneInput(_ start: UnsafePointer<UInt8>?, _ count: Int) -> CInt {
    let source = unsafe String(decoding: UnsafeBufferPointer(start: start, count: count), as: UTF8.self)
    let page = Markdown(source)
    check(page == Markdown(source), "two readings differ")
    let html = page.html { $0.hasPrefix("#") ? .address($0) : .missing("elsewhere") }.bytes
    check(isBalanced(html), shown(html))
    for anchor in page.anchors { check(page.section(at: anchor) != nil, "no section at \(anchor)") }
    check(Set(page.anchors).count == page.anchors.count, "an anchor stands twice")
    let narrow = page.text(width: 20)
    check(narrow == page.text(width: 20), "two texts differ")
    check(Markdown.placedBlocks(of: source) == Markdown.placedBlocks(of: source), "two lists of places differ")
    return 0
}

/// Whether what the source says is text: the elements of the page close in the order in which they open.
private func isBalanced(_ html: [UInt8]) -> Bool {
    var open: [[UInt8]] = []
    var rest = html[...]
    while let start = rest.firstIndex(of: UInt8(ascii: "<")) {
        guard let end = rest[start...].firstIndex(of: UInt8(ascii: ">")) else { return false }
        let tag = rest[(start + 1)..<end]
        rest = rest[(end + 1)...]
        let name = Array(tag.prefix { $0 != UInt8(ascii: " ") })
        if name.first == UInt8(ascii: "/") {
            guard open.popLast() == Array(name.dropFirst()) else { return false }
        } else if !single.contains(name) {
            open.append(name)
        }
    }
    return open.isEmpty
}

/// Elements without an end tag.
private let single: Set<[UInt8]> = [Array("br".utf8), Array("hr".utf8), Array("img".utf8)]
