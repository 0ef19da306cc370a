internal import ProctorHTTP
internal import ProctorHTTP3

/// What a client with a deliberate fault over HTTP/3 sends besides or instead.
extension StreamFault {
    /// Bytes on the control stream in place of SETTINGS; nil: SETTINGS.
    func preface(in settings: [HTTP3Setting]) -> [UInt8]? {
        let frames: [HTTP3Frame]
        switch self {
        // The number of a type that is reserved, so that it means nothing (RFC 9114 §7.2.8).
        case .noSettings: frames = [HTTP3Frame(HTTP3FrameType(rawValue: 0x21))]
        case .settingsTwice: frames = [.settings(settings), .settings(settings)]
        // SETTINGS_MAX_CONCURRENT_STREAMS of HTTP/2.
        case .settingOfHTTP2:
            frames = [.settings(settings + [HTTP3Setting(HTTP3SettingIdentifier(rawValue: 3), 100)])]
        case .settingTwice: frames = [.settings(settings + settings.prefix(1))]
        default: return nil
        }
        return frames.reduce(into: []) { $1.write(to: &$0) }
    }

    /// What goes out behind SETTINGS.
    func open(_ session: HTTP3Session) {
        func send(_ frames: HTTP3Frame...) {
            _ = session.send(frames.reduce(into: []) { $1.write(to: &$0) }, onStreamOf: .control)
        }
        switch self {
        case .controlTwice: _ = session.send([], onStreamOf: .control, isNew: true)
        case .endsControl: _ = session.send([], onStreamOf: .control, ends: true)
        case .dataOnControl: send(HTTP3Frame(.data, Array("content".utf8)))
        // PING.
        case .frameOfHTTP2: send(HTTP3Frame(HTTP3FrameType(rawValue: 6), [UInt8](repeating: 0, count: 8)))
        case .lowersMaxPushID: send(.number(.maxPushID, 5), .number(.maxPushID, 3))
        case .cancelsUnknownPush: send(.number(.cancelPush, 7))
        case .raisesGoAway: send(.number(.goAway, 0), .number(.goAway, 4))
        case .pushStream: _ = session.send([0], onStreamOf: .push)
        case .incrementOfZero: _ = session.send([0], onStreamOf: .decoder)
        // 1 MiB as an integer behind three bits.
        case .tableTooLarge: _ = session.send([0x3F, 0xE1, 0xFF, 0x3F], onStreamOf: .encoder)
        default: break
        }
    }

    /// What goes out on the stream of a request before its head.
    func sendBeforeHead(on stream: UInt64, _ session: HTTP3Session) {
        switch self {
        case .dataFirst: session.sendContent([0x78], on: stream)
        case .settingsOnRequest: send(.settings([]), on: stream, session)
        case .unknownReference:
            var section = RawSection()
            section.append(.indexed(.ofStatic(99)))
            send(HTTP3Frame(.headers, section.bytes), on: stream, session)
        default: break
        }
    }

    /// Whether something goes out behind the head of a request without content.
    var sendsBehindHead: Bool { self == .cutsFrame || self == .behindTrailers }

    /// What goes out there, with the end of the request.
    func sendBehindHead(on stream: UInt64, _ session: HTTP3Session) {
        switch self {
        case .cutsFrame: session.carrier.send(HTTP3Frame.dataHead(10) + [0x78], on: stream, ends: true)
        case .behindTrailers:
            session.sendFields([HeaderField("x-first", "1")], on: stream)
            session.sendFields([HeaderField("x-second", "2")], on: stream, ends: true)
            session.sendInstructions()
        default: break
        }
    }

    private func send(_ frame: HTTP3Frame, on stream: UInt64, _ session: HTTP3Session) {
        var bytes: [UInt8] = []
        frame.write(to: &bytes)
        session.carrier.send(bytes, on: stream, ends: false)
    }
}

extension StreamFault? {
    /// The code with which a violation of the server is answered; nil: it is overlooked.
    func code(of violation: HTTP3Violation) -> HTTP3Code? {
        switch self {
        case .uncheckedLength where violation.kind == .contentLengthDiffers: nil
        case .deliversMalformed where violation.scope == .stream && violation.kind != .contentLengthDiffers: nil
        case .takesCutFrames where violation.kind == .frameCut: nil
        // A field section that can't be decoded can't be used.
        case .goesOnAfterErrors where violation.scope == .connection && violation.kind != .decompressionFailed: nil
        case .takesAnyPush where violation.kind == .pushNotPermitted: nil
        case .closesWithoutError where violation.scope == .connection: .noError
        default: violation.code
        }
    }
}
