package import ProctorTrace

/// What a step does at a question, one act after the other; none: it leaves the question open.
package enum PlannedAct: Sendable, Equatable {
    /// Cancels the task.
    case cancel
    /// Gives the answer of that name, which is the one of traces.
    case answer(String)
    /// Says that it can't be done, and why; an answer follows that goes on without.
    case unimplemented(String)
}

extension Assignment.RedirectAnswer {
    /// Answers are `follow`, `refuse` and `change`.
    package var plan: [PlannedAct] {
        switch answer {
        case "follow", "refuse", "change": [.answer(answer)]
        case "cancel": [.cancel]
        case "cancel-then-follow": [.cancel, .answer("follow")]
        case "cancel-then-refuse": [.cancel, .answer("refuse")]
        case "twice": [.answer("follow"), .answer("follow")]
        case "never": []
        default: [.unimplemented("onRedirect: \(answer)"), .answer("follow")]
        }
    }
}

extension Assignment.ChallengeAnswer {
    /// Answers are `use`, `use-none`, `default`, `cancel` and `reject`; to challenges of TLS also `trust` and `identity`.
    package var plan: [PlannedAct] {
        switch answer {
        case "use", "use-none", "default", "cancel", "reject", "trust", "identity": [.answer(answer)]
        case "cancel-task": [.cancel]
        case "cancel-task-then-use": [.cancel, .answer("use")]
        case "twice": [.answer("use"), .answer("use")]
        case "never": []
        default: [.unimplemented("onChallenge: \(answer)"), .answer("default")]
        }
    }
}

extension Assignment.ChallengeAnswer {
    /// Why no URLCredential can be made for it; nil when one can, or when none is wanted.
    package var lackOfURLCredential: String? {
        #if !canImport(Darwin)
            if isOfTLS { return "onChallenge: \(answer): Foundation has no URLCredential for TLS here" }
        #endif
        guard token != nil else { return nil }
        return "onChallenge: \(answer): a URLCredential is made of a user and a password, and holds no token"
    }

    /// Whether it answers a question about certificates and no other.
    package var isOfTLS: Bool { answer == "trust" || answer == "identity" }

    /// The plan of a client that answers with a URLCredential; where there can be none, it says so and does the default.
    var planOfURLCredential: [PlannedAct] {
        lackOfURLCredential.map { [.unimplemented($0), .answer("default")] } ?? plan
    }
}

extension Assignment.Step {
    /// The answers to those challenges that URLSession asks on this platform.
    ///
    /// On Linux it never asks about certificates, so that their answers would fall to questions of HTTP.
    var challengeAnswers: [Assignment.ChallengeAnswer] {
        #if canImport(Darwin)
            onChallenge
        #else
            onChallenge.contains { !$0.isOfTLS } ? onChallenge.filter { !$0.isOfTLS } : onChallenge
        #endif
    }

    /// Answers are `allow`, `cancel`, `becomeDownload` and `becomeStream`.
    package var responsePlan: [PlannedAct] {
        switch onResponse {
        case "allow", "cancel", "becomeDownload", "becomeStream": [.answer(onResponse)]
        case "never": []
        default: [.unimplemented("onResponse: \(onResponse)"), .answer("allow")]
        }
    }

    /// Answers are `stream` and `none`.
    package var bodyStreamPlan: [PlannedAct] {
        switch onBodyStream {
        case "fresh": [.answer("stream")]
        case "none": [.answer("none")]
        case "never": []
        default: [.unimplemented("onBodyStream: \(onBodyStream)"), .answer("none")]
        }
    }

    /// Answers are `store` and `none`.
    package var willCachePlan: [PlannedAct] { [.answer(onWillCache == "none" ? "none" : "store")] }
}
