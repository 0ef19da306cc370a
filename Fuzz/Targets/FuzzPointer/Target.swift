import FuzzSupport
import ProctorBase

/// Input: a pointer of RFC 6901, a line's end, and a document.
@c(LLVMFuzzerTestOneInput)
public func testOneInput(_ start: UnsafePointer<UInt8>?, _ count: Int) -> CInt {
    var input = unsafe FuzzInput(start, count)
    let bytes = input.section(endingWith: UInt8(ascii: "\n"))
    let text = String(decoding: bytes, as: UTF8.self)
    let pointer: JSONPointer
    do throws(JSONPointer.Fault) {
        pointer = try JSONPointer(text)
    } catch {
        check(0...text.utf8.count ~= error.offset, "offset \(error.offset) outside \(shown(text.utf8))")
        check(!error.sentence.isEmpty, "no sentence for \(shown(text.utf8))")
        return 0
    }
    check(pointer.text == text, "\(shown(text.utf8)) is written back as \(shown(pointer.text.utf8))")
    guard let document = try? JSONDocument(parsing: input.remaining) else { return 0 }
    // One token after the other leads to the same place.
    var index: Int? = 0
    for token in pointer.tokens { index = index.flatMap { document.child(of: $0, token) } }
    check(document.index(at: pointer) == index, "another place for \(shown(text.utf8))")
    if let index { check(index < document.values.count, "a place outside the document") }
    return 0
}
