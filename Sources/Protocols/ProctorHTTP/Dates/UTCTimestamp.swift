internal import ProctorBase

extension HTTPDate {
    /// Reads `2030-01-31T23:59:59Z`, a timestamp of RFC 3339 §5.6 in UTC and whole seconds; nil for any other text.
    package static func unixSeconds(ofTimestamp text: String) -> Int? {
        let bytes = Array(text.utf8)
        guard bytes.count == 20 else { return nil }
        let marks: [(index: Int, text: String)] = [(4, "-"), (7, "-"), (10, "T"), (13, ":"), (16, ":"), (19, "Z")]
        guard marks.allSatisfy({ bytes[$0.index] == $0.text.utf8.first }) else { return nil }
        var numbers: [Int] = []
        for range in [0..<4, 5..<7, 8..<10, 11..<13, 14..<16, 17..<19] {
            guard bytes[range].allSatisfy(\.isASCIIDigit) else { return nil }
            numbers.append(bytes[range].reduce(0) { $0 * 10 + Int($1 &- 0x30) })
        }
        return CivilTime(
            year: numbers[0], month: numbers[1], day: numbers[2], hour: numbers[3], minute: numbers[4],
            second: numbers[5])?.unixSeconds
    }

    /// Writes such a timestamp; seconds outside the years 0–9999 are clamped.
    package static func timestamp(unixSeconds: Int) -> String {
        let time = CivilTime(unixSeconds: unixSeconds)
        func digits(_ number: Int, _ count: Int) -> String {
            let text = String(number)
            return String(repeating: "0", count: max(0, count - text.utf8.count)) + text
        }
        let date = [digits(time.year, 4), digits(time.month, 2), digits(time.day, 2)].joined(separator: "-")
        let clock = [digits(time.hour, 2), digits(time.minute, 2), digits(time.second, 2)].joined(separator: ":")
        return "\(date)T\(clock)Z"
    }
}
