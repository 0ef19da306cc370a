/// Carries a value of Foundation to the one thread that goes on with it; whoever packs it leaves it alone afterwards.
struct Handover<Value>: @unchecked Sendable {
    let value: Value
}

/// Looks after an object without keeping it, from whichever thread; the runtime makes the look itself atomic.
struct WeakReference<Object: AnyObject>: @unchecked Sendable {
    private(set) weak var object: Object?

    init(_ object: Object?) { self.object = object }
}
