import Testing

@testable import ProctorEvents
@testable import ProctorNotation

/// A trace written on one line: `response(200) data×3 complete(ok)`; names and arguments without spaces.
func trace(_ text: String) -> [TraceEventSymbol] {
    text.split(separator: " ").flatMap { word -> [TraceEventSymbol] in
        let parts = word.split(separator: "×")
        let count = parts.count == 2 ? Int(parts[1]) ?? 0 : 1
        let event = parts[0].split(separator: "(", maxSplits: 1)
        let argument = event.count == 2 ? String(event[1].dropLast()) : nil
        return Array(repeating: TraceEventSymbol(String(event[0]), argument), count: count)
    }
}

/// `accept`, in a form that `#expect` can take.
func take(_ matcher: inout NotationMatcher, _ event: TraceEventSymbol) -> Bool {
    matcher.accept(event)
}
