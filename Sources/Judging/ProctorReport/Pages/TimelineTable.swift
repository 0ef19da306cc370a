internal import ProctorBase
import ProctorGrading
import ProctorHTML

extension HTML {
    /// A table of a timeline's events, which `timeline.js` draws to scale in its place.
    ///
    /// `name` is the client; `prefix` begins the ids of the table's elements, which are unique on the page.
    static func timeline(_ events: [EventRecord], of name: String, prefix: String) -> HTML {
        let rows = events.enumerated().joined { row(of: $1, id: "\(prefix)-e\($0)") }
        return .table(
            caption: "Timeline of \(name)", classes: "events", columns: ["time", "lane", "event"], body: rows)
    }

    /// `data-` attributes have what the script places the event by: its time in nanoseconds, lane, connection, stream.
    private static func row(of event: EventRecord, id: String) -> HTML {
        var attributes: HTML = " data-lane=\"\(event.lane)\""
        for (name, number) in [("ns", event.nanoseconds), ("connection", event.connection), ("stream", event.stream)] {
            if let number { attributes += " data-\(name)=\"\(number)\"" }
        }
        let place = [event.connection.map { " c\($0)" }, event.stream.map { " s\($0)" }].compactMap(\.self).joined()
        let times = event.count > 1 ? " ×\(event.count)" : ""
        let time = event.nanoseconds.map(TimelineTime.text) ?? ""
        var html: HTML = """
            <tr\(attributes)><td>\(time)</td><td>\(event.lane)\(place)</td><td><span>\(event.text)\(times)</span>
            """
        if let wanted = event.wanted, !wanted.isEmpty { html += "<strong class=\"wanted\">wanted: \(wanted)</strong>" }
        if !event.details.isEmpty {
            // A browser opens the fold around the target of a link.
            html += """
                <details class="bytes"><summary>fields and bytes</summary>\
                <pre id="\(id)" tabindex="0">\(event.details.joined(separator: "\n"))</pre></details>
                """
        }
        return "\(html)</td></tr>\n"
    }
}

enum TimelineTime {
    /// `12.345 ms` without zeros at the end, truncated; from one second on `1.5 s`.
    static func text(_ nanoseconds: Int) -> String {
        let micro = abs(nanoseconds) / 1_000
        let sign = nanoseconds < 0 ? "-" : ""
        return micro >= 1_000_000
            ? "\(sign)\(decimal(micro / 1_000)) s" : "\(sign)\(decimal(micro)) ms"
    }

    /// A number of thousandths as a decimal.
    private static func decimal(_ thousandths: Int) -> String {
        let rest = thousandths % 1_000
        guard rest > 0 else { return String(thousandths / 1_000) }
        var digits = String(1_000 + rest).dropFirst()
        while digits.hasSuffix("0") { digits = digits.dropLast() }
        return "\(thousandths / 1_000).\(digits)"
    }
}
