#if canImport(Darwin)
    // On Apple's systems the standard library has these properties only from macOS 26 and iOS 26 on; `Span` itself, and
    // that of other collections, is in every system that the package supports. A property of this module comes before
    // one of the standard library with the same name, so no caller is written twice.
    extension Array where Element: BitwiseCopyable {
        /// The elements, for as long as the array is borrowed; such elements are never in a bridged NSArray.
        @inlinable
        package var span: Span<Element> {
            @_lifetime(borrow self)
            get {
                let elements = unsafe withUnsafeBufferPointer { unsafe $0 }
                return unsafe _overrideLifetime(Span(_unsafeElements: elements), borrowing: self)
            }
        }

        /// The elements, for as long as the array is changed by nothing else.
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
