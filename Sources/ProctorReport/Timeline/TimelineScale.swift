/// Where times stand in a drawing: to scale, but for long pauses, which are folded to one height each.
struct TimelineScale: Sendable, Equatable {
    /// A stretch of time without an event that is drawn shorter than it was.
    struct Fold: Sendable, Equatable {
        let start: Int
        let end: Int
        /// The pixel at which it begins.
        let y: Int
    }

    struct Tick: Sendable, Equatable {
        let nanoseconds: Int
        let y: Int
    }

    /// In pixels.
    static let foldHeight = 26
    private static let tickDistance = 48.0
    /// A pause is folded where it is more than this part of the time that is drawn to scale.
    private static let foldedShare = 0.35
    /// And where it is that many times as long as the others are on average.
    private static let foldedFactor = 5.0
    /// A shorter pause is never folded, in nanoseconds.
    private static let shortestFold = 1_000_000
    private static let foldBound = 24

    private(set) var folds: [Fold] = []
    /// The first times of stretches drawn to scale, and the pixels at which they begin.
    private var stretches: [(start: Int, end: Int, y: Int)] = []
    /// In pixels for a nanosecond.
    private let factor: Double
    /// The pixel of the last time.
    private(set) var height = 0

    /// `times` are nanoseconds in any order; the stretches to scale take `room` pixels together.
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

    /// The pixel of a time; times inside a fold stand at its begin.
    func y(of nanoseconds: Int) -> Int {
        guard let stretch = stretches.last(where: { $0.start <= nanoseconds }) ?? stretches.first else { return 0 }
        return stretch.y + pixels(min(max(nanoseconds, stretch.start), stretch.end) - stretch.start)
    }

    /// Round times that stand far enough apart to be read.
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

    /// 1, 2 or 5 times a power of ten.
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
    /// `12.345 ms` without zeros at the end, cut and not rounded; from a second on `1.5 s`.
    static func text(_ nanoseconds: Int) -> String {
        let micro = abs(nanoseconds) / 1_000
        let sign = nanoseconds < 0 ? "-" : ""
        return micro >= 1_000_000
            ? "\(sign)\(decimal(micro / 1_000)) s" : "\(sign)\(decimal(micro)) ms"
    }

    /// A number of thousandths.
    private static func decimal(_ thousandths: Int) -> String {
        let rest = thousandths % 1_000
        guard rest > 0 else { return String(thousandths / 1_000) }
        var digits = String(1_000 + rest).dropFirst()
        while digits.hasSuffix("0") { digits = digits.dropLast() }
        return "\(thousandths / 1_000).\(digits)"
    }
}
