/// What one call of a script can access; called on the thread that runs the script.
package protocol ScriptHost: AnyObject {
    /// Appends one value, or `none`; never called for `json`, which is read from ``body``.
    func write(_ property: RequestProperty, to values: ValueBuffer)
    /// The content of the request; nil if it was not read.
    var body: [UInt8]? { get }
    /// `function` is `md5`, `sha1`, `sha256` or `sha512`; nil if the hash is unavailable.
    func hash(_ function: String, _ bytes: [UInt8]) -> [UInt8]?
    /// Does what a function of `key` does, within a tenth of a second of the calling thread.
    func use(_ key: ScriptKey, to act: ScriptKey.Act) -> Result<ScriptValue, ScriptFailure>
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
    /// Whether the script sends and receives messages of a WebSocket; otherwise it sends bytes and reads content.
    var hasMessages: Bool { get }
    /// Makes `receive` return the messages of a channel too; returns an error text, or nil after success.
    func joinChannel(_ name: [UInt8]) -> String?
    /// Sends to all others that have joined the channel, and returns how many these are.
    func sendToChannel(_ name: [UInt8], _ message: ScriptMessage) -> Result<Int64, ScriptFailure>
}

/// The owner of a stored value.
package enum ScriptScope: Sendable {
    case run, connection
}

/// An action for which the script waits.
package enum ScriptStep: Sendable, Equatable {
    case send([UInt8])
    case wait(Duration)
    /// An effect as a fixture writes it behind `do:`; `isAbrupt`: with `abrupt: true` beside it, where it can have that.
    case effect(do: String, isAbrupt: Bool = false)
    /// Sends a message of a WebSocket; the result is whether the client may still get it.
    case sendMessage(ScriptMessage)
    /// Sends a Close with this code, or without any.
    case sendClose(code: UInt16?, reason: [UInt8])
    /// Waits for a message of the client or of a channel; nil: as long as the server lets a client be silent.
    ///
    /// The results are the message, its kind and its channel, which is `none` for the client; or `none` and the reason,
    /// `close`, `timeout` or `left`, and fourth the code of a Close.
    case receive(within: Duration?)
    /// Reads at most so many further bytes of the request's content; the result is their text, or `none` at the end.
    case read(Int)
    /// Others have their turn, since the script has run long; it goes on where it is.
    case pause

    /// The most bytes of one `read`.
    package static let readByteLimit = 1 << 20
}

/// A message that a script sends or receives.
package struct ScriptMessage: Sendable, Equatable {
    package enum Kind: String, Sendable, CaseIterable {
        case text, binary, ping, pong

        package var isOfData: Bool { self == .text || self == .binary }
    }

    package let kind: Kind
    package let content: [UInt8]

    package init(_ kind: Kind, _ content: [UInt8]) {
        (self.kind, self.content) = (kind, content)
    }
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
