import FuzzSupport
import ProctorBase

/// nil for what is no JSON; its values make up a tree, and each of them can be read alone.
func read(_ text: [UInt8]) -> JSONDocument? {
    do throws(LineFault) {
        let document = try JSONDocument(parsing: text)
        check(!document.values.isEmpty && document.values[0].end == document.values.count, "values outside the first")
        for (index, value) in document.values.enumerated() {
            check(index < value.end && value.end <= document.values.count, "a value that ends before it begins")
            var next = index + 1
            for child in document.children(of: index) {
                check(child >= next && document.values[child].end <= value.end, "a child outside its parent")
                next = document.values[child].end
            }
            readAlone(value, at: index, of: document)
        }
        return document
    } catch {
        check(0...text.count ~= error.offset, "offset \(error.offset) outside \(shown(text))")
        check(!error.sentence.isEmpty, "no sentence for \(shown(text))")
        return nil
    }
}

/// The part of the text that is the value is JSON of the same values, and a name finds the last member that has it.
private func readAlone(_ value: JSONDocument.Value, at index: Int, of document: JSONDocument) {
    let text = Array(document.text(of: index))
    check(document.excerpt(index, limit: 4).utf8.count >= min(4, text.count), "an excerpt is too short")
    guard let alone = try? JSONDocument(parsing: text) else { finding("no JSON alone: \(shown(text))") }
    check(alone.values.count == value.end - index, "other values alone in \(shown(text))")
    check(alone.values[0].kind == value.kind, "another kind alone in \(shown(text))")
    if let bytes = value.text { check(value.isText(bytes) && !value.isText(bytes + [0]), "a text is not itself") }
    guard let name = value.name else { return }
    check(value.isNamed(name) && !value.isNamed(name + [0]), "a name is not itself")
    guard String(validUTF8: name) != nil, !value.isShadowed else { return }
    let parent = (0..<index).last { document.values[$0].end > index && document.values[$0].type == .object }
    guard let parent else { finding("a member without an object") }
    check(document.child(of: parent, String(decoding: name, as: UTF8.self)) == index, "a name finds another member")
}
