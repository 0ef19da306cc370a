/// What one call of a script can access; called on the thread that runs the script.
package protocol ScriptHost: AnyObject {
    /// Appends one value, or `none`; never called for `json`, which is read from ``body``.
    func write(_ property: RequestProperty, to values: ValueBuffer)
    /// The content of the request; nil if it was not read.
    var body: [UInt8]? { get }
    /// `function` is `md5`, `sha1`, `sha256` or `sha512`; nil if the hash is unavailable.
    func hash(_ function: String, _ bytes: [UInt8]) -> [UInt8]?
    /// The next 64 random bits of this call, from the run's seed.
    func nextRandom() -> UInt64
    /// Seconds since 1970.
    func unixTime() -> Double
    /// Seconds of a monotonic clock.
    func monotonicTime() -> Double
    /// A date in the form of RFC 9110 §5.6.7; nil outside the years 1 … 9999.
    func httpDate(_ unixSeconds: Int64) -> [UInt8]?
    /// A value that the run or the connection stores; nil if there is none.
    func state(_ scope: ScriptScope, _ name: [UInt8]) -> [UInt8]?
    /// Sets or removes a value; returns an error text, or nil after success.
    func setState(_ scope: ScriptScope, _ name: [UInt8], to value: [UInt8]?) -> String?
    /// Adds to an integer, or to 0 if there is none, and returns the sum.
    func addToState(_ scope: ScriptScope, _ name: [UInt8], _ number: Int64) -> Result<Int64, ScriptFailure>
    /// Removes and returns a value in one step, so that only one of two scripts gets it; nil if there is none.
    func takeFromState(_ scope: ScriptScope, _ name: [UInt8]) -> Result<[UInt8]?, ScriptFailure>
}

/// The owner of a stored value.
package enum ScriptScope: Sendable {
    case run, connection
}

/// An action for which the script waits.
package enum ScriptStep: Sendable, Equatable {
    case send([UInt8])
    case wait(Duration)
    /// Waits for an event that the client reports.
    case await([UInt8])
    case close(abrupt: Bool)
    case reset(abrupt: Bool)
    case halfClose
    case stall
    /// Reads at most so many further bytes of the request's content; the result is their text, or `none` at the end.
    case read(Int)

    /// The most bytes of one `read`.
    package static let readByteLimit = 1 << 20
}

/// What a script returned.
package enum ScriptAnswer: Sendable, Equatable {
    /// Nothing, or nil.
    case nothing
    case flag(Bool)
    /// A reply with only the usual keys.
    case plain(Plain)
    /// Any other table.
    case table(ScriptValue)

    package struct Plain: Sendable, Equatable {
        package var status = 200
        package var fields = Fields()
        package var body: [UInt8] = []
    }

    /// Field lines in the order in which they are sent, in two allocations for any number of lines.
    package struct Fields: Sendable, Equatable {
        /// All names and values, one after another.
        private var bytes: [UInt8] = []
        private var entries: [Entry] = []

        private struct Entry: Sendable, Equatable {
            let name: Range<Int>
            let value: Range<Int>
        }

        package var count: Int { entries.count }

        package func name(_ index: Int) -> ArraySlice<UInt8> { bytes[entries[index].name] }
        package func value(_ index: Int) -> ArraySlice<UInt8> { bytes[entries[index].value] }

        mutating func reserve(lineCount: Int, byteCount: Int) {
            bytes.reserveCapacity(byteCount)
            entries.reserveCapacity(lineCount)
        }

        mutating func add(_ name: UnsafeRawBufferPointer, _ value: UnsafeRawBufferPointer) {
            let start = bytes.count
            unsafe bytes.append(contentsOf: name)
            let middle = bytes.count
            unsafe bytes.append(contentsOf: value)
            entries.append(Entry(name: start..<middle, value: middle..<bytes.count))
        }

        /// Sorts by name; lines with the same name keep their order.
        mutating func sort() {
            guard entries.count > 1 else { return }
            let bytes = bytes
            entries.sort { bytes[$0.name].lexicographicallyPrecedes(bytes[$1.name]) }
        }
    }
}
