internal import ProctorBase
internal import ProctorHTTP
internal import ProctorHTTP3
internal import ProctorJournal
internal import ProctorQUICWire
internal import ProctorScenario

/// Reads the frames on the streams of one connection of HTTP/3, in both directions, for its journal; loop thread only.
struct HTTP3FrameLog {
    private var clients = StreamTable<UInt64, Place>()
    private var ours = StreamTable<UInt64, Place>()

    /// Payloads that are longer have no details in the journal.
    private static let payloadByteLimit = 4_096

    /// Where one direction of a stream stands.
    private enum Place {
        /// Between two frames, behind so many bytes and frames of DATA.
        case between(offset: Int, dataCount: Int)
        /// A stream that has no frames, behind a type of so many bytes.
        case unframed(Int)
        case within(Reading)

        static func start(of stream: UInt64) -> Place {
            stream & 2 == 0 ? .between(offset: 0, dataCount: 0) : .within(Reading(kind: .untyped([])))
        }
    }

    /// One direction of a stream whose bytes so far end within a frame or a type.
    fileprivate struct Reading {
        var kind: Kind
        // The journal tells nothing of what is in field sections, which their own reader has read.
        var reader = HTTP3FrameReader(maximumPayloadByteCount: HTTP3FrameLog.payloadByteLimit, keepsSections: false)
        var dataCount = 0

        enum Kind {
            /// A unidirectional stream whose type has not come whole.
            case untyped([UInt8])
            /// A push stream whose number has not come whole.
            case unnumbered([UInt8])
            case frames
            /// A stream that has no frames.
            case other
        }
    }

    /// Both directions of a stream are over.
    mutating func forget(_ stream: UInt64) {
        if !clients.isEmpty { clients[stream] = nil }
        if !ours.isEmpty { ours[stream] = nil }
    }

    /// Reads the next bytes of a stream, and calls `note` with each frame, with the type of a unidirectional stream, and with FIN.
    ///
    /// Of DATA, the first ``FrameNote/dataEntryLimit`` frames of each direction are noted.
    mutating func read(
        _ bytes: borrowing Span<UInt8>, on stream: UInt64, ends: Bool, by party: JournalEvent.Party,
        _ note: (consuming FrameNote) -> Void
    ) {
        let former = party == .client ? clients.remove(stream) : ours.remove(stream)
        let place = Self.read(bytes, from: former ?? .start(of: stream), on: stream, by: party, note)
        keepPlace(place, of: stream, ends: ends, by: party, note)
    }

    /// Notes one frame of DATA that is sent whole, without reading its bytes; false where it stands within another frame.
    mutating func noteData(
        _ byteCount: Int, behindHead headByteCount: Int, on stream: UInt64, ends: Bool,
        _ note: (consuming FrameNote) -> Void
    ) -> Bool {
        guard case .between(let offset, let dataCount) = ours[stream] ?? .start(of: stream) else { return false }
        if dataCount < FrameNote.dataEntryLimit {
            note(.ofFrame(.data, by: .server, on: stream, byteCount: byteCount, at: offset))
        }
        keepPlace(
            .between(offset: offset + headByteCount + byteCount, dataCount: dataCount + 1), of: stream, ends: ends,
            by: .server, note)
        return true
    }

    /// Keeps where a direction of a stream stands, or notes its end.
    private mutating func keepPlace(
        _ place: Place, of stream: UInt64, ends: Bool, by party: JournalEvent.Party,
        _ note: (consuming FrameNote) -> Void
    ) {
        if ends {
            if party == .server { ours[stream] = nil }
            let offset =
                switch place {
                case .between(let offset, _), .unframed(let offset): offset
                case .within(let reading): reading.reader.offset
                }
            note(.ofStream(stream, by: party, ends: true, at: offset))
        } else if party == .client {
            clients[stream] = place
        } else {
            ours[stream] = place
        }
    }

    private static func read(
        _ bytes: borrowing Span<UInt8>, from place: Place, on stream: UInt64, by party: JournalEvent.Party,
        _ note: (consuming FrameNote) -> Void
    ) -> Place {
        var position = 0
        var reading: Reading
        switch place {
        case .unframed: return place
        case .between(let offset, var dataCount):
            readWhole(bytes, &position, &dataCount) { type, byteCount, start in
                note(.ofFrame(type, by: party, on: stream, byteCount: byteCount, at: offset + start))
            }
            guard position < bytes.count else { return .between(offset: offset + position, dataCount: dataCount) }
            reading = Reading(
                kind: .frames,
                reader: HTTP3FrameReader(
                    offset: offset + position, maximumPayloadByteCount: payloadByteLimit, keepsSections: false),
                dataCount: dataCount)
        case .within(let former):
            reading = former
            reading.readType(bytes, &position) { note(.ofStream(stream, by: party, type: $0)) }
        }
        switch reading.kind {
        case .untyped, .unnumbered: return .within(reading)
        case .other: return .unframed(reading.reader.offset)
        case .frames: break
        }
        while let part = reading.reader.next(bytes, at: &position) {
            if let frame = reading.makeNote(part, on: stream, by: party) { note(frame) }
        }
        return reading.reader.isBetweenFrames
            ? .between(offset: reading.reader.offset, dataCount: reading.dataCount) : .within(reading)
    }

    /// Reads frames of DATA and HEADERS that stand whole in the bytes, up to the first other one, and tells those that are noted with
    /// where they begin.
    private static func readWhole(
        _ bytes: borrowing Span<UInt8>, _ position: inout Int, _ dataCount: inout Int,
        _ tell: (HTTP3FrameType, _ byteCount: Int, _ start: Int) -> Void
    ) {
        while position < bytes.count, bytes[position] <= 1 {
            let type: HTTP3FrameType = bytes[position] == 0 ? .data : .headers
            var end = position + 1
            guard let length = VariableInteger.read(bytes, at: &end), length <= UInt64(bytes.count - end) else {
                return
            }
            if type == .data { dataCount += 1 }
            if type != .data || dataCount <= FrameNote.dataEntryLimit { tell(type, Int(length), position) }
            position = end + Int(length)
        }
    }
}

extension HTTP3FrameLog.Reading {
    /// Reads the type of a unidirectional stream, and the number of a push.
    fileprivate mutating func readType(
        _ bytes: borrowing Span<UInt8>, _ position: inout Int, _ note: (HTTP3StreamType) -> Void
    ) {
        while position < bytes.count {
            var end = 0
            switch kind {
            case .untyped(var head):
                head.append(bytes[position])
                position += 1
                kind = .untyped(head)
                guard let number = VariableInteger.read(head, at: &end) else { continue }
                let type = HTTP3StreamType(rawValue: number)
                reader = HTTP3FrameReader(
                    offset: head.count, maximumPayloadByteCount: reader.maximumPayloadByteCount, keepsSections: false)
                kind = type == .control ? .frames : type == .push ? .unnumbered([]) : .other
                note(type)
            case .unnumbered(var head):
                head.append(bytes[position])
                position += 1
                kind = .unnumbered(head)
                guard VariableInteger.read(head, at: &end) != nil else { continue }
                reader = HTTP3FrameReader(
                    offset: reader.offset + head.count, maximumPayloadByteCount: reader.maximumPayloadByteCount,
                    keepsSections: false)
                kind = .frames
            case .frames, .other: return
            }
        }
    }

    fileprivate mutating func makeNote(
        _ part: HTTP3FrameReader.Part, on stream: UInt64, by party: JournalEvent.Party
    ) -> FrameNote? {
        let (type, count): (HTTP3FrameType, UInt64)
        var detail: FrameNote.Detail?
        switch part {
        case .content: return nil
        case .data(let byteCount):
            dataCount += 1
            guard dataCount <= FrameNote.dataEntryLimit else { return nil }
            (type, count) = (.data, byteCount)
        case .unknown(let unknown, let byteCount), .tooLong(let unknown, let byteCount):
            (type, count) = (unknown, byteCount)
        case .frame(let frame):
            (type, count) = (frame.type, UInt64(frame.payload.count))
            detail = HTTP3FrameContent(frame).flatMap { FrameNote.Detail($0) }
        }
        return .ofFrame(
            type, by: party, on: stream, byteCount: Int(clamping: count), at: reader.frameOffset, detail)
    }
}

extension FrameNote {
    fileprivate static func ofFrame(
        _ type: HTTP3FrameType, by party: JournalEvent.Party, on stream: UInt64, byteCount: Int, at offset: Int,
        _ detail: Detail? = nil
    ) -> FrameNote {
        let usual = detail == nil ? UsualNotes.ofSide(party).ofFrame(type) : nil
        return usual?.placed(on: UInt32(clamping: stream), byteCount: byteCount, at: offset)
            ?? FrameNote(
                by: party, type: type.noteName, stream: UInt32(clamping: stream), byteCount: byteCount, offset: offset,
                detail: detail, isOfHTTP3: true)
    }

    /// A unidirectional stream that was opened, or FIN.
    fileprivate static func ofStream(
        _ stream: UInt64, by party: JournalEvent.Party, type: HTTP3StreamType? = nil, ends: Bool = false,
        at offset: Int = 0
    ) -> FrameNote {
        let number = UInt32(clamping: stream)
        if type == nil, ends { return UsualNotes.ofSide(party).end.placed(on: number, byteCount: 0, at: offset) }
        return FrameNote(
            by: party, type: "STREAM", flags: ends ? ["FIN"] : [], stream: number, byteCount: 0, offset: offset,
            detail: type.map { .streamType($0.noteName) }, isOfHTTP3: true)
    }
}

/// The notes of the frames that each message has, by one side, of which others are copies.
private struct UsualNotes {
    let data, headers, end: FrameNote

    private static let ofClient = UsualNotes(.client)
    private static let ofServer = UsualNotes(.server)

    private init(_ party: JournalEvent.Party) {
        data = FrameNote(by: party, type: "DATA", byteCount: 0, offset: 0, isOfHTTP3: true)
        headers = FrameNote(by: party, type: "HEADERS", byteCount: 0, offset: 0, isOfHTTP3: true)
        end = FrameNote(by: party, type: "STREAM", flags: ["FIN"], byteCount: 0, offset: 0, isOfHTTP3: true)
    }

    static func ofSide(_ party: JournalEvent.Party) -> UsualNotes { party == .client ? ofClient : ofServer }

    func ofFrame(_ type: HTTP3FrameType) -> FrameNote? {
        switch type {
        case .data: data
        case .headers: headers
        default: nil
        }
    }
}

extension FrameNote.Detail {
    /// nil where the content has nothing to tell.
    fileprivate init?(_ content: HTTP3FrameContent) {
        switch content {
        case .headers, .priorityUpdate: return nil
        case .cancelPush(let id), .goAway(let id), .maxPushID(let id), .pushPromise(let id, _): self = .id(id)
        case .settings(let settings):
            self = .settings(
                settings.prefix(FrameNote.settingLimit).map { SettingNote($0.identifier.description, $0.value) })
        }
    }
}

extension HTTP3FrameType {
    /// IANA's name, or the number: `0x21`.
    fileprivate var noteName: String { Self.names[rawValue] ?? "0x\(String(rawValue, radix: 16))" }
}

extension HTTP3StreamType {
    fileprivate var noteName: String { description.dropping(prefix: "type ") ?? description }
}
