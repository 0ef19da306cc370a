import FuzzSupport
import ProctorBase
import ProctorDocument
import ProctorImport
import ProctorProving
import ProctorScenario

/// Input: a digit for the kind of import, and behind it what is imported; of WireMock a mapping, and behind NUL its file
/// `__files/a`; of a folder a page, and behind NUL the file `a`; of curl a line, and behind NUL the file that it sends.
@c(LLVMFuzzerTestOneInput)
public func testOneInput(_ start: UnsafePointer<UInt8>?, _ count: Int) -> CInt {
    var input = unsafe FuzzInput(start, count)
    let kind = kinds[Int(input.byte()) % kinds.count]
    guard kind == .curl || kind.isFolder else {
        let bytes = input.remaining
        checkValues(bytes)
        checkDraft { budget throws(ImportFailure) in
            try Importer(keepsSecrets: bytes.count.isMultiple(of: 2), within: budget).draft(kind, bytes, file: "it")
        }
        return 0
    }
    let bytes = input.section(endingWith: 0)
    let file = input.remaining
    checkDraft { _ throws(ImportFailure) in
        if kind == .folder {
            return try FolderReader.read(["a": file, "a.headers": bytes, "b.sub.html": bytes], folder: "it")
        }
        guard kind == .curl else {
            return try WireMockReader.read(["mappings/a.json": bytes, "__files/a": file], folder: "it")
        }
        return try CurlReader.read([String(decoding: bytes, as: UTF8.self)], keepsSecrets: false) { _ in file }
    }
    return 0
}

private let kinds: [ImportKind] = [.har, .curl, .http, .vcr, .wiremock, .postman, .journal, .openapi, .folder]

/// What is read is drafted, written, loaded and asked what the source says, as `proctor import` does.
private func checkDraft(_ read: (WorkBudget) throws(ImportFailure) -> Draft) {
    let draft: Draft
    do throws(ImportFailure) {
        draft = try read(WorkBudget(time: .seconds(2)))
    } catch {
        check(!error.description.isEmpty, "a source is refused without a sentence")
        checkText(error.description)
        return
    }
    let form = SoundDraft.Form(id: "fuzz/import", head: "# An import")
    do throws(SoundDraft.Failure) {
        let sound = try SoundDraft(draft, as: form, within: WorkBudget(time: .seconds(2)))
        check(!sound.scenario.exchanges.isEmpty, "a scenario without an exchange")
        for remark in sound.draft.remarks { checkText(remark.description) }
        for difference in sound.differences { checkText(difference.description) }
    } catch {
        checkText(error.description)
    }
}

/// A YAML file is read in two ways, which make the same of it; only one of them takes `!!binary`.
private func checkValues(_ bytes: [UInt8]) {
    let text = bytes.starts(with: [0xEF, 0xBB, 0xBF]) ? bytes.dropFirst(3) : bytes[...]
    let first = text.first { ![0x20, 0x09, 0x0A, 0x0D].contains($0) }
    // These are read as JSON.
    guard first != UInt8(ascii: "{"), first != UInt8(ascii: "[") else { return }
    let document = Document.parse(bytes, file: "it")
    guard let root = document.root, document.diagnostics.isEmpty else { return }
    do throws(ImportFailure) {
        checkSame(root, try SourceValue(parsing: bytes, file: "it"))
    } catch {
        finding("what one reader of YAML takes the other refuses: \(error)")
    }
}

private func checkSame(_ node: Node, _ value: SourceValue) {
    if let items = node.items {
        guard let others = value.items, items.count == others.count else {
            finding("a list of \(items.count) is read otherwise")
        }
        for (item, other) in zip(items, others) { checkSame(item, other) }
    } else if let entries = node.entries {
        guard let members = value.members, entries.count == members.count else {
            finding("a mapping of \(entries.count) is read otherwise")
        }
        for (entry, member) in zip(entries, members) {
            check(entry.key == member.name, "the key \(shown(entry.key.utf8)) is read as \(shown(member.name.utf8))")
            checkSame(entry.value, member.value)
        }
    } else {
        check(value.text == node.text, "\(shown((node.text ?? "nothing").utf8)) is read otherwise")
    }
}

private func checkText(_ text: String) {
    check(
        !text.unicodeScalars.contains { ($0.value < 0x20 && $0 != "\n") || 0x7F..<0xA0 ~= $0.value },
        "control characters in \(shown(text.utf8))")
}
