import FuzzSupport
import ProctorHTTP
import ProctorNTLM

/// Input: one byte of options, then a message of NTLM.
///
/// Options: 1 what was read is written and read again, 2 the message is judged by an account, after a challenge of ours.
@c(LLVMFuzzerTestOneInput)
public func testOneInput(_ start: UnsafePointer<UInt8>?, _ count: Int) -> CInt {
    var input = unsafe FuzzInput(start, count)
    let options = input.byte()
    let bytes = input.remaining
    let reading = NTLMReader.read(bytes)
    check(reading == NTLMReader.read(bytes), "another reading of the same bytes: \(shown(bytes))")
    check(reading.violations.count <= NTLMReader.violationLimit + 1, "too many violations: \(shown(bytes))")
    check((reading.message == nil) == reading.violations.contains(where: \.isFatal), "half read: \(shown(bytes))")
    for violation in reading.violations { check(violation.offset <= bytes.count, "\(violation): \(shown(bytes))") }
    guard let message = reading.message else { return 0 }
    _ = NTLMFacts.sentence(message)
    if options & 1 != 0, reading.violations.isEmpty { checkWritten(message, bytes) }
    if options & 2 != 0 { checkJudged(message, bytes) }
    return 0
}

/// The fields stay, wherever the writer puts them.
private func checkWritten(_ message: NTLMMessage, _ bytes: [UInt8]) {
    let written = NTLMWriter.bytes(of: message)
    guard written.count <= NTLMReader.byteLimit else { return }
    let again = NTLMReader.read(written)
    check(again.message?.type == message.type, "\(message) was written as \(shown(written)): \(shown(bytes))")
    switch (message, again.message) {
    case (.authenticate(let first), .authenticate(let second)?):
        check(first.response == second.response && first.mic == second.mic, "a response changed: \(shown(bytes))")
        check(first.lmResponse == second.lmResponse && first.sessionKey == second.sessionKey, shown(bytes))
    case (.challenge(let first), .challenge(let second)?):
        check(
            first.nonce == second.nonce && first.targetInfo == second.targetInfo, "a challenge changed: \(shown(bytes))"
        )
    default: break
    }
}

/// Nobody passes without the password.
private func checkJudged(_ message: NTLMMessage, _ bytes: [UInt8]) {
    guard case .authenticate(let last) = message else { return }
    let first = NTLMNegotiate(flags: [.unicode, .ntlm])
    let exchange = NTLMExchange(
        answering: first, bytes: NTLMWriter.bytes(of: .negotiate(first)),
        with: NTLMExchange.Offer(target: "X", nonce: [1, 2, 3, 4, 5, 6, 7, 8], namesTime: true), now: 0)
    let judge = NTLMJudge(accounts: [CredentialAccount(user: last.user, password: "a password of nobody")])
    check(!judge.judge(last, bytes: bytes, after: exchange).faults.isEmpty, "admitted: \(shown(bytes))")
}
