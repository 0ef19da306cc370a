/// What a script sees of the world for one call; called on the thread that runs the script.
package protocol ScriptHost: AnyObject {
    /// Adds one value, `none` where there is not any; not asked for `json`, which is read from ``body``.
    func write(_ property: RequestProperty, to values: ValueBuffer)
    /// The content of the request; nil where it was not read.
    var body: [UInt8]? { get }
    /// `md5`, `sha1`, `sha256` or `sha512`; nil where it can't be computed.
    func hash(_ function: String, _ bytes: [UInt8]) -> [UInt8]?
    /// Of the run's seed: the next 64 bits for this call.
    func nextRandom() -> UInt64
    /// Seconds since 1970.
    func unixTime() -> Double
    /// Seconds of a clock that never goes back.
    func monotonicTime() -> Double
    /// RFC 9110 §5.6.7; nil outside the years 1 … 9999.
    func httpDate(_ unixSeconds: Int64) -> [UInt8]?
    /// A value that the run or the connection keeps; nil where there is none.
    func state(_ scope: ScriptScope, _ name: [UInt8]) -> [UInt8]?
    /// Sets a value, or removes it; returns what is wrong, nil when it is done.
    func setState(_ scope: ScriptScope, _ name: [UInt8], to value: [UInt8]?) -> String?
    /// Adds to a whole number, or to 0 where there is none, and returns the sum.
    func addToState(_ scope: ScriptScope, _ name: [UInt8], _ number: Int64) -> Result<Int64, ScriptFailure>
    /// Removes a value and returns it, in one step, so that of two scripts one gets it; nil where there is none.
    func takeFromState(_ scope: ScriptScope, _ name: [UInt8]) -> Result<[UInt8]?, ScriptFailure>
}

/// Whose state it is.
package enum ScriptScope: Sendable {
    case run, connection
}

/// What a script does between two of its instructions; the script waits until it is done.
package enum ScriptStep: Sendable, Equatable {
    case send([UInt8])
    case wait(Duration)
    /// An event that the client reports.
    case await([UInt8])
    case close(abrupt: Bool)
    case reset(abrupt: Bool)
    case halfClose
    case stall
    /// At most so many further bytes of the request's content; their text, or `none` at the end, is its result.
    case read(Int)

    /// Of one `read`.
    package static let readByteLimit = 1 << 20
}

/// What a script gave back.
package enum ScriptAnswer: Sendable, Equatable {
    /// Nothing, or nil.
    case nothing
    case flag(Bool)
    /// A reply of the usual keys alone.
    case plain(Plain)
    /// Any other table.
    case table(ScriptValue)

    package struct Plain: Sendable, Equatable {
        package var status = 200
        package var fields = Fields()
        package var body: [UInt8] = []
    }

    /// Field lines in the order in which they are sent, in two allocations however many there are.
    package struct Fields: Sendable, Equatable {
        /// Names and values, one behind the other.
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

        /// By their names, where there is more than one; those of one name stay in their order.
        mutating func sort() {
            guard entries.count > 1 else { return }
            let bytes = bytes
            entries.sort { bytes[$0.name].lexicographicallyPrecedes(bytes[$1.name]) }
        }
    }
}
