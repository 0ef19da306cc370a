internal import ProctorBase
import ProctorGrading
import ProctorHTML

extension HTML {
    /// A drawing of a timeline: time runs downwards, to scale with folded pauses; fields and bytes of the events are
    /// below.
    ///
    /// `name` is the client; `prefix` begins the ids of this drawing, which are unique on the page. Lanes with
    /// unrelated clocks are drawn one below the other.
    static func timeline(_ events: [EventRecord], of name: String, prefix: String) -> HTML {
        var html: HTML = ""
        let parts = TimelineParts.ranges(of: events)
        for (number, part) in parts.enumerated() {
            let suffix = number == 0 ? "" : "\(number + 1)"
            let title = parts.count == 1 ? name : "\(name), part \(number + 1)"
            html += drawing(Array(events[part]), title: title, prefix: "\(prefix)-t\(suffix)")
        }
        return html
    }

    private static func drawing(_ events: [EventRecord], title: String, prefix: String) -> HTML {
        let layout = TimelineLayout(events)
        let drawing = TimelineDrawing(events: events, layout: layout, prefix: prefix)
        var html: HTML = """
            <div class="drawing" role="region" aria-label="Timeline of \(title)" tabindex="0">\
            <svg role="group" aria-label="Timeline of \(title), time goes down" width="\(TimelineLayout.width)" \
            height="\(layout.height)" viewBox="0 0 \(TimelineLayout.width) \(layout.height)">
            """
        html += "\(drawing.axis)\(drawing.bars)\(drawing.headings)\(drawing.moments)</svg></div>"
        if layout.undrawnConnectionCount > 0 {
            let count = Plural.count(layout.undrawnConnectionCount, "connection")
            html += "<p class=\"soft\">\(count) more have no lane.</p>"
        }
        if layout.undrawnStreamCount > 0 {
            let count = Plural.count(layout.undrawnStreamCount, "stream")
            html += "<p class=\"soft\">\(count) more \(layout.undrawnStreamCount == 1 ? "has" : "have") no lane.</p>"
        }
        return "\(html)\(drawing.details)\n"
    }
}

private struct TimelineDrawing {
    let events: [EventRecord]
    let layout: TimelineLayout
    let prefix: String

    // MARK: Time

    var axis: HTML {
        let x = TimelineLayout.axisWidth
        var html: HTML = ""
        let end = layout.height - 6
        html += "<path class=\"axis\" d=\"M\(x) \(TimelineLayout.top)V\(end)\"/>"
        for tick in layout.scale.ticks {
            let y = TimelineLayout.top + tick.y
            html += "<path class=\"axis\" d=\"M\(x - 5) \(y)h5\"/>"
            html += "<text class=\"time\" x=\"\(x - 8)\" y=\"\(y + 4)\">\(Milliseconds.text(tick.nanoseconds))</text>"
        }
        for fold in layout.scale.folds {
            let y = TimelineLayout.top + fold.y
            let text = Milliseconds.text(fold.end - fold.start)
            html += """
                <path class="fold" d="M\(x) \(y + 5)l-5 4 10 4 -10 4 5 4"><title>a pause of \(text), folded</title></path>\
                <text class="time folded" x="\(x - 8)" y="\(y + 18)">⋮ \(text)</text>
                """
        }
        return html
    }

    // MARK: Lanes

    var bars: HTML {
        var html: HTML = ""
        for bar in layout.bars {
            let height = max(3, bar.to - bar.from)
            html += """
                <g class="bar\(bar.stream == nil ? "" : " stream")">\
                <text x="\(bar.x)" y="\(TimelineLayout.top - 14)">\(bar.name)<title>\(bar.title)</title></text>\
                <rect x="\(bar.x - 3)" y="\(bar.from)" width="6" height="\(height)"/>
                """
            var path = ""
            for y in Set(bar.ticks).sorted() { path += "M\(bar.x - 6) \(y)h12" }
            html += "<path d=\"\(path)\"/></g>"
        }
        return html
    }

    var headings: HTML {
        var html: HTML = ""
        for (column, x, _) in layout.columns {
            html += "<text class=\"lane\" x=\"\(x)\" y=\"\(TimelineLayout.top - 14)\">\(column.title)</text>"
            html +=
                "<path class=\"rail \(column.title)\" d=\"M\(x + 4) \(TimelineLayout.top - 4)V\(layout.height - 6)\"/>"
        }
        return html
    }

    var moments: HTML {
        var html: HTML = ""
        for moment in layout.moments {
            guard let column = layout.columns.first(where: { $0.column == moment.column }) else { continue }
            html += self.moment(moment, x: column.x, width: column.width)
        }
        return html
    }

    private func moment(_ moment: TimelineLayout.Moment, x: Int, width: Int) -> HTML {
        let event = events[moment.index]
        let isMarked = event.wanted != nil
        let whole = Self.text(of: event)
        let room = max(8, Int(Double(width - 22) / TimelineLayout.characterWidth))
        let text = whole.count > room ? whole.prefix(room - 1) + "…" : whole
        var html: HTML =
            isMarked ? "<g class=\"m \(moment.column.title) marked\">" : "<g class=\"m \(moment.column.title)\">"
        if isMarked {
            html += """
                <rect x="\(x + 12)" y="\(moment.textY - 9)" width="\(width - 10)" \
                height="\(2 * TimelineLayout.lineHeight)" rx="3"/>
                """
        }
        if moment.textY > moment.timeY {
            html += "<path class=\"lead\" d=\"M\(x + 4) \(moment.timeY)L\(x + 16) \(moment.textY)\"/>"
        }
        if event.lane != "note" { html += "<circle cx=\"\(x + 4)\" cy=\"\(moment.timeY)\" r=\"\(isMarked ? 5 : 3)\"/>" }
        let time = event.nanoseconds.map { "\(Milliseconds.text($0)) " } ?? ""
        let line: HTML = """
            <text x="\(x + 18)" y="\(moment.textY + 4)">\(isMarked ? "▶ " : "")\(String(text))<title>\(time)\(whole)</title></text>
            """
        html += event.details.isEmpty ? line : "<a href=\"#\(prefix)-e\(moment.index)\">\(line)</a>"
        if let wanted = event.wanted {
            let sentence = "wanted: \(wanted)"
            let cut = sentence.count > room ? sentence.prefix(room - 1) + "…" : sentence
            html += """
                <text class="wanted" x="\(x + 18)" y="\(moment.textY + TimelineLayout.lineHeight + 2)">\(String(cut))\
                <title>\(sentence)</title></text>
                """
        }
        return "\(html)</g>"
    }

    private static func text(of event: EventRecord) -> String {
        let lane = ["wire", "note", "harness", "task"].contains(event.lane) ? "" : "\(event.lane) "
        let connection = event.connection.map { "c\($0) " } ?? ""
        return lane + connection + event.text + (event.count > 1 ? " ×\(event.count)" : "")
    }

    // MARK: Bytes

    /// Folded; a browser opens the fold around the target of a link.
    var details: HTML {
        var html: HTML = ""
        var count = 0
        for (index, event) in events.enumerated() where !event.details.isEmpty {
            let time = event.nanoseconds.map { "\(Milliseconds.text($0)) · " } ?? ""
            html += """
                <details class="bytes"><summary>\(time)\(Self.text(of: event))</summary>\
                <pre id="\(prefix)-e\(index)" tabindex="0">\(event.details.joined(separator: "\n"))</pre></details>
                """
            count += 1
        }
        guard count > 0 else { return "" }
        return "<details><summary>Fields and bytes of \(Plural.count(count, "event"))</summary>\(html)</details>"
    }
}

extension TimelineLayout.Bar {
    fileprivate var title: String { "connection \(connection)\(stream.map { ", stream \($0)" } ?? "")" }
}
