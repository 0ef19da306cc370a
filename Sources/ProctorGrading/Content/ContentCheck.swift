/// Compares one kind of thing that callbacks say with what the server sent, or with plain arithmetic.
///
/// A check says nothing where the trace lacks the fact, and where the journal cannot tell what is right.
protocol ContentCheck: Sendable {
    static func faults(in scene: ContentScene) -> [ContentFault]
}

/// A check that looks at one load after the other.
protocol LoadContentCheck: ContentCheck {
    static func faults(in load: ContentLoad) -> [ContentFault]
}

extension LoadContentCheck {
    static func faults(in scene: ContentScene) -> [ContentFault] { scene.loads.flatMap { faults(in: $0) } }
}

/// Every check there is, in the order in which findings are told.
enum ContentChecks {
    static let all: [any ContentCheck.Type] = [
        ProposedRequestCheck.self, ChallengeCheck.self, ResponseCheck.self, FieldsCheck.self, DataCheck.self,
        BodyCheck.self, ResumeCheck.self, ProgressCheck.self, UploadCheck.self, ErrorCheck.self,
        SessionEndCheck.self, CallbackExitCheck.self,
    ]
}
