internal import ProctorBase

#if canImport(Darwin)
    internal import Darwin
#else
    internal import Glibc
#endif

/// Facts about this machine and the current time for the header of an exam.
enum SystemFacts {
    /// The operating system and the processor: `Linux x86_64`.
    static var name: String {
        var names = utsname()
        guard unsafe uname(&names) == 0 else { return "unknown" }
        return "\(text(of: names.sysname)) \(text(of: names.machine))"
    }

    /// The text of a field of `utsname`, a tuple of characters that ends with a zero.
    private static func text<Field>(of field: Field) -> String {
        unsafe withUnsafeBytes(of: field) { bytes in
            unsafe String(decoding: bytes.prefix { $0 != 0 }, as: UTF8.self)
        }
    }

    static var unixSeconds: Int { time(nil) }

    /// The current time in UTC: `2026-11-22T11:20:06Z`.
    static var date: String {
        var now = time(nil)
        var parts = unsafe tm()
        unsafe gmtime_r(&now, &parts)
        var text = [CChar](repeating: 0, count: 32)
        let count = unsafe strftime(&text, text.count, "%Y-%m-%dT%H:%M:%SZ", &parts)
        return String(decoding: text.prefix(count).map { UInt8(bitPattern: $0) }, as: UTF8.self)
    }
}
