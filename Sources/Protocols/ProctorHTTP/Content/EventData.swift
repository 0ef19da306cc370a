/// The `data` of an event of an event stream.
package enum EventData {
    /// The parts between line ends: CRLF, LF or CR; never empty (HTML §9.2.5).
    package static func lines(of bytes: some Collection<UInt8>) -> [[UInt8]] {
        var lines: [[UInt8]] = [[]]
        var lastWasCR = false
        for byte in bytes {
            if byte == 0x0D || byte == 0x0A && !lastWasCR {
                lines.append([])
            } else if byte != 0x0A {
                lines[lines.count - 1].append(byte)
            }
            lastWasCR = byte == 0x0D
        }
        return lines
    }
}
