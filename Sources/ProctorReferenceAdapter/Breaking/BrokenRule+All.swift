extension BrokenRule {
    /// Every rule that this client can be made to break, in the order of their numbers; each once.
    public static let all: [BrokenRule] =
        (shape + authentication + requestBody + response + downloads + ends + threads + shapes).sorted {
            $0.rule < $1.rule
        }
}
