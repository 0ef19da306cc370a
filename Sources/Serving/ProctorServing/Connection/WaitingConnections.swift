internal import ProctorBase

/// A connection that gives memory back while it waits for a request among many others; on the loop's thread only.
package protocol RestingConnection: AnyObject {
    /// Its place among those that wait.
    var place: WaitingConnections.Place { get set }

    /// Gives back what is made anew once something comes.
    func rest()
}

/// The connections of HTTP/2 at one address that wait for a request, the one that has waited longest first.
///
/// Where there are many, those that have waited for a while rest. A connection that rests has given back its coders and
/// what makes equal requests cheap, which are more than half of its memory. What it takes to wake is as much work as a
/// request; one that is used again and again never rests. On the loop's thread only.
package final class WaitingConnections {
    private var first: (any RestingConnection)?
    private var last: (any RestingConnection)?
    private var count = 0

    /// So many wait without resting.
    private let awakeCount: Int
    /// Nanoseconds that any other one waits before it rests.
    private let delay: UInt64

    init(_ bounds: ConnectionBounds) {
        awakeCount = bounds.awakeConnectionCount
        delay = bounds.rest
    }

    /// Where a connection stands in the line.
    package struct Place {
        package init() {}

        fileprivate var before: (any RestingConnection)?
        fileprivate var behind: (any RestingConnection)?
        fileprivate var state = State.busy
        /// In MonotonicClock nanoseconds.
        fileprivate var since: UInt64 = 0
    }

    fileprivate enum State {
        case busy, waiting, resting
    }

    /// The connection waits from now on; no effect where it does already.
    package func append(_ connection: some RestingConnection) {
        guard connection.place.state == .busy else { return }
        // Not when its last frame came: an answer may have taken its time, and the line would be out of order.
        let moment = MonotonicClock.nanoseconds
        var place = Place()
        (place.before, place.state, place.since) = (last, .waiting, moment)
        connection.place = place
        last?.place.behind = connection
        last = connection
        if first == nil { first = connection }
        count += 1
        // Two for one that comes, so that none of a crowd is left.
        for _ in 0..<2 {
            guard count > awakeCount, let longest = first, moment &- longest.place.since >= delay else { return }
            move(longest, .resting)
            longest.rest()
        }
    }

    /// The connection is used, or it ends.
    package func remove(_ connection: any RestingConnection) {
        if connection.place.state == .waiting { move(connection, .busy) } else { connection.place.state = .busy }
    }

    private func move(_ connection: any RestingConnection, _ state: State) {
        let place = connection.place
        connection.place = Place()
        connection.place.state = state
        if let before = place.before { before.place.behind = place.behind } else { first = place.behind }
        if let behind = place.behind { behind.place.before = place.before } else { last = place.before }
        count -= 1
    }
}
