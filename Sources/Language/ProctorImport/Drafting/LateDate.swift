import ProctorHTTP

/// Dates of a recording as dates relative to the moment of the reply.
enum LateDate {
    /// Fields whose dates move with the reply; Last-Modified belongs to the content.
    private static let fields: Set<String> = ["date", "expires", "retry-after", "sunset"]

    /// Late-bound text for a date field; nil where the value is to stay.
    ///
    /// `moment` is the date of the recorded reply in Unix seconds.
    static func late(_ field: HTTPField, moment: Int?) -> String? {
        let name = field.name.lowercased()
        guard fields.contains(name), let date = try? HTTPDate.unixSeconds(of: field.bytes, now: moment ?? 0) else {
            return nil
        }
        if name == "date" { return "{{now}}" }
        return moment.map { text(date - $0) }
    }

    /// Without a difference of more than ten years, which means "long ago" or "never".
    static func text(_ seconds: Int) -> String {
        if seconds == 0 { return "{{now}}" }
        let count = seconds.magnitude
        let units: [(UInt, String)] = [(86_400, "d"), (3_600, "h"), (60, "m"), (1, "s")]
        let (unit, letter) = units.first { count.isMultiple(of: $0.0) } ?? (1, "s")
        return "{{now \(seconds < 0 ? "-" : "+") \(count / unit)\(letter)}}"
    }

    /// The moment of a recorded reply by its Date field.
    static func moment(of fields: [HTTPField]) -> Int? {
        fields.first(named: "Date").flatMap { try? HTTPDate.unixSeconds(of: $0.bytes, now: 0) }
    }
}
