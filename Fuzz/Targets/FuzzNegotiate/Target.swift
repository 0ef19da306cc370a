import FuzzSupport
import ProctorHTTP
import ProctorNTLM
import ProctorNegotiate

/// Input: one byte of options, then a token of Negotiate, or a message of the stub mechanism.
///
/// Options: 1 what was read is written and read again, 2 the token is judged, alone and behind a token of ours, 4 the bytes
/// are a message of the stub mechanism.
@c(LLVMFuzzerTestOneInput)
public func testOneInput(_ start: UnsafePointer<UInt8>?, _ count: Int) -> CInt {
    var input = unsafe FuzzInput(start, count)
    let options = input.byte()
    let bytes = input.remaining
    if options & 4 != 0 { checkStub(bytes) }
    let reading = SPNEGOReader.read(bytes)
    check(reading == SPNEGOReader.read(bytes), "another reading of the same bytes: \(shown(bytes))")
    check(reading.violations.count <= SPNEGOReader.violationLimit + 1, "too many violations: \(shown(bytes))")
    check((reading.message == nil) == reading.violations.contains(where: \.isFatal), "half read: \(shown(bytes))")
    for violation in reading.violations { check(violation.offset <= bytes.count, "\(violation): \(shown(bytes))") }
    if options & 1 != 0, let message = reading.message, reading.violations.isEmpty { checkWritten(message, bytes) }
    if options & 2 != 0 { checkJudged(bytes) }
    return 0
}

private func checkWritten(_ message: SPNEGOMessage, _ bytes: [UInt8]) {
    let written = SPNEGOWriter.bytes(of: message)
    guard written.count <= SPNEGOReader.byteLimit else { return }
    let again = SPNEGOReader.read(written)
    check(again.message == message && again.violations.isEmpty, "written as \(shown(written)): \(shown(bytes))")
}

private func checkStub(_ bytes: [UInt8]) {
    do throws(SPNEGOViolation) {
        let message = try StubMessage(bytes)
        check(message.bytes == bytes, "\(message) was written otherwise: \(shown(bytes))")
    } catch {
        check(error.offset <= bytes.count, "\(error): \(shown(bytes))")
    }
}

/// Nobody passes without the password.
private func checkJudged(_ bytes: [UInt8]) {
    let judge = NegotiateJudge(
        NegotiateJudge.Offer(
            mechanisms: [.ntlm, .stub], ntlm: NTLMExchange.Offer(target: "X", nonce: [1, 2, 3, 4, 5, 6, 7, 8]),
            stubLegs: 2, proof: .right),
        accounts: [CredentialAccount(user: "user", password: "a password of nobody")])
    check(!judge.judge(bytes, after: nil).isAdmitted, "admitted: \(shown(bytes))")
    var session = NegotiateSession(mechanisms: [.ntlm])
    let first = session.nextToken(user: "user", password: "", host: "a") ?? []
    let behind = judge.judge(bytes, after: judge.judge(first, after: nil).exchange)
    check(!behind.isAdmitted && (behind.reply == nil || behind.faults.isEmpty), "admitted behind NTLM: \(shown(bytes))")
}
