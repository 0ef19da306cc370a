internal import ProctorBase

/// The times in which threads waited for a processor: some thread of the machine (proc(5), `/proc/pressure/cpu`), or the one that
/// asks (the kernel's sched-stats, `/proc/thread-self/schedstat`).
enum ProcessorPressure {
    /// Nanoseconds since the system's start; nil when the system does not count them, as on Darwin.
    static var nanoseconds: UInt64? {
        SystemFile.text(of: "/proc/pressure/cpu").flatMap { nanoseconds(in: $0.utf8) }
    }

    /// Nanoseconds for which the calling thread has been ready to run and had no processor, since its start; nil when the system
    /// does not count them, as on Darwin.
    static var waitingOfThread: UInt64? {
        // Three numbers: of nanoseconds on a processor, of those that it waited for one, and of its time slices.
        SystemFile.text(of: "/proc/thread-self/schedstat").flatMap { text in
            let numbers = text.split(separator: " ")
            return numbers.count > 1 ? UInt64(numbers[1]) : nil
        }
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
