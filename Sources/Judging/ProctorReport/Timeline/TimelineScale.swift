/// The positions of times in a drawing: to scale, except that each long pause has the same small height.
struct TimelineScale: Sendable, Equatable {
    /// A pause that is drawn shorter than to scale.
    struct Fold: Sendable, Equatable {
        let start: Int
        let end: Int
        /// The y position of its beginning, in pixels.
        let y: Int
    }

    struct Tick: Sendable, Equatable {
        let nanoseconds: Int
        let y: Int
    }

    /// The height of a fold, in pixels.
    static let foldHeight = 26
    private static let tickDistance = 48.0
    /// A folded pause is more than this share of the time that is drawn to scale.
    private static let foldedShare = 0.35
    /// A folded pause is also more than this many times as long as the other pauses on average.
    private static let foldedFactor = 5.0
    /// The shortest pause that is folded, in nanoseconds.
    private static let shortestFold = 1_000_000
    private static let foldBound = 24

    private(set) var folds: [Fold] = []
    /// The spans of time that are drawn to scale, with the y positions of their beginnings.
    private var stretches: [(start: Int, end: Int, y: Int)] = []
    /// Pixels for each nanosecond.
    private let factor: Double
    /// The y position of the last time, in pixels.
    private(set) var height = 0

    /// `times` are nanoseconds in any order; the spans to scale are `room` pixels high together.
    init(_ times: [Int], room: Int) {
        let times = Set(times).sorted()
        let gaps = zip(times, times.dropFirst()).map { (start: $0, length: $1 - $0) }
        var total = gaps.reduce(0) { $0 + $1.length }
        var folded: Set<Int> = []
        var count = gaps.count
        for gap in gaps.sorted(by: { $0.length > $1.length }).prefix(Self.foldBound) {
            guard gap.length >= Self.shortestFold, total > gap.length,
                Double(gap.length) > Self.foldedShare * Double(total),
                Double(gap.length) * Double(count - 1) > Self.foldedFactor * Double(total - gap.length)
            else { break }
            count -= 1
            folded.insert(gap.start)
            total -= gap.length
        }
        factor = total > 0 ? Double(room) / Double(total) : 0
        guard let first = times.first else { return }
        var start = first
        for gap in gaps where folded.contains(gap.start) {
            close(from: start, to: gap.start)
            folds.append(Fold(start: gap.start, end: gap.start + gap.length, y: height))
            height += Self.foldHeight
            start = gap.start + gap.length
        }
        close(from: start, to: times[times.count - 1])
    }

    static func == (left: TimelineScale, right: TimelineScale) -> Bool {
        left.folds == right.folds && left.factor == right.factor && left.height == right.height
    }

    private mutating func close(from start: Int, to end: Int) {
        stretches.append((start, end, height))
        height += pixels(end - start)
    }

    private func pixels(_ nanoseconds: Int) -> Int { Int((Double(nanoseconds) * factor).rounded()) }

    /// The y position of a time; times inside a fold have that of its beginning.
    func y(of nanoseconds: Int) -> Int {
        guard let stretch = stretches.last(where: { $0.start <= nanoseconds }) ?? stretches.first else { return 0 }
        return stretch.y + pixels(min(max(nanoseconds, stretch.start), stretch.end) - stretch.start)
    }

    /// Round times with enough distance between their labels.
    var ticks: [Tick] {
        guard factor > 0 else { return [] }
        let step = Self.roundStep(atLeast: Self.tickDistance / factor)
        return stretches.flatMap { stretch in
            let first = (stretch.start + step - 1) / step * step
            return stride(from: max(0, first), through: stretch.end, by: step).map {
                Tick(nanoseconds: $0, y: y(of: $0))
            }
        }
    }

    /// The next step of 1, 2 or 5 times a power of ten.
    private static func roundStep(atLeast nanoseconds: Double) -> Int {
        var power = 1
        while power < 1_000_000_000_000 {
            for factor in [1, 2, 5] where Double(power * factor) >= nanoseconds { return power * factor }
            power *= 10
        }
        return power
    }
}

enum Milliseconds {
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
