public import ProctorEvents

/// A universal rule of callback order: its text for people, and its monitors.
public struct Rule: Sendable {
    /// The number that findings and ledgers use.
    public let number: RuleNumber
    /// The rule in a few words.
    public let title: String
    /// What must hold, in one or two sentences.
    public let statement: String
    /// The document or code that the rule comes from.
    public let source: String
    /// How strong the source is.
    public let confidence: Confidence
    /// The families that the rule applies to.
    public let families: [CallbackFamily]
    /// Why a trace cannot decide the rule, or what is needed besides a trace; nil when a trace alone decides.
    public let limits: String?
    /// A legal trace in the notation, as an example for people.
    public let legal: String
    /// An illegal trace in the notation, as an example for people.
    public let illegal: String
    /// Whether the rule also breaks where an event is missing from the trace, or a sum leaves one out.
    ///
    /// In a trace with gaps such a hit is an observation; the grammars refuse wrong orders of its events too.
    let breaksByMissingEvents: Bool
    /// The kind of question whose answers the rule judges, which needs a trace with answers; nil where it judges none.
    let judgesAnswersTo: EventName?
    /// What a trace must have besides the events, so that the rule can be decided; see ``Evidence``.
    let needs: Set<Evidence>
    /// Rules that can break because this one did; then only this one is reported.
    let explains: [Consequence]
    let monitors: [Monitor]

    /// How well a rule is supported.
    public enum Confidence: String, Sendable {
        /// Apple's documentation or a header comment says it.
        case documented
        /// Sample code shows it, or several loaders implement it alike.
        case sample
        /// Our own conclusion: an observation unless a platform makes it a failure.
        case inferred
    }

    enum Monitor: Sendable {
        /// For each load of some families; nil means all families of the rule.
        case load(any RuleMonitor.Type, in: Set<CallbackFamily>? = nil)
        case trace(any TraceMonitor.Type)
    }
}

extension Rule {
    fileprivate init(_ number: RuleNumber, _ texts: ChapterTexts, _ monitors: [Monitor]) {
        (self.number, self.monitors) = (number, monitors)
        (title, statement, source) = (texts.text("title"), texts.text("statement"), texts.text("source"))
        (legal, illegal, limits) = (texts.text("legal"), texts.text("illegal"), texts["limits"])
        confidence = texts.word("confidence", Confidence.init(rawValue:))
        families = texts.words("families", CallbackFamily.init(rawValue:))
        breaksByMissingEvents = texts["breaks by missing events"] != nil
        judgesAnswersTo = texts.words("judges answers to", EventName.init(rawValue:)).first
        needs = Set(texts.words("needs", Evidence.init(rawValue:)))
        explains = Consequence.Place.allCases.flatMap { place in
            texts.words("explains \(place.rawValue)", RuleNumber.init(parsing:)).map {
                Consequence(rule: $0, place: place)
            }
        }
    }
}

/// What a breach of a rule counts.
public enum RuleWeight: String, Sendable, CaseIterable {
    /// The client deviates.
    case failure
    /// Reported, without effect on the verdict.
    case observation
    /// The test's own code is wrong (R53), not the client.
    case harnessFault
}

/// A place where a trace breaks a rule.
public struct RuleHit: Sendable, Equatable {
    /// The rule that is broken.
    public let rule: RuleNumber
    /// The weight, with the platform's changes.
    public let weight: RuleWeight
    /// The lane of the breach.
    public let lane: LaneID
    /// The sequence of the event; nil at the end of the trace.
    public let sequence: Int?
    /// The event; nil at the end of the trace.
    public let event: TraceEventSymbol?
    /// What came and what the rule requires, in one sentence.
    public let sentence: String
}

/// The universal rules of callback order.
public enum Rules {
    /// All rules by number: the chapters of `callback-rules.txt`.
    public static let all: [Rule] = ChapterTexts.all(of: "callback-rules", joinedBy: " ").map { texts in
        guard let number = RuleNumber(parsing: texts.name), let monitors = monitors[number.value] else {
            preconditionFailure("callback-rules.txt: \(texts.name) is no rule that has monitors")
        }
        return Rule(number, texts, monitors)
    }

    /// What watches for each rule, by its number; each in a file of its own.
    private static let monitors: [Int: [Rule.Monitor]] = [
        1: [.load(R1ThreePhases.self)],
        2: [.load(R2SuccessNeedsResponse.self)],
        3: [.load(R3RedirectsFirst.self)],
        4: [.load(R4FollowedRedirect.self)],
        5: [.load(R5RefusedRedirect.self)],
        6: [.load(R6CancelInRedirect.self)],
        7: [.load(R7Canonicalization.self)],
        8: [.load(R8SilenceInRedirect.self)],
        9: [.load(R9BoundedRedirects.self)],
        10: [.load(R10OneChallengeAtATime.self)],
        11: [.load(R11WithdrawBeforeFailing.self)],
        12: [.load(R12ChallengeInsteadOfResponse.self)],
        13: [.load(R13AbandonedChallenge.self)],
        14: [.load(R14CancelledChallenge.self)],
        15: [.load(R15RejectMovesOn.self)],
        16: [.load(R16NoHeaderNoChallenge.self)],
        17: [.load(R17FailureCount.self)],
        18: [.load(R18TLSFirst.self), .trace(R18Routing.self)],
        19: [.load(R19LegacyQuestions.self)],
        20: [.load(R20ForwardedChallenges.self)],
        21: [.load(R21FirstStream.self)],
        22: [.load(R22NewStream.self)],
        23: [.load(R23UploadArithmetic.self)],
        24: [.trace(R24NoBodyForProtocols.self)],
        25: [.load(R25DataAfterResponse.self)],
        26: [.load(R26RepeatedResponse.self)],
        27: [.load(R27InterimIsNotFinal.self)],
        28: [.load(R28ProgressUntilDisposition.self), .load(R28SilenceUntilDisposition.self)],
        29: [.load(R29DispositionTakesEffect.self)],
        30: [.load(R30EachByteOnce.self)],
        31: [.load(R31NoBodyNoData.self)],
        32: [.load(R32WillCache.self)],
        33: [.load(R33CachedAnswer.self, in: [.urlProtocol])],
        34: [.load(R34ProgressArithmetic.self)],
        35: [.load(R35FileReadyOnce.self)],
        36: [.load(R36ResumptionFirst.self)],
        37: [.load(R37EntityFirst.self), .load(R37LegacyDownloadOrder.self)],
        38: [.load(R38ResumeDataCancel.self)],
        39: [.load(R39OneTerminal.self)],
        40: [.load(R40SilenceAfterEnd.self)],
        41: [.load(R41MetricsOnce.self)],
        42: [
            .load(R42CancelledBeforeResume.self, in: [.sessionData, .sessionDownload, .webSocket]),
            .load(R42LegacyCancel.self, in: [.connection, .connectionDownload, .download]),
        ],
        43: [.trace(R43SessionEnd.self)],
        44: [.load(R44StatusIsNoError.self)],
        45: [.load(R45Liveness.self)],
        46: [.trace(R46DelegateQueue.self)],
        47: [.load(R47LegacyThread.self)],
        48: [.load(R48ClientThread.self), .load(R48RunningLoop.self)],
        49: [.load(R49StopBeforeDeinit.self)],
        50: [.load(R50SilenceAfterStop.self)],
        51: [.load(R51FollowedRedirect.self)],
        52: [.trace(R52CanonicalForm.self)],
        53: [.load(R53AnsweredOnce.self)],
        54: [.load(R54HandlerTask.self)],
        55: [.load(R55DelegateRouting.self)],
        56: [.load(R56EarlyEvents.self)],
        57: [.load(R57WebSocketOrder.self)],
        58: [.load(R58StreamOrder.self), .load(R58StreamsCapturedLast.self)],
        59: [.load(R59DecodingIsAskedByType.self)],
        60: [.trace(R60DeclinedClass.self)],
        61: [.trace(R61ObjectsGo.self)],
        62: [.load(R62NothingButTheResult.self)],
        63: [.load(R63NamedQueue.self)],
        64: [.load(R64ErrorExcludes.self)],
        65: [.trace(R65DelegateRelease.self)],
        66: [.trace(R66BackgroundEvents.self)],
        67: [.load(R67OneOpening.self)],
        68: [.load(R68EventsOfAnOpenStream.self)],
        69: [.load(R69ErrorBeforeReconnecting.self)],
        70: [.load(R70SilenceOfTheClosed.self)],
        71: [.load(R71HeadFirst.self)],
        72: [.load(R72TrailersLast.self)],
        73: [.load(R73OneEndOfASequence.self)],
        74: [.load(R74SilenceBehindCancel.self)],
        75: [.load(R75TaskThatReads.self)],
    ]

    package static let numbers: ClosedRange<Int> = (monitors.keys.min() ?? 0)...(monitors.keys.max() ?? 0)

    /// As messages say it, like `R1 to R75`.
    package static let span = "R\(numbers.lowerBound) to R\(numbers.upperBound)"

    /// The rule of that number; nil where there is none.
    public static func rule(_ number: RuleNumber) -> Rule? { byNumber[number] }

    private static let byNumber = Dictionary(uniqueKeysWithValues: all.map { ($0.number, $0) })

    static let loadMonitors: [LoadMonitor] = all.flatMap { rule in
        rule.monitors.compactMap { monitor in
            guard case .load(let type, let families) = monitor else { return nil }
            return LoadMonitor(rule: rule.number, type: type, families: families ?? Set(rule.families))
        }
    }
    static let traceMonitors: [any TraceMonitor.Type] = all.flatMap(\.monitors).compactMap { monitor in
        if case .trace(let type) = monitor { type } else { nil }
    }
}

struct LoadMonitor {
    let rule: RuleNumber
    let type: any RuleMonitor.Type
    let families: Set<CallbackFamily>
}

extension RuleNumber {
    /// `R12 a challenge instead of the response`; the number alone for an unknown rule.
    package var titled: String { Rules.rule(self).map { "\(self) \($0.title)" } ?? "\(self)" }
}
