#if canImport(Darwin)
    public import Foundation

    // URLSession asks which methods a delegate implements, and takes another way where one is missing.
    extension SessionRecorder {
        /// False for a challenge, a body stream and a delayed request that no delegate would answer.
        ///
        /// The other questions have an answer that does what would be done without the method, so they are always observed.
        public override func responds(to selector: Selector?) -> Bool {
            guard let selector, Self.decisive.contains(selector) else { return super.responds(to: selector) }
            if let user { return user.object.responds(to: selector) }
            return answersChallenges || !Self.challenges.contains(selector)
        }

        private static var challenges: Set<Selector> {
            [
                #selector(URLSessionDelegate.urlSession(_:didReceive:completionHandler:)),
                #selector(URLSessionTaskDelegate.urlSession(_:task:didReceive:completionHandler:)),
            ]
        }

        private static var decisive: Set<Selector> {
            challenges.union([
                #selector(URLSessionTaskDelegate.urlSession(_:task:needNewBodyStream:)),
                #selector(URLSessionTaskDelegate.urlSession(_:task:needNewBodyStreamFrom:completionHandler:)),
                #selector(URLSessionTaskDelegate.urlSession(_:task:willBeginDelayedRequest:completionHandler:)),
            ])
        }
    }
#endif
