import ProctorBase
import ProctorLoop

#if canImport(Darwin)
    import Darwin
#else
    import Glibc
#endif

/// Sleepers of one loop that keep a beat each, and how late they wake.
///
/// `loop-beats SLEEPERS INTERVAL-NANOSECONDS BEATS` prints the count of beats and their lateness in microseconds: median,
/// 99th percentile, largest. The beats of the sleepers are spread evenly over the interval.
@main
enum Main {
    static func main() async throws {
        let numbers = CommandLine.arguments.dropFirst().compactMap(UInt64.init)
        guard CommandLine.arguments.count == 4, numbers.count == 3, numbers.allSatisfy({ $0 > 0 }) else {
            print("usage: loop-beats SLEEPERS INTERVAL-NANOSECONDS BEATS")
            exit(2)
        }
        let (sleepers, interval, beats) = (numbers[0], numbers[1], numbers[2])
        let loop = try EventLoop()
        var lateness = try await loop.run {
            let start = MonotonicClock.nanoseconds + 100_000_000
            return await withTaskGroup(of: [UInt64].self) { group in
                for number in 0..<sleepers {
                    group.addTask {
                        await keepTime(from: start + number * interval / sleepers, interval, beats, on: loop)
                    }
                }
                return await group.reduce(into: [UInt64]()) { $0 += $1 }
            }
        }
        loop.stop()
        await loop.ended()
        lateness.sort()
        let figures = [lateness[lateness.count / 2], lateness[lateness.count * 99 / 100], lateness[lateness.count - 1]]
        print(lateness.count, figures.map { "\(Double($0) / 1000)" }.joined(separator: " "))
    }

    private static func keepTime(
        from start: UInt64, _ interval: UInt64, _ beats: UInt64, on loop: EventLoop
    ) async -> [UInt64] {
        var lateness: [UInt64] = []
        lateness.reserveCapacity(Int(beats))
        for beat in 0..<beats {
            let end = start + beat * interval
            await loop.sleep(until: end)
            let now = MonotonicClock.nanoseconds
            guard now >= end else {
                print("a sleep was \(end - now) ns early")
                exit(1)
            }
            lateness.append(now - end)
        }
        return lateness
    }
}
