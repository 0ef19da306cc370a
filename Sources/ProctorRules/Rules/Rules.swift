public import ProctorEvents

/// The universal rules of callback order.
public enum Rules {
    /// By number; a rule is declared with its monitors in a file of its own and entered here.
    public static let all: [Rule] = [
        // Phases and redirects.
        r1, r2, r3, r4, r5, r6, r7, r8, r9,
        // Authentication.
        r10, r11, r12, r13, r14, r15, r16, r17, r18, r19, r20,
        // The request's body.
        r21, r22, r23, r24,
        // The response.
        r25, r26, r27, r28, r29, r30, r31, r32, r33,
        // Downloads.
        r34, r35, r36, r37, r38,
        // Ends.
        r39, r40, r41, r42, r43, r44, r45,
        // Threads, and objects of protocols.
        r46, r47, r48, r49, r50, r51, r52, r53,
        // What one interface alone has.
        r54, r55, r56, r57, r58,
    ]

    /// The lowest and the highest number.
    package static let numbers = (all.map(\.number.value).min() ?? 0)...(all.map(\.number.value).max() ?? 0)

    /// nil for a number that no rule has.
    public static func rule(_ number: RuleNumber) -> Rule? { byNumber[number] }

    private static let byNumber = Dictionary(uniqueKeysWithValues: all.map { ($0.number, $0) })

    static let loadMonitors: [any RuleMonitor.Type] = all.flatMap(\.monitors).compactMap { monitor in
        if case .load(let type) = monitor { type } else { nil }
    }
    static let traceMonitors: [any TraceMonitor.Type] = all.flatMap(\.monitors).compactMap { monitor in
        if case .trace(let type) = monitor { type } else { nil }
    }
}

extension RuleNumber {
    /// `R12 a challenge instead of the response`; the number alone where no rule has it.
    package var titled: String { Rules.rule(self).map { "\(self) \($0.title)" } ?? "\(self)" }
}
