/// Passes a value of Foundation to the one thread that uses it next.
///
/// Unchecked, because URLProtocol and its challenges are not Sendable: the sending thread no longer uses the value, and
/// the runtime reads a weak reference atomically.
package struct Handover<Value>: @unchecked Sendable {
    package let value: Value

    package init(value: Value) { self.value = value }
}
