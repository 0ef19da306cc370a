import FuzzSupport
import ProctorDNS

/// Input: two bytes of cut, then a message of DNS, or the bytes of a connection with several.
@c(LLVMFuzzerTestOneInput)
public func testOneInput(_ start: UnsafePointer<UInt8>?, _ count: Int) -> CInt {
    var input = unsafe FuzzInput(start, count)
    let cut = input.number()
    let bytes = input.remaining
    let place = cut % (bytes.count + 1)
    checkMessage(bytes)
    checkMessage(Array(bytes[..<place]))
    let whole = messages([bytes])
    check(messages([Array(bytes[..<place]), Array(bytes[place...])]) == whole, "cut at \(place): \(shown(bytes))")
    check(messages(bytes.map { [$0] }) == whole, "byte by byte: \(shown(bytes))")
    check(messages(whole.map { DNSMessage.framed($0) }) == whole, "framed again: \(shown(bytes))")
    for message in whole { checkMessage(message) }
    return 0
}

private func messages(_ pieces: [[UInt8]]) -> [[UInt8]] {
    var reader = DNSStreamReader()
    return pieces.flatMap { reader.messages(adding: $0) }
}

private func checkMessage(_ bytes: [UInt8]) {
    let reading = DNSReader.read(bytes)
    check(DNSReader.read(bytes) == reading, "read twice: \(shown(bytes))")
    check(
        (reading.message == nil) == (reading.violations.last?.isFatal == true),
        "a message or a fatal violation: \(shown(bytes))")
    for violation in reading.violations + DNSReader.readQuery(bytes).violations {
        check(0...bytes.count ~= violation.offset, "\(violation) lies outside \(shown(bytes))")
    }
    guard let message = reading.message else { return }
    let records = message.answers + message.authorities + message.additionals
    check(message.questions.count + records.count <= DNSReader.mostRecords, "too many records: \(shown(bytes))")
    for record in records {
        guard case .service(let service) = record.data else { continue }
        _ = (service.port, service.protocols, service.isUsable(knowing: [0, 1, 3]))
    }
    // Data that do not fit their type are kept as they came, and pointers in them mean another place when they are written.
    guard !reading.violations.contains(where: { $0.kind == .badData }) else { return }
    let again = DNSReader.read(message.bytes)
    check(again.message == message, "\(message) was written as \(shown(message.bytes))")
    check(again.message?.bytes == message.bytes, "written twice: \(shown(bytes))")
}
