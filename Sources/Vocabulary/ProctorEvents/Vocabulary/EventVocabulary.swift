import ProctorBase

/// The vocabulary's entry for an event: its lanes and the kind of its argument.
package struct EventKind: Sendable, Equatable {
    package let event: EventName
    package var name: String { event.rawValue }
    /// What has come, as the subject of a sentence, without the event's argument.
    let words: String
    /// Never empty.
    package let lanes: [Lane]
    package let argument: Argument
    /// Whether the event is taken out of a trace before a case's expression is matched, unless the expression names
    /// it.
    package let isAmbient: Bool

    package enum Argument: Sendable, Equatable {
        case none
        /// A status code of three digits whose first digit is in the range.
        case status(firstDigit: ClosedRange<Int>)
        /// `ok`, or the name of an error; in an expression also `error`, which matches all but `ok`.
        case outcome
        case request
        case text
    }

    /// The event of a row of `CFiles/Tables/events.tsv`, whose rows stand in the order of the names.
    fileprivate init(_ event: EventName, _ cells: TableCells) {
        precondition(cells["kind"] == event.rawValue, "events.tsv has no row of \(event) in its place")
        self.event = event
        words = cells["words"]
        lanes = cells.words(of: "lanes").map { word in
            guard let lane = Lane(rawValue: word) else { preconditionFailure("events.tsv has a lane \(word)") }
            return lane
        }
        argument = cells.valueIfAny("argument", Argument.init) ?? .none
        isAmbient = cells.text("ambient") != nil
    }
}

extension EventKind.Argument {
    /// `outcome`, `request` and `text`, or `status 3` and `status 1-9` with the first digit.
    fileprivate init?(_ text: String) {
        switch text {
        case "outcome": self = .outcome
        case "request": self = .request
        case "text": self = .text
        default:
            let digits = text.compactMap(\.wholeNumberValue)
            guard text.hasPrefix("status "), let first = digits.first, let last = digits.last, first <= last else {
                return nil
            }
            self = .status(firstDigit: first...last)
        }
    }
}

extension EventName {
    /// What has come, as the subject of a sentence, without the event's argument.
    package var words: String { NameTables.kinds[ordinal].words }
}

/// The neutral events that traces and expectations of all API families use.
package enum EventVocabulary {
    /// In the order in which a load usually has them.
    package static let kinds = zip(EventName.allCases, TableCells.rows(of: "events")).map { EventKind($0, $1) }

    private static let byName = Dictionary(uniqueKeysWithValues: kinds.map { ($0.name, $0) })

    package static func kind(named name: String) -> EventKind? { byName[name] }

    /// The events of a lane, in the order of ``kinds``.
    package static func names(in lane: Lane) -> [String] {
        kinds.filter { $0.lanes.contains(lane) }.map(\.name)
    }

    /// The event of the lane whose name is nearest to an unknown one.
    package static func nearestName(to name: String, in lane: Lane) -> String? {
        NearestName.find(name, in: names(in: lane))
    }

    /// The events that are taken out before a case's expression is matched.
    package static let ambientNames: [String] = kinds.filter(\.isAmbient).map(\.name)

    /// The argument of `delegateReleased` where the delegate is still held (R65).
    package static let notInTime = "not-in-time"

    /// The arguments of `esError`: the event source connects again, or never does (R69, R70).
    package static let (retry, fatal) = ("retry", "fatal")

    /// `complete`, after which no ambient event may come; families add terminals of their own.
    package static let terminalNames: [String] = ["complete"]

    /// Frames of HTTP/2, which an expression sees where it names them.
    package static let frames: [EventName] = [
        .reset, .goaway, .settingsAcknowledged, .pingAcknowledged, .resetSent, .goawaySent,
    ]
}
