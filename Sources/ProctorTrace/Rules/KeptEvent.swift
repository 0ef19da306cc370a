/// An event that a monitor keeps for later, in a place of its own.
///
/// Nearly all monitors that can keep one keep none, and `nil` of this is one word that costs nothing to copy or forget.
@dynamicMemberLookup
final class KeptEvent: Sendable {
    let event: TraceEvent

    init(_ event: TraceEvent) { self.event = event }

    @inline(__always)
    subscript<Value>(dynamicMember member: KeyPath<TraceEvent, Value>) -> Value { event[keyPath: member] }
}
