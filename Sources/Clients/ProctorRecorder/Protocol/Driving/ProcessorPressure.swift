internal import ProctorBase

/// The total time in which some thread of the machine waited for a processor (proc(5), `/proc/pressure/cpu`).
enum ProcessorPressure {
    /// Nanoseconds since the system's start; nil when the system does not count them, as on Darwin.
    static var nanoseconds: UInt64? {
        SystemFile.text(of: "/proc/pressure/cpu").flatMap { nanoseconds(in: $0.utf8) }
    }

    /// Reads a line as `some avg10=1.00 avg60=0.50 avg300=0.10 total=123`, whose total is in microseconds.
    static func nanoseconds(in text: some Collection<UInt8>) -> UInt64? {
        let line = String(decoding: text.prefix { $0 != UInt8(ascii: "\n") }, as: UTF8.self)
        guard line.hasPrefix("some "), let total = line.split(separator: "=").last.flatMap({ UInt64($0) }) else {
            return nil
        }
        return total.multipliedReportingOverflow(by: 1_000).partialValue
    }
}
