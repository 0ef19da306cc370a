import FuzzSupport
import ProctorBase
import ProctorDocument
import ProctorSchema

/// Input: a byte that says how the schema is read, a schema as flow YAML on one line, and behind the line's end a value.
@c(LLVMFuzzerTestOneInput)
public func testOneInput(_ start: UnsafePointer<UInt8>?, _ count: Int) -> CInt {
    var input = unsafe FuzzInput(start, count)
    var text = input.section(endingWith: UInt8(ascii: "\n"))
    let value = input.remaining
    let kind = text.isEmpty ? 0 : text.removeFirst()
    let isOld = kind & 1 == 1
    let document =
        kind & 2 == 2 ? Document.parseJSON(text, file: "s.json") : Document.parse(text, file: "s.yaml")
    guard let root = document.root else {
        check(!document.diagnostics.isEmpty, "neither values nor errors: \(shown(text))")
        return 0
    }
    let sink = DiagnosticSink()
    let reader = SchemaReader(
        document: root, dialect: isOld ? .openAPI30 : .draft2020, formats: Set(SchemaFormat.allCases), sink: sink)
    let number = reader.number(of: root, at: "")
    guard let schemas = reader.finish() else {
        check(!sink.diagnostics.isEmpty, "no error for a refused schema: \(shown(text))")
        for diagnostic in sink.diagnostics { check(!diagnostic.sentence.isEmpty, "no sentence for \(shown(text))") }
        return 0
    }
    check(sink.diagnostics.isEmpty, "a schema in spite of errors: \(shown(text))")
    guard let json = try? JSONDocument(parsing: value) else { return 0 }
    let entry = schemas.entry(number)
    let verdict = entry.validate(json)
    check(entry.validate(json) == verdict, "another verdict for \(shown(text))")
    inspect(verdict, of: json, text)
    // Fewer steps give no other answer, but none.
    let budget = WorkBudget(stepLimit: 100)
    let bounded = entry.validate(json, within: budget)
    if case .undecided(let reason) = bounded {
        check(!reason.isEmpty, "no reason")
    } else {
        check(bounded == verdict, "another verdict within a budget for \(shown(text))")
    }
    return 0
}

/// A fault names a value of the document, or a member that is missing in one, and has a place in the schema.
private func inspect(_ verdict: SchemaVerdict, of json: JSONDocument, _ text: [UInt8]) {
    guard case .invalid(let faults, _) = verdict else { return }
    check(!faults.isEmpty && faults.count <= JSONSchema.Bounds.faults, "\(faults.count) faults")
    for fault in faults {
        check(fault.location.line > 0, "a fault without a place: \(shown(text))")
        check(
            fault.description.utf8.allSatisfy { $0 >= 0x20 && $0 != 0x7F }, "control characters: \(fault.description)")
        guard let pointer = try? JSONPointer(fault.pointer) else { finding("no pointer: \(fault.pointer)") }
        let parent = JSONPointer(tokens: Array(pointer.tokens.dropLast()))
        check(json.index(at: pointer) != nil || json.index(at: parent) != nil, "no value at \(fault.pointer)")
    }
}
