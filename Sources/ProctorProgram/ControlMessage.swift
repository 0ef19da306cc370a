import ProctorBase
package import ProctorEvents

/// One request of the control API as its clients make it, whatever carries it (Docs/control-api.md).
package struct ControlMessage: Sendable, Equatable {
    /// `GET`, `POST` or `DELETE`.
    package let method: String
    /// Path and query.
    package let target: String
    /// JSON, or a trace; nil: none.
    package let content: [UInt8]?

    private init(_ method: String, _ target: String, content: [UInt8]? = nil) {
        self.method = method
        self.target = "/__proctor/\(target)"
        self.content = content
    }

    /// A POST whose content is one object.
    private init(posting target: String, _ write: (inout JSONText) -> Void) {
        var json = JSONText()
        json.open("{")
        write(&json)
        json.close("}")
        self.init("POST", target, content: json.bytes)
    }

    // MARK: Runs

    /// Opens a run; it is forgotten after `lifeSeconds` without a call.
    package static func createRun(of scenario: String, lifeSeconds: Int?) -> Self {
        Self(posting: "runs") { json in
            json.member("scenario", scenario)
            if let lifeSeconds { json.member("lifeSeconds", lifeSeconds) }
        }
    }

    /// Lists all runs.
    package static var runs: Self { Self("GET", "runs") }

    /// Closes the ports of a run.
    package static func deleteRun(_ run: String) -> Self { Self("DELETE", "runs/\(segment(run))") }

    /// The number of the standing run of a scenario; `path` is escaped already.
    package static func standingRun(ofPath path: String) -> Self { Self("GET", "standing/\(path)") }

    /// Begins a run, or all standing ones, anew; `place` is escaped already.
    package static func reset(_ place: String) -> Self { Self("POST", "\(place)/reset") }

    // MARK: Clients

    /// What an adapter reads for a case.
    package static func assignment(of caseName: String, in run: String) -> Self {
        Self("GET", "runs/\(segment(run))/assignment?case=\(escaped(caseName))")
    }

    /// Judges what an adapter wrote for a case.
    package static func grade(_ trace: [UInt8], of caseName: String, in run: String) -> Self {
        Self("POST", "runs/\(segment(run))/grade?case=\(escaped(caseName))", content: trace)
    }

    /// Says that the client saw an event so many times.
    package static func reached(_ event: EventName, task: Int, count: Int, in run: String) -> Self {
        Self(posting: "runs/\(segment(run))/reached") { json in
            json.member("event", event.rawValue)
            json.member("task", task)
            json.member("count", count)
        }
    }

    /// What a client needs in its environment; `query` begins with a question mark, or is empty.
    package static func environment(of run: String, query: String) -> Self {
        Self("GET", "runs/\(run)/environment\(query)")
    }

    // MARK: Journals

    /// The entries of a journal behind a sequence number; waits so many milliseconds for the first.
    package static func journal(of run: String, after sequence: UInt64, wait milliseconds: Int) -> Self {
        Self("GET", "runs/\(run)/journal?after=\(sequence)&wait=\(milliseconds)")
    }

    /// A part of a path (RFC 3986 §2.3).
    private static func segment(_ text: String) -> String { escaped(text, keeping: "-._~") }

    /// Letters and digits stay as they are; a plus sign of a query would be read as a space by some.
    private static func escaped(_ text: String, keeping kept: String = "") -> String {
        text.utf8.reduce(into: "") { text, byte in
            if byte.isASCIILetterOrDigit || kept.utf8.contains(byte) {
                text.unicodeScalars.append(UnicodeScalar(byte))
            } else {
                text += "%" + (byte < 16 ? "0" : "") + String(byte, radix: 16, uppercase: true)
            }
        }
    }
}

extension UInt8 {
    fileprivate var isASCIILetterOrDigit: Bool {
        switch self {
        case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
            UInt8(ascii: "0")...UInt8(ascii: "9"):
            true
        default: false
        }
    }
}
