import ProctorEvents
import ProctorScenario

/// What shows that a client did what one key of its program says.
///
/// A claim that holds although the client passed the key over shows nothing of the key: without what the row asks for,
/// the claims of the step are not judged.
struct ActRow: Sendable {
    /// The key as an assignment has it: `answerAfter` of a step, `session.identity`, `assignment.storage`.
    let key: String
    /// What a client declares that can do it; nil where every client can.
    let ability: Ability?
    let evidence: Evidence
    /// What the program says where it does not say the usual: `answerAfter 200 ms`; the step is the first one for keys of
    /// the session and of the assignment.
    let says: @Sendable (Case, Int) -> String?

    /// Where it shows that a client did what a key says.
    enum Evidence: Sendable {
        /// In the trace or on the wire of the run: what is not as the program said, half a sentence; nil where the run
        /// shows it, or could not come to it.
        case run(@Sendable (SeenActs) -> String?)
        /// In a plain case of its own, which is asked where a case with that key passed.
        case control(ControlKind)

        var inRun: (@Sendable (SeenActs) -> String?)? { if case .run(let lack) = self { lack } else { nil } }

        var control: ControlKind? { if case .control(let kind) = self { kind } else { nil } }
    }

    init(
        _ key: String, _ ability: Ability? = nil, says: @escaping @Sendable (Case, Int) -> String?, _ evidence: Evidence
    ) {
        (self.key, self.ability, self.says, self.evidence) = (key, ability, says, evidence)
    }

    /// All rows, in the order of the assignment's keys.
    ///
    /// A key of `Scripts/keys-in-claims.tsv` has none: it says nothing which a client could pass over unnoticed.
    static let all = ofAssignment + ofSession + ofSteps

    /// Whether the key is said once for all steps.
    var isOfWhole: Bool { key.contains(".") }
}

/// A plain case that shows whether a client can do what another case may pass without.
package enum ControlKind: String, Sendable, CaseIterable {
    /// A load succeeds.
    case load
    /// A case of the library is passed, in which the ability that another one needs succeeds.
    case ability
    /// A cookie that was set is sent back.
    case cookie
    /// A fresh stored response is used without another request.
    case cache
    /// A field of the program goes out.
    case field
    /// An Expect field goes out with content.
    case expect
    /// The certificate of a session is shown to a server that requires one.
    case identity
    /// A cookie with a lifetime is sent back by the next process.
    case launch
    /// A cookie that the application sets is sent.
    case store
    /// A load that falls silent is given up after the time of its step.
    case silence
    /// A load that falls silent is given up after the time of the session.
    case limit
}
