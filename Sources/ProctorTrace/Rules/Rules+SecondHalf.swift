extension Rules {
    /// R34 to R58.
    static let secondHalf: [Rule] = [
        r34, r35, r36, r37, r38, r39, r40, r41, r42, r43, r44, r45, r46, r47, r48, r49, r50, r51, r52, r53, r54, r55,
        r56, r57,
        r58,
    ]
}
