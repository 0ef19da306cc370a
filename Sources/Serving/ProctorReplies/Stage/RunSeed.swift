package import ProctorScenario

/// The number from which everything random of a run is computed, so that a failure can be played again.
///
/// ``number(request:place:draw:)`` does not depend on time, threads or earlier calls. Nothing else of a run is random.
package struct RunSeed: Sendable, Equatable {
    package let value: UInt64

    /// Seeds that every JSON reader can represent; a run that gets no seed chooses one of them.
    package static let range: ClosedRange<UInt64> = 0...1 << 53 - 1

    package init(_ value: UInt64) {
        self.value = value
    }

    /// A seed that differs from run to run.
    package static func chosen() -> RunSeed { RunSeed(UInt64.random(in: range)) }

    /// One of all 64-bit numbers: `mix(mix(mix(mix(seed) ^ request) ^ place) ^ draw)`.
    ///
    /// `mix(x)` is the first output of SplitMix64 with the seed `x`. `request` counts from 0; `draw` too, at one place.
    package func number(request: Int, place: RandomPlace, draw: Int = 0) -> UInt64 {
        var number = Self.mix(value)
        for part in [UInt64(bitPattern: Int64(request)), place.number, UInt64(bitPattern: Int64(draw))] {
            number = Self.mix(number ^ part)
        }
        return number
    }

    /// One of the numbers of a range: the upper half of the 128-bit product of ``number(request:place:draw:)`` and the
    /// range's count.
    package func number(in range: ClosedRange<Int>, request: Int, place: RandomPlace, draw: Int = 0) -> Int {
        let number = number(request: request, place: place, draw: draw)
        // The count of all 64-bit integers does not fit, and then every number is one of the range.
        let (count, overflow) = UInt64(bitPattern: Int64(range.upperBound &- range.lowerBound))
            .addingReportingOverflow(1)
        guard !overflow else { return Int(truncatingIfNeeded: number) }
        return range.lowerBound &+ Int(truncatingIfNeeded: number.multipliedFullWidth(by: count).high)
    }

    private static func mix(_ value: UInt64) -> UInt64 {
        var random = SplitMix64(seed: value)
        return random.next()
    }
}
