public import ProctorHTTP

extension Case {
    /// What the Cookie fields of all requests must be: those of the user agent of RFC 6265 §5.4, or of its revision.
    public struct CookieDemand: Sendable, Equatable {
        /// The edition that every request must follow; nil: either, and the same one for all requests.
        public let edition: CookieEdition?
        /// What the order of the cookies weighs.
        public let order: Order

        /// Of any edition, where nothing else is said; the order is remarked on.
        public init(edition: CookieEdition? = nil, order: Order = .recommended) {
            self.edition = edition
            self.order = order
        }

        /// How binding the order of RFC 6265 §5.4 is, which the section recommends: longer paths first, then older cookies.
        public enum Order: String, Sendable, CaseIterable {
            /// Another order is a failure.
            case required
            /// Another order is a remark.
            case recommended
            /// Nothing is said of the order.
            case any
        }

        /// `conforming`: the right cookies by any edition; another order is a remark.
        public static let conforming = CookieDemand()
        /// `conforming-in-any-order`: the same, and nothing is said of the order.
        public static let conformingInAnyOrder = CookieDemand(order: .any)
    }
}
