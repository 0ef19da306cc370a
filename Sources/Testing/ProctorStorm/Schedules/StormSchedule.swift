package import ProctorEvents

/// Loads of one session, and what the server does to them; it follows from a seed and a number alone.
package struct StormSchedule: Sendable, Equatable {
    package let seed: UInt64
    package let number: Int
    package var way: StormWay
    package var origin: StormOrigin
    /// Values of the origin's keys.
    var originMoment = StormMoment()
    package var loads: [StormLoad]
    /// The bound of connections to a host that the session states; nil: none.
    package var connectionBound: Int?
    /// Whether replies set a cookie.
    package var setsCookies: Bool
    /// Plain loads that follow, one after the other, when no fault is left.
    package var plainCount = Self.plainLoads

    static let plainLoads = 10
    /// A case has 100 steps at most.
    package static let mostLoads = 50
    private static let sizes = [2, 3, 5, 8, 12, 20, 35, mostLoads]
    private static let contents = [16, 200, 1_000, 5_000, 20_000, 70_000]
    /// The moments at which a load may be cancelled.
    static let moments = ["after-resume", "response", "data"]

    package init(seed: UInt64, number: Int, over versions: Set<StormProtocol> = Set(StormProtocol.allCases)) {
        (self.seed, self.number) = (seed, number)
        var draws = StormDraws(seed: seed, schedule: number)
        way = draws.way(of: versions)
        origin = draws.origin(over: way.version)
        originMoment = StormMoment(of: 2_000, &draws)
        connectionBound = draws.chance(30) ? draws.number(in: 1...6) : nil
        setsCookies = draws.chance(30)
        loads = []
        for index in 0..<(draws.pick(Self.sizes) ?? 1) {
            loads.append(Self.load(index, of: number, over: way.version, &draws))
        }
    }

    /// Draws a load: the draws are the same whatever they say, so that a load does not depend on those of others.
    private static func load(
        _ index: Int, of schedule: Int, over version: StormProtocol, _ draws: inout StormDraws
    ) -> StormLoad {
        let method = draws.pick(["GET", "GET", "GET", "GET", "POST", "POST", "PUT", "DELETE"]) ?? "GET"
        let download = draws.pick(contents) ?? 16
        let upload = draws.pick(contents) ?? 16
        let hasFault = draws.chance(45)
        let fault = draws.fault(over: version)
        let moment = StormMoment(of: download, &draws)
        let isCancelled = draws.chance(12)
        let cancel = draws.pick(moments)
        let hasLimit = draws.chance(10)
        let limit = draws.number(in: 20...40) * 10
        let isTogether = !draws.chance(12)
        var load = StormLoad(name: "\(schedule)-\(index)", method: method, downloadByteCount: download)
        load.uploadByteCount = ["POST", "PUT"].contains(method) ? upload : 0
        load.fault = hasFault ? fault : nil
        load.moment = moment
        load.cancelAt = isCancelled ? cancel : nil
        load.limit = hasLimit || load.fault?.isHeld ?? false ? limit : nil
        load.isTogether = isTogether && index > 0
        return load
    }

    /// Loads that were not drawn, and plain ones behind them.
    package init(_ loads: [StormLoad] = [], number: Int = 0, plain count: Int, on way: StormWay = .plain) {
        (seed, self.number) = (0, number)
        (self.way, origin, self.loads, setsCookies, plainCount) = (way, .calm, loads, false, count)
    }

    // MARK: For one client

    /// Returns the schedule without what the client lacks, and with at most so many loads at once.
    package func fitted(
        to abilities: Set<Ability>, on way: StormWay, atOnce: Int, cancellingAt moments: Set<String>
    ) -> StormSchedule {
        var schedule = self
        schedule.way = way
        if !origin.isOf(way.version) { schedule.origin = .calm }
        if !abilities.contains(.connectionLimit) { schedule.connectionBound = nil }
        if !abilities.isSuperset(of: [.cookieJar, .cookiesFromAddresses]) { schedule.setsCookies = false }
        let width = abilities.contains(.severalLoads) ? atOnce : 1
        var running = 0
        for index in schedule.loads.indices {
            schedule.loads[index].fit(to: abilities, over: schedule.way, cancellingAt: moments)
            running = schedule.loads[index].isTogether && running < width ? running + 1 : 1
            schedule.loads[index].isTogether = schedule.loads[index].isTogether && running > 1
        }
        return schedule
    }

    // MARK: Its loads

    /// The names of all loads in the order of the client's steps, the plain ones behind the others.
    package var names: [String] { loads.map(\.name) + plainNames }

    var plainNames: [String] { (0..<plainCount).map { "\(number)-plain-\($0)" } }

    static let plainByteCount = 100

    /// What the load of that step is for; nil: it is a plain one.
    func load(ofStep step: Int) -> StormLoad? { loads.indices.contains(step) ? loads[step] : nil }

    /// How much of the load's content a reply of that status has; nil: a fixture has no such reply.
    func byteCount(ofStep step: Int, status: Int) -> Int? {
        guard let load = load(ofStep: step) else { return status == 200 ? Self.plainByteCount : nil }
        switch status {
        case 200: return load.downloadByteCount
        case 302, 307: return load.fault?.isRedirect == true ? 0 : nil
        case 408, 421, 503: return load.fault?.name == String(status) ? StormLoad.saidByteCount : nil
        default: return nil
        }
    }
}

/// A load of a schedule, whose name its content is made of.
package struct StormLoad: Sendable, Equatable {
    package let name: String
    package var method: String
    package var uploadByteCount = 0
    package var downloadByteCount: Int
    package var fault: StormFault?
    var moment = StormMoment()
    /// A moment of the language; nil: the load is not cancelled.
    package var cancelAt: String?
    /// Milliseconds of silence; nil: the client's own limit.
    package var limit: Int?
    /// Whether it begins right after the load before has begun.
    package var isTogether = false
    /// The event of another step that the fault waits for, in place of a time.
    var awaited: StormSyncPoint?

    /// Bytes of the content of a reply that says something else.
    static let saidByteCount = 24

    package init(name: String, method: String, downloadByteCount: Int) {
        (self.name, self.method, self.downloadByteCount) = (name, method, downloadByteCount)
    }

    /// Whether it may be sent again without harm (RFC 9110 §9.2.2).
    var isIdempotent: Bool { method != "POST" }

    fileprivate mutating func fit(
        to abilities: Set<Ability>, over way: StormWay, cancellingAt moments: Set<String>
    ) {
        if let moment = cancelAt, !abilities.contains(.cancel) || !moments.contains(moment) { cancelAt = nil }
        if !abilities.contains(.timeLimitSilence) { limit = nil }
        guard let fault else { return }
        let canEnd = limit != nil || cancelAt == "after-resume"
        let isElsewhere = fault.place != StormFault.mainPlace && way.isThroughProxy
        if !fault.needs.isSubset(of: abilities) || !fault.isOf(way.version) || fault.isHeld && !canEnd || isElsewhere {
            self.fault = nil
        }
    }

    /// Content of the load: its name, over and over.
    package static func content(_ name: String, _ byteCount: Int) -> [UInt8] {
        let unit = Array("\(name) ".utf8)
        var bytes: [UInt8] = []
        bytes.reserveCapacity(byteCount + unit.count)
        while bytes.count < byteCount { bytes += unit }
        return Array(bytes.prefix(byteCount))
    }
}

/// The values that stand for the letters of a row.
struct StormMoment: Sendable, Equatable {
    /// A byte of the content.
    var place = 1
    var milliseconds = 1
    /// Bytes of a piece.
    var piece = 16
    /// A small number: of a connection, of streams.
    var count = 1

    init() {}

    init(of byteCount: Int, _ draws: inout StormDraws) {
        place = draws.number(in: 1...max(1, byteCount - 1))
        milliseconds = draws.number(in: 1...60)
        piece = max(16, byteCount / draws.number(in: 2...10))
        count = draws.number(in: 1...5)
    }

    /// The text with `$n`, `$t`, `$p` and `$c` as numbers.
    func filled(_ text: String) -> String {
        text.replacing(word: "$n", by: String(place)).replacing(word: "$t", by: "\(milliseconds)ms")
            .replacing(word: "$p", by: String(piece)).replacing(word: "$c", by: String(count))
    }
}

/// An event of another step.
struct StormSyncPoint: Sendable, Equatable {
    let event: String
    let step: Int
}

extension String {
    /// The text with each place of a word replaced; a word of that beginning with more letters is another word.
    func replacing(word: String, by text: String) -> String {
        var result = ""
        var rest = self[...]
        while let start = rest.firstIndex(of: "$") {
            result += rest[..<start]
            rest = rest[start...]
            let letters = rest.dropFirst().prefix { $0.isLetter }
            if "$\(letters)" == word {
                result += text
            } else {
                result += "$\(letters)"
            }
            rest = rest.dropFirst(letters.count + 1)
        }
        return result + rest
    }
}
