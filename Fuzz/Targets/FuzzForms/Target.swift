import FuzzSupport
import ProctorHTTP

/// Input: the Content-Type, up to a line end, and the body; without a Content-Type it is an urlencoded form.
@c(LLVMFuzzerTestOneInput)
public func testOneInput(_ start: UnsafePointer<UInt8>?, _ count: Int) -> CInt {
    var input = unsafe FuzzInput(start, count)
    let type = input.section(endingWith: UInt8(ascii: "\n"))
    let body = input.remaining
    if type.isEmpty { checkPairs(body) } else { checkParts(body, type) }
    return 0
}

private func checkPairs(_ body: [UInt8]) {
    do {
        let form = try URLEncodedForm(parsing: body, pairLimit: 20)
        check(form.pairs.count <= 20, "\(form.pairs.count) pairs of \(shown(body))")
        check((try? URLEncodedForm(parsing: form.bytes)) == form, "\(shown(body)) was written as \(shown(form.bytes))")
    } catch {
        check(error, in: body)
        check(error.kind == .tooManyPairs(bound: 20), "\(shown(body)) was refused: \(error)")
    }
}

private func checkParts(_ body: [UInt8], _ type: [UInt8]) {
    let whole = form([body], type)
    check(form(body.map { [$0] }, type) == whole, "another form byte by byte: \(shown(body))")
    let middle = body.count / 2
    check(
        form([Array(body[..<middle]), Array(body[middle...])], type) == whole, "another form in halves: \(shown(body))")
    switch whole {
    case .success(let form):
        check(form.parts.count <= limits.partCount, "\(form.parts.count) parts of \(shown(body))")
        let byteCount = form.parts.reduce(0) { $0 + $1.content.count }
        check(byteCount <= limits.contentByteCount, "\(byteCount) bytes in the parts of \(shown(body))")
        for part in form.parts {
            check(part.fields.contains(named: "Content-Disposition"), "a part without disposition: \(shown(body))")
        }
    case .failure(let error): check(error, in: body)
    }
}

private let limits = FormData.Limits(partCount: 8, contentByteCount: 256, headByteCount: 256)

private func form(_ pieces: [[UInt8]], _ type: [UInt8]) -> Result<FormData, FormViolation> {
    do throws(FormViolation) {
        var reader = try FormDataReader(contentType: type, limits: limits)
        for piece in pieces { try reader.read(piece.span) }
        return .success(try reader.finish())
    } catch {
        return .failure(error)
    }
}

/// The places of a refusal are within the form, and it has a sentence.
private func check(_ violation: FormViolation, in body: [UInt8]) {
    check(0...body.count ~= violation.offset, "offset \(violation.offset) outside \(shown(body))")
    check(!violation.sentence.isEmpty, "no sentence for \(shown(body))")
}
