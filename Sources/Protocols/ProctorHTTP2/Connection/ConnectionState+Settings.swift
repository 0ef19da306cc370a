internal import ProctorBase
internal import ProctorHTTP

/// SETTINGS and windows (RFC 9113 §6.5, §6.9).
extension ConnectionState {
    mutating func applySettings(_ settings: [Setting], _ frame: ReadFrame, _ events: inout [ConnectionEvent]) {
        if frame.frame.isAck {
            acknowledge(frame, &events)
            return
        }
        spend(\.settings, bounds.settings, .settingsFlood, frame, &events)
        for setting in settings where setting.violation == nil { check(setting, frame, &events) }
        hasPeersSettings = true
        events.append(.settings(settings))
    }

    private mutating func check(_ setting: Setting, _ frame: ReadFrame, _ events: inout [ConnectionEvent]) {
        let before = peers
        peers.apply(setting)
        switch setting.identifier {
        case .enablePush where role == .client && setting.value == 1:
            report(.badEnablePush, in: frame, detail: "\(setting) of a server", &events)
        case .enableConnectProtocol where before.enableConnectProtocol && setting.value == 0:
            report(.connectProtocolTakenBack, in: frame, &events)
        case .noRFC7540Priorities where hasPeersSettings && before.noRFC7540Priorities != peers.noRFC7540Priorities:
            report(.noPrioritiesChanged, in: frame, &events)
        case .initialWindowSize:
            var isTooLarge = false
            for stream in streams.keys {
                let isMoved = streams.change(stream) {
                    $0.sendWindow.move(from: before.initialWindowSize, to: setting.value)
                }
                if isMoved == false { isTooLarge = true }
            }
            if isTooLarge { report(.windowTooLargeBySettings, in: frame, detail: "\(setting)", &events) }
        default: break
        }
    }

    /// Called when the peer has acknowledged our oldest SETTINGS, to which it keeps from here on.
    private mutating func acknowledge(_ frame: ReadFrame, _ events: inout [ConnectionEvent]) {
        guard !unacknowledged.isEmpty else {
            report(.unexpectedSettingsAck, in: frame, &events)
            return
        }
        for setting in unacknowledged.removeFirst() {
            let before = ours.initialWindowSize
            ours.apply(setting)
            guard setting.violation == nil else { continue }
            switch setting.identifier {
            case .headerTableSize: decoder.allowTable(ofByteCount: setting.value)
            case .initialWindowSize:
                for stream in streams.keys {
                    _ = streams.change(stream) { $0.receiveWindow.move(from: before, to: setting.value) }
                }
            default: break
            }
        }
        events.append(.settingsAcknowledged)
    }

    mutating func windowUpdate(_ increment: UInt32, _ frame: ReadFrame, _ events: inout [ConnectionEvent]) {
        let stream = frame.frame.stream
        if increment < bounds.smallIncrement {
            spend(\.windowUpdates, bounds.windowUpdates, .windowUpdateFlood, frame, &events)
        }
        if stream == 0 {
            if !sendWindow.grow(increment) {
                report(.windowTooLarge, .connection, in: frame, detail: "\(sendWindow.size) + \(increment)", &events)
            }
        } else if isIdle(stream) {
            report(.frameOnIdleStream, in: frame, &events)
            return
        } else if let state = streams[stream] {
            if state.receiving == .reserved { report(.frameOnReservedStream, in: frame, &events) }
            if streams.change(stream, { $0.sendWindow.grow(increment) }) == false {
                report(.windowTooLarge, in: frame, detail: "\(state.sendWindow.size) + \(increment)", &events)
            }
        } else {
            // The peer may have sent it before it knew that the stream was closed (§5.1).
            return
        }
        events.append(.window(stream: stream, increment: increment))
    }
}
