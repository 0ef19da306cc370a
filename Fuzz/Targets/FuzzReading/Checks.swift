import FuzzSupport
public import ProctorHTTP

/// What holds of a violation in any input.
public func checkViolation(_ violation: Violation, in message: MessageKind, _ byteCount: Int, isFatal: Bool) {
    check(violation.isFatal == isFatal && violation.message == message, "\(violation)")
    check(violation.kind.arises(in: message), "a kind of the other direction: \(violation)")
    check(0...byteCount ~= violation.offset, "offset outside the input: \(violation)")
    check(!violation.sentence.isEmpty && violation.section.hasPrefix("RFC "), "\(violation)")
    check(400...599 ~= violation.status, "\(violation)")
    check(violation.sentence.utf8.allSatisfy { $0 >= 0x20 && $0 != 0x7F }, "raw bytes in \(violation)")
}

/// What holds of the violations and the fields of any head.
public func checkHead(_ fields: FieldSection, _ violations: [Violation], in message: MessageKind, _ byteCount: Int) {
    var previous = 0
    for violation in violations {
        checkViolation(violation, in: message, byteCount, isFatal: false)
        check(violation.offset >= previous, "violations out of order: \(violations)")
        previous = violation.offset
    }
    for line in fields {
        check(!line.name.isEmpty && line.raw.count >= line.name.count, "\(line)")
        check(fields.contains(named: Array(line.name)), "a field that can't be found: \(line)")
    }
}
