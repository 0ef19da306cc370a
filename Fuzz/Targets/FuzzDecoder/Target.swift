import FuzzSupport
import ProctorCoding

/// The most content that is looked at; a bomb would take the time of many other inputs.
private let contentBound = 1 << 20

/// Input: a byte that chooses the codings, a byte where the bytes are cut, then the coded bytes.
///
/// With bit 7 of the first byte set: a step's options, one byte each, then content that is coded and decoded.
@c(LLVMFuzzerTestOneInput)
public func testOneInput(_ start: UnsafePointer<UInt8>?, _ count: Int) -> CInt {
    var input = unsafe FuzzInput(start, count)
    let choice = input.byte()
    if choice & 0x80 == 0 {
        let cut = Int(input.byte())
        checkDecoding(input.remaining, codings(of: choice), cut: cut)
    } else {
        checkRoundTrip(&input, coding: coding(choice & 7))
    }
    return 0
}

private func coding(_ number: UInt8) -> ContentCoding {
    let all = ContentCoding.allCases
    return all[Int(number) % all.count]
}

/// One, or two where bit 6 is set.
private func codings(of choice: UInt8) -> [ContentCoding] {
    choice & 0x40 == 0 ? [coding(choice & 7)] : [coding(choice >> 3 & 7), coding(choice & 7)]
}

/// The same content and the same kind of failure, however the bytes come.
private func checkDecoding(_ bytes: [UInt8], _ codings: [ContentCoding], cut: Int) {
    let whole = decode([bytes], codings)
    let cut = min(cut, bytes.count)
    let others = [decode([Array(bytes[..<cut]), Array(bytes[cut...])], codings), decode(bytes.map { [$0] }, codings)]
    for other in others where !whole.isCutShort && !other.isCutShort {
        // Brotli keeps some of what it had when it fails, and how much depends on the call.
        let isWhole = whole.failure == nil || !codings.contains(.brotli)
        check(
            other.failure?.kind == whole.failure?.kind || !isWhole && codings.count > 1,
            "\(codings): \(String(describing: other.failure)) instead of \(String(describing: whole.failure))")
        check(
            isWhole
                ? other.content == whole.content
                : other.content.starts(with: whole.content) || whole.content.starts(with: other.content),
            "\(codings): \(other.content.count) bytes of content instead of \(whole.content.count)")
    }
}

private struct Decoded {
    var content: [UInt8] = []
    var failure: CodingFailure?
    var isCutShort = false
}

private func decode(_ pieces: [[UInt8]], _ codings: [ContentCoding]) -> Decoded {
    var decoded = Decoded()
    do throws(CodingFailure) {
        var chain = try DecodingChain(codings)
        for piece in pieces {
            var offset = 0
            var hasMore = true
            var idleCalls = 0
            while hasMore {
                let before = (offset, decoded.content.count)
                hasMore = try chain.decode(piece.span, at: &offset, into: &decoded.content)
                let given = decoded.content.count - before.1
                check(before.0...piece.count ~= offset, "offset \(offset) of \(piece.count)")
                check(given <= CodingDecoder.outputBound, "\(given) bytes at once")
                idleCalls = given == 0 && offset == before.0 ? idleCalls + 1 : 0
                check(idleCalls < 3, "\(idleCalls) calls did nothing, and there is more")
                if decoded.content.count > contentBound {
                    decoded.isCutShort = true
                    return decoded
                }
            }
            check(offset == piece.count, "\(piece.count - offset) bytes were not taken")
        }
        try chain.finish()
    } catch {
        check(!error.sentence.isEmpty && error.kind != .usage, "\(error)")
        decoded.failure = error
    }
    return decoded
}

/// What is coded well is decoded, and what is coded badly is not.
private func checkRoundTrip(_ input: inout FuzzInput, coding: ContentCoding) {
    let options = input.byte()
    let level = input.byte()
    let sizes = [Int(input.byte()), Int(input.byte())]
    let missing = options & 0x10 == 0 ? 0 : Int(input.byte() & 15)
    let gzip = GzipShape(
        memberSizes: options & 1 == 0 ? [] : sizes, name: options & 2 == 0 ? nil : [0x61, level],
        extra: options & 4 == 0 ? nil : [1, 2, 3], hasHeaderChecksum: options & 8 != 0)
    let step = CodingStep(
        coding, level: level & 0x80 == 0 ? nil : Int(level & 31), gzip: gzip, isRaw: options & 0x20 != 0,
        hasWrongChecksum: options & 0x40 != 0, missingByteCount: missing)
    let content = input.remaining
    do throws(CodingFailure) {
        try step.check()
    } catch {
        check(error.kind == .usage, "\(error)")
        return
    }
    guard let coded = try? CodingEncoder.encode(content, steps: [step]) else {
        finding("\(step) passes its check, and is not coded")
    }
    let decoded = decode([coded], [coding])
    if coding == .identity {
        check(decoded.content == content.dropLast(missing), "identity: other content")
    } else if missing == 0, !step.hasWrongChecksum {
        check(decoded.failure == nil && decoded.content == content, "\(step): \(String(describing: decoded.failure))")
    } else if missing == 0 {
        check(decoded.failure?.kind == .checksum, "\(step): \(String(describing: decoded.failure))")
    }
    check(content.starts(with: decoded.content), "\(step): other content")
}
