extension Rules {
    /// R1 to R33.
    static let firstHalf: [Rule] = shape + authentication + requestBody + response

    private static let shape = [r1, r2, r3, r4, r5, r6, r7, r8, r9]
    private static let authentication = [r10, r11, r12, r13, r14, r15, r16, r17, r18, r19, r20]
    private static let requestBody = [r21, r22, r23, r24]
    private static let response = [r25, r26, r27, r28, r29, r30, r31, r32, r33]
}
