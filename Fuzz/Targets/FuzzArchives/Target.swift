import FuzzSupport
import ProctorCoding
import ProctorForkedFiles

/// Input: an archive, MacBinary or BinHex; or, behind the byte 0xFF, what a file is made of.
@c(LLVMFuzzerTestOneInput)
public func testOneInput(_ start: UnsafePointer<UInt8>?, _ count: Int) -> CInt {
    var input = unsafe FuzzInput(start, count)
    let bytes = input.remaining
    guard bytes.first == 0xFF else {
        checkMacBinary(bytes)
        checkBinHex(bytes)
        return 0
    }
    _ = input.byte()
    checkWriting(&input)
    return 0
}

/// What was read is written, and read again.
private func checkMacBinary(_ bytes: [UInt8]) {
    guard let archive = parsed(bytes, MacBinary.init(parsing:)) else { return }
    check(parsed(archive.bytes, MacBinary.init(parsing:)) == archive, "MacBinary is read otherwise than written")
}

private func checkBinHex(_ bytes: [UInt8]) {
    guard let archive = parsed(bytes, BinHex.init(parsing:)) else { return }
    check(parsed(archive.bytes, BinHex.init(parsing:)) == archive, "BinHex is read otherwise than written")
}

private func parsed<Archive>(_ bytes: [UInt8], _ parse: ([UInt8]) throws(CodingFailure) -> Archive) -> Archive? {
    do throws(CodingFailure) {
        return try parse(bytes)
    } catch {
        check(error.offset >= 0, "offset \(error.offset)")
        check(!error.sentence.isEmpty && error.kind != .usage, "\(error)")
        return nil
    }
}

private func checkWriting(_ input: inout FuzzInput) {
    let flags = UInt16(truncatingIfNeeded: input.number())
    let version = MacBinary.Version(rawValue: Int(input.byte() & 3)) ?? .two
    let name = input.section(endingWith: 0)
    let data = input.section(endingWith: 0xFE)
    guard let file = try? ForkedFile(name: name, flags: flags, data: data, resource: input.remaining) else {
        check(!(1...63 ~= name.count), "a file named \(shown(name)) is refused")
        return
    }
    check(parsed(BinHex(file).bytes, BinHex.init(parsing:))?.file == file, "BinHex gives another file")
    guard let archive = try? MacBinary(file, version: version) else {
        check(version == .one && flags & 0xFF != 0, "MacBinary \(version) refuses the flags \(flags)")
        return
    }
    check(parsed(archive.bytes, MacBinary.init(parsing:)) == archive, "MacBinary gives another file")
}
