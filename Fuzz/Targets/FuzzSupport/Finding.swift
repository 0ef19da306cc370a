#if canImport(Darwin)
    import Darwin
#else
    import Glibc
#endif

/// Says what does not hold and ends the process, which libFuzzer takes for a crash and keeps the input of.
public func finding(_ sentence: String, file: StaticString = #fileID, line: UInt = #line) -> Never {
    let text = Array("==finding== \(file):\(line): \(sentence)\n".utf8)
    unsafe text.withUnsafeBytes { unsafe _ = write(2, $0.baseAddress, $0.count) }
    abort()
}

/// Ends the process unless the property holds.
public func check(
    _ holds: Bool, _ sentence: @autoclosure () -> String, file: StaticString = #fileID, line: UInt = #line
) {
    guard !holds else { return }
    finding(sentence(), file: file, line: line)
}

/// Printable ASCII as it is, other bytes as escapes.
public func shown(_ bytes: some Sequence<UInt8>) -> String {
    bytes.map { byte in
        switch byte {
        case 0x20..<0x7F: String(Unicode.Scalar(byte))
        default: "\\x" + String(UInt16(byte) | 0x100, radix: 16).dropFirst()
        }
    }.joined()
}
