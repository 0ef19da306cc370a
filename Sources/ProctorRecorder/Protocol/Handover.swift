/// Carries a value of Foundation to the one thread that goes on with it.
///
/// Unchecked, because URLProtocol and its challenges are not Sendable: the thread that packs a value leaves it alone
/// afterwards, and the runtime makes a look at a ``WeakReference`` atomic.
struct Handover<Value>: @unchecked Sendable {
    let value: Value
}

/// Looks after an object without keeping it.
struct WeakReference<Object: AnyObject> {
    private(set) weak var object: Object?

    init(_ object: Object?) { self.object = object }
}
