package import ProctorHTTP
internal import ProctorQUICWire

/// A frame that is sent or was received whole (RFC 9114 §7.1); it need not be lawful.
package struct HTTP3Frame: Sendable, Equatable {
    package var type: HTTP3FrameType
    package var payload: [UInt8]

    package init(_ type: HTTP3FrameType, _ payload: [UInt8] = []) {
        (self.type, self.payload) = (type, payload)
    }

    /// How the type and the length of a frame are written; nil is the shortest form, and the true length.
    package struct Form: Sendable, Equatable {
        /// In bytes: 1, 2, 4 or 8.
        package var typeWidth: Int?
        package var lengthWidth: Int?
        package var statedByteCount: UInt64?

        package init(typeWidth: Int? = nil, lengthWidth: Int? = nil, statedByteCount: UInt64? = nil) {
            (self.typeWidth, self.lengthWidth, self.statedByteCount) = (typeWidth, lengthWidth, statedByteCount)
        }
    }

    /// Appends the type, the length and the payload.
    package func write(_ form: Form = Form(), to bytes: inout [UInt8]) {
        VariableInteger.append(type.rawValue, width: form.typeWidth, to: &bytes)
        VariableInteger.append(form.statedByteCount ?? UInt64(payload.count), width: form.lengthWidth, to: &bytes)
        bytes += payload
    }

    /// The frame in its shortest form.
    var bytes: [UInt8] {
        var bytes: [UInt8] = []
        bytes.reserveCapacity(Self.mostHeadByteCount + payload.count)
        write(to: &bytes)
        return bytes
    }

    /// The type and the length of a DATA frame, before content of so many bytes.
    package static func dataHead(_ byteCount: Int) -> [UInt8] {
        var bytes: [UInt8] = []
        appendDataHead(byteCount, to: &bytes)
        return bytes
    }

    static func appendDataHead(_ byteCount: Int, to bytes: inout [UInt8]) {
        bytes.append(0)
        VariableInteger.append(UInt64(byteCount), to: &bytes)
    }

    /// The longest head of a frame whose type has two bytes at most: eight more for the length.
    static let mostHeadByteCount = 10

    package static func settings(_ settings: [HTTP3Setting]) -> HTTP3Frame {
        var payload: [UInt8] = []
        for setting in settings {
            VariableInteger.append(setting.identifier.rawValue, to: &payload)
            VariableInteger.append(setting.value, to: &payload)
        }
        return HTTP3Frame(.settings, payload)
    }

    /// GOAWAY, CANCEL_PUSH or MAX_PUSH_ID, whose payload is one integer.
    package static func number(_ type: HTTP3FrameType, _ number: UInt64) -> HTTP3Frame {
        var payload: [UInt8] = []
        VariableInteger.append(number, to: &payload)
        return HTTP3Frame(type, payload)
    }

    /// A frame whose payload is an integer and bytes: PUSH_PROMISE with a field section, PRIORITY_UPDATE with a value.
    package static func number(_ type: HTTP3FrameType, _ number: UInt64, then bytes: [UInt8]) -> HTTP3Frame {
        var frame = Self.number(type, number)
        frame.payload += bytes
        return frame
    }
}

/// The meaning of a frame's payload.
package enum HTTP3FrameContent: Sendable, Equatable {
    /// HEADERS, whose payload is an encoded field section.
    case headers
    case cancelPush(UInt64)
    case settings([HTTP3Setting])
    /// PUSH_PROMISE, whose field section begins at a place of the payload.
    case pushPromise(id: UInt64, section: Int)
    case goAway(UInt64)
    case maxPushID(UInt64)
    /// PRIORITY_UPDATE of a stream or of a push, whose priority field value begins at a place of the payload.
    case priorityUpdate(element: UInt64, isPush: Bool, value: Int)

    /// nil if the payload is shorter or longer than its fields (RFC 9114 §7.1), or if the type has no payload to read.
    package init?(_ frame: HTTP3Frame) {
        var position = 0
        func number() -> UInt64? { VariableInteger.read(frame.payload, at: &position) }
        switch frame.type {
        case .headers: self = .headers
        case .settings:
            var settings: [HTTP3Setting] = []
            while position < frame.payload.count {
                guard let identifier = number(), let value = number() else { return nil }
                settings.append(HTTP3Setting(HTTP3SettingIdentifier(rawValue: identifier), value))
            }
            self = .settings(settings)
        case .pushPromise:
            guard let id = number() else { return nil }
            self = .pushPromise(id: id, section: position)
        case .priorityUpdate, .pushPriorityUpdate:
            guard let element = number() else { return nil }
            self = .priorityUpdate(element: element, isPush: frame.type == .pushPriorityUpdate, value: position)
        case .cancelPush, .goAway, .maxPushID:
            guard let value = number(), position == frame.payload.count else { return nil }
            self =
                frame.type == .goAway
                ? .goAway(value) : frame.type == .maxPushID ? .maxPushID(value) : .cancelPush(value)
        default: return nil
        }
    }
}
