#if canImport(Darwin)
    // The standard library has these properties on Apple's systems only from macOS 26 and iOS 26 on. `Span` itself, and
    // the same properties of other collections, exist on every system that the package supports. The compiler prefers a
    // property of this module to one of the standard library with the same name, so callers need no second version.
    extension Array where Element: BitwiseCopyable {
        /// The elements, for as long as the array is borrowed; an array of such elements is never a bridged NSArray.
        @inlinable
        package var span: Span<Element> {
            @_lifetime(borrow self)
            get {
                let elements = unsafe withUnsafeBufferPointer { unsafe $0 }
                return unsafe _overrideLifetime(Span(_unsafeElements: elements), borrowing: self)
            }
        }

        /// The elements, for exclusive access: nothing else may change the array meanwhile.
        @inlinable
        package var mutableSpan: MutableSpan<Element> {
            @_lifetime(&self)
            mutating get {
                let elements = unsafe withUnsafeMutableBufferPointer { unsafe $0 }
                return unsafe _overrideLifetime(MutableSpan(_unsafeElements: elements), mutating: &self)
            }
        }
    }
#endif
