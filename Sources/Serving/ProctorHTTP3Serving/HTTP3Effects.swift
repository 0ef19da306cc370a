internal import ProctorHTTP
internal import ProctorHTTP3
internal import ProctorJournal
internal import ProctorQUICLink
internal import ProctorReplies
internal import ProctorScenario
internal import ProctorServing

extension HTTP3Connection {
    /// Plays an effect of frames in the reply of a stream; returns the bytes that were queued on that stream.
    ///
    /// Throws where the effect ends the stream, and for what HTTP/3 has not.
    func perform(_ action: FrameAction, on stream: MultiplexedStream) throws(ConnectionEnd) -> Int {
        defer { flush() }
        switch action {
        case .resetStream(let code, .this):
            reset(stream, HTTP3Code(code))
            throw .streamEnded
        case .resetStream(let code, let place): reset(try number(of: place, on: stream), code: HTTP3Code(code).rawValue)
        case .stopSending(let code, .this):
            stream.isStopped = true
            stop(stream.number, code: HTTP3Code(code).rawValue)
        case .stopSending(let code, let place):
            guard case .critical(let type) = place, let number = session?.state.criticalStream(type) else {
                throw .unanswerable("its effect stops a stream that the client has not opened")
            }
            stop(number, code: HTTP3Code(code).rawValue)
        case .goAway(_, let last): goAway(last, behind: stream.number)
        case .closeConnection(let code, let isOfTransport):
            let code = isOfTransport ? code.rawValue : HTTP3Code(code).rawValue
            endConnection(by: isOfTransport ? .transport(code) : .application(code), .closed)
            throw .serverEnded(.closed)
        case .frame(let template): return try sendTemplate(template, on: stream)
        case .bytes(let bytes):
            guard session?.send(bytes.bytes, onStreamOf: bytes.type, isNew: bytes.isNew, ends: bytes.ends) != false
            else {
                throw .unanswerable("its effect opens a stream, and the client permits no more unidirectional ones")
            }
        case .settings, .ping, .window, .push, .pad, .continuation:
            throw .unanswerable("its effect does what HTTP/3 has not")
        }
        return 0
    }

    /// The id of a stream on which the server sends.
    private func number(of place: FrameTemplate.Stream, on stream: MultiplexedStream) throws(ConnectionEnd) -> UInt64 {
        let type: HTTP3StreamType
        switch place {
        case .this: return stream.number
        case .number(let number): return UInt64(number)
        case .idle: throw .unanswerable("its effect sends on a stream that a client of HTTP/3 has not opened")
        case .connection: type = .control
        case .critical(let critical): type = critical
        }
        if let number = session?.ownStream(type) { return number }
        throw .unanswerable("its effect sends on the \(type) stream, which the origin has not opened")
    }

    private func sendTemplate(_ template: FrameTemplate, on stream: MultiplexedStream) throws(ConnectionEnd) -> Int {
        guard let type = template.type.http3 else {
            throw .unanswerable("its effect sends \(template.type.text), which HTTP/3 has not")
        }
        let number = try number(of: template.stream, on: stream)
        let ends = template.endsStream
        var bytes: [UInt8] = []
        let frame: HTTP3Frame
        switch template.content {
        case .payload(let payload): frame = HTTP3Frame(type, payload)
        case .fields(let fields, let promised):
            let section =
                session?.encode(fields.map { HeaderField($0.name, $0.value.literalBytes ?? []) }, on: number) ?? []
            frame = promised.map { .number(type, UInt64($0), then: section) } ?? HTTP3Frame(type, section)
        }
        frame.write(HTTP3Frame.Form(statedByteCount: template.statedByteCount.map { UInt64($0) }), to: &bytes)
        send(bytes, on: number, ends: ends)
        session?.sendInstructions()
        if ends, number == stream.number { stream.didSendEnd() }
        return number == stream.number ? bytes.count : 0
    }
}

extension Endpoint {
    /// What the fixture says of its end of HTTP/3.
    var http3Behaviour: HTTP3Behaviour {
        guard case .origin(let stage, let origin) = self else { return HTTP3Behaviour() }
        return stage.scenario.origins[origin].http3
    }
}

extension HTTP3Behaviour {
    /// The parameters of its SETTINGS.
    var allSettings: [HTTP3Setting] {
        // Without the decoder's stream nothing acknowledges sections that use a table (RFC 9204 §4.4).
        let isWithoutTable = !streams.contains(.decoder)
        let usual = HTTP3Session.usualSettings.map { setting in
            isWithoutTable && setting.identifier != .maxFieldSectionSize ? HTTP3Setting(setting.identifier, 0) : setting
        }
        return usual.filter { usual in !settings.contains { $0.identifier == usual.identifier } } + settings
    }
}

extension HTTP3Code {
    fileprivate init(_ code: EndCode) {
        self =
            switch code {
            case .http2(let code): HTTP3Code(code)
            case .http3(let code): code
            case .number(let number): HTTP3Code(rawValue: number)
            }
    }
}

extension HTTP3Code {
    /// What means the same in HTTP/3 (RFC 9114 Appendix A.4).
    private init(_ code: ErrorCode) {
        self =
            switch code {
            case .noError: .noError
            case .protocolError: .messageError
            case .internalError: .internalError
            case .refusedStream: .requestRejected
            case .cancel: .requestCancelled
            case .connectError: .connectError
            case .enhanceYourCalm: .excessiveLoad
            case .http11Required: .versionFallback
            default: .generalProtocolError
            }
    }
}
