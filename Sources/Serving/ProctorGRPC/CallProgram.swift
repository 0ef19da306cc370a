internal import ProctorBase
internal import ProctorHTTP
internal import ProctorJournal
internal import ProctorProtobuf
internal import ProctorReplies
internal import ProctorScenario

struct CallField: Sendable {
    let name: [UInt8]
    let value: [UInt8]
}

/// A step of a call.
indirect enum CallStep: Sendable {
    /// Sends the head where it is not sent yet, as each message does.
    case head
    /// A message behind its flags and length.
    case write([UInt8])
    case effect(Effect.Action)
    /// Waits for the client's next message, which the pattern must match.
    case read(JSONPattern?, SourceLocation)
    /// Waits for the end of the client's messages, of which there is no further one.
    case readEnd(SourceLocation)
    /// Reads all messages; of a unary call there is one.
    case readAll
    /// Reads each further message to the last one, and does these steps behind it.
    case each([CallStep])
    /// Answers a message of gRPC's reflection.
    case reflect(Reflection)

    var endsCall: Bool {
        if case .effect(let action) = self { action.row.isLast || action.row.ends.cutsReply() } else { false }
    }

    fileprivate var reads: Bool {
        switch self {
        case .read, .readEnd, .each: true
        case .head, .write, .effect, .readAll, .reflect: false
        }
    }
}

/// What a reply with `grpc:` does; the same for all calls.
final class CallProgram: ReplyProgram {
    let calls: DescribedCalls?
    /// nil: of the reflection service, whose messages are not in the descriptor.
    let method: ServiceType.Method?
    let steps: [CallStep]
    let status: CallStatus
    let headers: [CallField]
    let trailers: [CallField]
    let keepsDeadline: Bool
    let location: SourceLocation

    /// Whether its steps read the messages as they come, so that nothing reads them before.
    var readsContent: Bool { steps.contains(where: \.reads) }

    init(
        calls: DescribedCalls, method: ServiceType.Method, steps: [CallStep], status: CallStatus, headers: [CallField],
        trailers: [CallField], keepsDeadline: Bool, at location: SourceLocation
    ) {
        (self.calls, self.method, self.steps, self.status) = (calls, method, steps, status)
        (self.headers, self.trailers, self.keepsDeadline, self.location) = (headers, trailers, keepsDeadline, location)
    }

    init(reflection: Reflection, at location: SourceLocation) {
        (calls, method, steps, status) = (nil, nil, [.each([.reflect(reflection)])], .ok)
        (headers, trailers, keepsDeadline, self.location) = ([], [], true, location)
    }

    func reply(to request: consuming ScriptRequest) -> ScriptedReply { CallInProgress(self, request).advance() }
}

/// One call; on its loop's thread only.
private final class CallInProgress: ReplyCall {
    private let program: CallProgram
    private let log: RequestLog?
    /// Nanoseconds of ``MonotonicClock``; nil: the call has no deadline.
    private let deadline: UInt64?
    /// What came and was not read as a message.
    private var input: [UInt8] = []
    /// The first byte of it that was not read.
    private var start = 0
    private var isInputOver = false
    private var hasHead = false
    private var messageCount = 0
    /// Messages that were read and written since others had their turn.
    private var stretchCount = 0
    private var last: [UInt8] = []
    /// The steps that are under way, the innermost last.
    private var places: [Place]
    /// What the step that is waited for does.
    private var waiting = Waiting.effect

    private struct Place {
        let steps: [CallStep]
        var next = 0
    }

    private enum Waiting { case effect, content, deadline, end }

    init(_ program: CallProgram, _ request: consuming ScriptRequest) {
        self.program = program
        log = request.log
        places = [Place(steps: program.steps)]
        let timeout = request.view.head.fields.first(named: "grpc-timeout").flatMap { Self.nanoseconds(Array($0)) }
        deadline =
            program.keepsDeadline
            ? timeout.map { MonotonicClock.nanoseconds.addingReportingOverflow($0).partialValue } : nil
    }

    /// The nanoseconds of a grpc-timeout: at most 8 digits and a unit; nil for other text.
    private static func nanoseconds(_ text: [UInt8]) -> UInt64? {
        let units: [UInt8: UInt64] = [
            UInt8(ascii: "H"): 3_600_000_000_000, UInt8(ascii: "M"): 60_000_000_000, UInt8(ascii: "S"): 1_000_000_000,
            UInt8(ascii: "m"): 1_000_000, UInt8(ascii: "u"): 1_000, UInt8(ascii: "n"): 1,
        ]
        guard 2...9 ~= text.count, let unit = text.last.flatMap({ units[$0] }),
            text.dropLast().allSatisfy(\.isASCIIDigit)
        else { return nil }
        return text.dropLast().reduce(0) { $0 * 10 + UInt64($1 &- 0x30) } * unit
    }

    func abandon() {}

    func resume(with result: StepResult) -> ScriptedReply {
        switch waiting {
        case .effect: return advance()
        case .end: return .nothing
        case .deadline: return finish(CallStatus(code: .deadlineExceeded, message: "the deadline of the call is over"))
        case .content:
            guard case .bytes(let bytes) = result else {
                isInputOver = true
                return advance()
            }
            input.removeFirst(start)
            start = 0
            input += bytes
            return advance()
        }
    }

    func advance() -> ScriptedReply {
        do throws(CallFault) {
            while let place = places.last {
                if stretchCount >= Self.stretchBound {
                    stretchCount = 0
                    waiting = .effect
                    return .step(.pause, self)
                }
                guard place.next < place.steps.count else {
                    places.removeLast()
                    continue
                }
                if let step = try perform(place.steps[place.next]) { return step }
            }
            return finish(program.status)
        } catch {
            return fail(error)
        }
    }

    private func passStep() { places[places.count - 1].next += 1 }

    /// What the step waits for; nil where it is done.
    private func perform(_ step: CallStep) throws(CallFault) -> ScriptedReply? {
        switch step {
        case .head:
            passStep()
            return hasHead ? nil : send(head())
        case .write(let message):
            passStep()
            stretchCount += 1
            return send(head() + chunk(message))
        case .effect(let action):
            passStep()
            return playEffect(action)
        case .read(let pattern, let location):
            guard let message = try nextMessage() else {
                guard isInputOver else { return readContent() }
                throw CallFault("message \(messageCount + 1)", "the client ended its messages", location)
            }
            passStep()
            try check(message, pattern, location)
            return nil
        case .readEnd(let location):
            if let message = try nextMessage() {
                try check(message, nil, location)
                throw CallFault("message \(messageCount)", "the client was to end its messages", location)
            }
            guard isInputOver else { return readContent() }
            passStep()
            return nil
        case .readAll:
            if let message = try nextMessage() {
                try check(message, nil, program.location)
                return nil
            }
            guard isInputOver else { return readContent() }
            passStep()
            guard program.method?.clientStreams == false, messageCount != 1 else { return nil }
            throw CallFault("messages", "the call has one, found \(messageCount)", program.location)
        case .each(let steps):
            guard let message = try nextMessage() else {
                guard isInputOver else { return readContent() }
                passStep()
                return nil
            }
            try check(message, nil, program.location)
            places.append(Place(steps: steps))
            return nil
        case .reflect(let reflection):
            passStep()
            do throws(LineFault) {
                return send(head() + chunk(FramedMessages.framed(try reflection.response(to: last))))
            } catch {
                throw CallFault("message \(messageCount)", error.sentence, program.location)
            }
        }
    }

    // MARK: The client's messages

    private func readContent() -> ScriptedReply {
        waiting = .content
        return .step(.read(Self.pieceByteCount), self)
    }

    private static let pieceByteCount = 64 << 10
    /// Messages behind which others have their turn; a piece may have 13,107.
    private static let stretchBound = 256

    /// The next whole message; nil where it has not come.
    private func nextMessage() throws(CallFault) -> [UInt8]? {
        do throws(LineFault) {
            guard let message = try FramedMessages.message(in: input[start...]) else {
                guard isInputOver, start < input.count else { return nil }
                throw LineFault(0, "it is cut: \(input.count - start) bytes of it are there")
            }
            start += message.byteCount
            messageCount += 1
            stretchCount += 1
            last = message.content
            return message.content
        } catch {
            throw CallFault("message \(messageCount + 1)", error.sentence, program.location, code: .internal)
        }
    }

    /// Holds a message against the descriptor and a pattern.
    private func check(_ message: [UInt8], _ pattern: JSONPattern?, _ location: SourceLocation) throws(CallFault) {
        guard let calls = program.calls, let method = program.method else { return }
        let part = "message \(messageCount)"
        let document: JSONDocument
        do throws(LineFault) {
            let json = try ProtobufReader.json(of: message, as: method.input, in: calls.descriptors)
            guard pattern != nil else { return }
            document = try JSONDocument(parsing: json)
        } catch {
            throw CallFault(
                part, "it is no \(method.input): \(error.sentence), at its byte \(error.offset)", location,
                code: .internal)
        }
        guard let pattern else { return }
        var matcher = JSONMatcher(document, within: WorkBudget(stepLimit: Self.stepLimit))
        guard matcher.verdict(pattern) != .holds else { return }
        let difference = matcher.agreement(with: pattern, isTold: true).differences.first ?? matcher.difference(pattern)
        throw CallFault(
            part, "wanted \(difference?.wanted ?? pattern.wanted), got \(difference?.got ?? "another message")",
            location,
            pointer: difference?.pointer ?? "")
    }

    /// The connection's loop waits for a comparison.
    private static let stepLimit = 200_000

    // MARK: Sending

    private func send(_ bytes: [UInt8]) -> ScriptedReply {
        waiting = .effect
        return .step(.effect(.send(.literal(bytes))), self)
    }

    /// In the bytes of HTTP/1.1, as the steps of all replies are; nothing where it was sent.
    private func head() -> [UInt8] {
        guard !hasHead else { return [] }
        hasHead = true
        let type = CallField(name: Array("content-type".utf8), value: Array("application/grpc".utf8))
        let own = program.headers.contains { $0.name.map(\.asciiLowercased).elementsEqual("content-type".utf8) }
        let framing = CallField(name: Array("transfer-encoding".utf8), value: Array("chunked".utf8))
        return Array("HTTP/1.1 200 OK\r\n".utf8) + lines((own ? [] : [type]) + [framing] + program.headers)
    }

    private func lines(_ fields: [CallField]) -> [UInt8] {
        fields.flatMap { $0.name + [0x3A, 0x20] + $0.value + [0x0D, 0x0A] } + [0x0D, 0x0A]
    }

    private func chunk(_ bytes: [UInt8]) -> [UInt8] {
        Array("\(String(bytes.count, radix: 16))\r\n".utf8) + bytes + [0x0D, 0x0A]
    }

    /// A wait ends with the deadline of the call.
    private func playEffect(_ action: Effect.Action) -> ScriptedReply {
        waiting = .effect
        guard let deadline, case .wait(let duration) = action else { return .step(.effect(action), self) }
        let now = MonotonicClock.nanoseconds
        let left = deadline > now ? deadline - now : 0
        guard UInt64(clamping: duration.wholeNanoseconds) >= left else { return .step(.effect(action), self) }
        waiting = .deadline
        return .step(.effect(.wait(.nanoseconds(Int64(clamping: left)))), self)
    }

    private func finish(_ status: CallStatus) -> ScriptedReply {
        waiting = .end
        let fields = status.fields.map { CallField(name: Array($0.name.utf8), value: $0.value) }
        return .step(.effect(.send(.literal(head() + Array("0\r\n".utf8) + lines(fields + program.trailers)))), self)
    }

    /// Notes what the client did otherwise than the fixture says, and ends the call.
    private func fail(_ fault: CallFault) -> ScriptedReply {
        let method = program.method.map { "\($0.input)" } ?? "ServerReflectionRequest"
        let note = DescriptionNote.Fault(
            part: fault.part, pointer: fault.pointer, schemaPointer: method, place: fault.location.description,
            sentence: fault.sentence)
        log?.append(.described(DescriptionNote(.request, operation: program.method?.name, faults: [note], open: [])))
        places = []
        let place = fault.pointer.isEmpty ? "" : " \(fault.pointer)"
        return finish(CallStatus(code: fault.code, message: "\(fault.part)\(place): \(fault.sentence)"))
    }
}

/// What a client did otherwise than the fixture says.
private struct CallFault: Error {
    let part: String
    let sentence: String
    let location: SourceLocation
    let pointer: String
    let code: CallStatus.Code

    init(
        _ part: String, _ sentence: String, _ location: SourceLocation, pointer: String = "",
        code: CallStatus.Code = .invalidArgument
    ) {
        (self.part, self.sentence, self.location, self.pointer, self.code) = (part, sentence, location, pointer, code)
    }
}
