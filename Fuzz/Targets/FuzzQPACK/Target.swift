import FuzzSupport
import ProctorHTTP
import ProctorHTTP3

/// Input: steps of a decoder, each a byte of what comes, a byte of its length, and so many bytes.
///
/// What comes: 0 instructions of the encoder, 1 a field section of the stream in the next higher bits, 2 that stream is
/// cancelled, 3 instructions of the decoder to an encoder that writes what was decoded.
@c(LLVMFuzzerTestOneInput)
public func testOneInput(_ start: UnsafePointer<UInt8>?, _ count: Int) -> CInt {
    var input = unsafe FuzzInput(start, count)
    var decoder = QPACKDecoder(maximumCapacity: 220, maximumBlocked: 2)
    var echo = Echo()
    while !input.remaining.isEmpty {
        let kind = input.byte()
        let stream = UInt64(kind >> 2)
        let length = Int(input.byte())
        let bytes = (0..<min(length, input.remaining.count)).map { _ in input.byte() }
        switch kind & 3 {
        case 0: instruct(&decoder, bytes)
        case 1: decode(&decoder, bytes, stream, &echo)
        case 2: decoder.cancel(stream)
        default: try? echo.encoder.receiveInstructions(bytes.span)
        }
        check(decoder.blockedCount <= 2, "\(decoder.blockedCount) streams wait")
    }
    _ = decoder.takeInstructions()
    return 0
}

/// An encoder, and a decoder that reads what it writes.
private struct Echo {
    var encoder = QPACKEncoder()
    var decoder = QPACKDecoder(maximumCapacity: 220)

    init() {
        send(encoder.follow(HTTP3Settings([HTTP3Setting(.maxTableCapacity, 220)])))
    }

    mutating func send(_ instructions: [UInt8]) {
        decoder.receiveInstructions(instructions.span)
        do { while try decoder.applyInstruction() {} } catch { finding("our own instruction: \(error)") }
    }
}

/// Whole and byte by byte, with the same tables behind.
private func instruct(_ decoder: inout QPACKDecoder, _ bytes: [UInt8]) {
    var slow = decoder
    var (wholeError, slowError): (QPACKError?, QPACKError?)
    decoder.receiveInstructions(bytes.span)
    do throws(QPACKError) { while try decoder.applyInstruction() {} } catch { wholeError = error }
    for byte in bytes where slowError == nil {
        slow.receiveInstructions([byte].span)
        do throws(QPACKError) { while try slow.applyInstruction() {} } catch { slowError = error }
    }
    check(
        wholeError?.reason == slowError?.reason, "\(String(describing: wholeError)), \(String(describing: slowError))")
    check(
        decoder.insertCount == slow.insertCount, "\(decoder.insertCount) insertions, byte by byte \(slow.insertCount)")
    if wholeError != nil { decoder = QPACKDecoder(maximumCapacity: 220, maximumBlocked: 2) }
}

/// What is decoded is within its bounds, is written as it came where it can be, and is encoded and decoded again.
private func decode(_ decoder: inout QPACKDecoder, _ bytes: [UInt8], _ stream: UInt64, _ echo: inout Echo) {
    let limits = FieldSectionLimits(listByteCount: 4_096, fieldCount: 40)
    do throws(QPACKError) {
        guard case .section(let section) = try decoder.decode(bytes, on: stream, limits) else { return }
        check(section.fields.count <= 40 && section.lines.count == section.fieldCount, "\(section)")
        check(section.usedInsertCount <= section.insertCount, "\(section)")
        var raw = RawSection(section.prefix)
        for line in section.lines { raw.append(line) }
        guard case .section(let copy) = try decoder.decode(raw.bytes, on: stream, limits) else {
            finding("written again it waits: \(section)")
        }
        check(copy.fields == section.fields && copy.lines == section.lines, "\(copy), before \(section)")
        let encoded = echo.encoder.encode(section.fields, on: stream)
        echo.send(encoded.instructions)
        guard case .section(let again) = try echo.decoder.decode(encoded.section, on: stream, .all) else {
            finding("our own section waits: \(section)")
        }
        check(again.fields == section.fields, "\(again), before \(section)")
    } catch {
        check(0...max(bytes.count, 1) ~= error.offset, "\(error)")
    }
}
