import ProctorEvents

/// Checks that the end alone comes behind a cancel, and at most one element that another task's cancel met on its way.
///
/// A callback that returns behind the cancel, with no other one begun, is the one that cancelled.
struct R74SilenceBehindCancel: RuleMonitor {
    static let wantsExits = true
    static let interests: EventNameSet = [.cancel, .response, .data, .trailers, .complete]

    /// The element whose callback was begun and has not returned.
    private var open: EventName?
    private var mayBeOnItsWay = true

    mutating func observe(_ event: TraceEvent, _ load: LoadState) -> Breach? {
        guard event.name != .cancel, load.terminal == nil else { return nil }
        if event.phase == .exit {
            if load.cancellation != nil, open == event.name { mayBeOnItsWay = false }
            open = nil
            return nil
        }
        open = event.name
        guard let cancellation = load.cancellation, event.name != .complete else { return nil }
        if mayBeOnItsWay {
            mayBeOnItsWay = false
            // Its return is no sign that it cancelled.
            open = nil
            return nil
        }
        return Breach("\(event.symbol) after \(cancellation.symbol); the end alone may come")
    }
}
