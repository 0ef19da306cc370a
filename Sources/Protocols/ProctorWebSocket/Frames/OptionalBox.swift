/// A value that is held apart while there is one, so that a reader that waits between two messages is small.
struct OptionalBox<Value> {
    private final class ValueOfMoment {
        var value: Value

        init(_ value: Value) { self.value = value }
    }

    private var held: ValueOfMoment?

    var value: Value? {
        get { held?.value }
        set {
            guard let newValue else { return held = nil }
            if let held { held.value = newValue } else { held = ValueOfMoment(newValue) }
        }
    }
}
