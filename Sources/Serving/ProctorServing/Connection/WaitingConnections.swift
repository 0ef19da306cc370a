internal import ProctorBase

/// A connection that gives memory back while it waits for a request among many others; on the loop's thread only.
package protocol RestingConnection: AnyObject {
    /// Gives back what is made anew once something comes.
    func rest()
}

/// The connections of HTTP/2 at one address that wait for a request, about in the order in which they began to.
///
/// Where there are many, those that have waited for a while rest. A connection that rests has given back its coders and
/// what makes equal requests cheap, which are more than half of its memory. What it takes to wake is as much work as a
/// request; one that is used again and again never rests. One that is used keeps its place in the line, and goes to the end
/// of it when it comes to the beginning, so that a request moves nothing. On the loop's thread only.
package final class WaitingConnections {
    private var first: Place?
    private var last: Place?
    /// The number of connections in the line that wait; the others are used.
    private var count = 0

    /// So many wait without resting.
    private let awakeCount: Int
    /// Nanoseconds that any other one waits before it rests.
    private let delay: UInt64

    /// Places that are looked at for each connection that comes to wait: more than one, so that none of a crowd is left.
    private static let stepCount = 4

    convenience init(_ bounds: ConnectionBounds) {
        self.init(awakeCount: bounds.awakeConnectionCount, delay: bounds.rest)
    }

    init(awakeCount: Int, delay: UInt64) {
        (self.awakeCount, self.delay) = (awakeCount, delay)
    }

    /// Where a connection stands in the line; the connection owns it.
    package final class Place {
        fileprivate unowned let connection: any RestingConnection
        fileprivate unowned var before: Place?
        fileprivate var behind: Place?
        fileprivate var isInLine = false
        fileprivate var isWaiting = false
        /// Whether it was used since it stands at this place, so that others behind it may have waited longer.
        fileprivate var wasUsed = false
        /// In MonotonicClock nanoseconds.
        fileprivate var since: UInt64 = 0

        package init(of connection: any RestingConnection) { self.connection = connection }
    }

    /// The connection waits from now on; no effect where it does already.
    ///
    /// One that rests has to be used before it waits anew.
    package func append(_ place: Place) {
        guard !place.isWaiting else { return }
        // Not when its last frame came: an answer may have taken its time.
        let moment = MonotonicClock.nanoseconds
        (place.isWaiting, place.since) = (true, moment)
        count += 1
        if !place.isInLine { link(place) }
        for _ in 0..<Self.stepCount {
            guard count > awakeCount, let longest = first else { return }
            let isDue = longest.isWaiting && moment &- longest.since >= delay
            guard isDue || !longest.isWaiting || longest.wasUsed else { return }
            unlink(longest)
            if isDue {
                count -= 1
                longest.connection.rest()
            } else {
                link(longest)
            }
        }
    }

    /// The connection is used.
    package func use(_ place: Place) {
        guard place.isWaiting else { return }
        if place.isInLine { count -= 1 }
        (place.isWaiting, place.wasUsed) = (false, true)
    }

    /// The connection ends.
    package func remove(_ place: Place) {
        use(place)
        if place.isInLine { unlink(place) }
    }

    private func link(_ place: Place) {
        (place.isInLine, place.wasUsed, place.before) = (true, false, last)
        if let last { last.behind = place } else { first = place }
        last = place
    }

    private func unlink(_ place: Place) {
        if let before = place.before { before.behind = place.behind } else { first = place.behind }
        if let behind = place.behind { behind.before = place.before } else { last = place.before }
        (place.isInLine, place.before, place.behind) = (false, nil, nil)
    }
}
