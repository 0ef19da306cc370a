import ProctorBase
import Testing

#if canImport(Darwin)
    import Darwin
#else
    import Glibc
#endif

struct CallFailureTests {
    @Test func `the text is the system's sentence, with call and code around it`() {
        let failure = CallFailure.system("open fixtures/a.yaml", code: ENOENT)
        #expect(failure.description == "open fixtures/a.yaml: No such file or directory (\(ENOENT))")
        #expect(failure.code == ENOENT)
        #expect(failure == CallFailure(call: "open fixtures/a.yaml", code: ENOENT, text: "No such file or directory"))
    }

    @Test func `an unknown code has a text too`() {
        #expect(CallFailure.system("x", code: 99_999).text.contains("99999"))
    }

    @Test func `errno is taken before the call's name is put together`() {
        func name() -> String {
            // As a name that needs memory or a look at the file system may do.
            errno = EBUSY
            return "open x"
        }
        errno = EACCES
        let failure = CallFailure.system(name())
        #expect(failure.code == EACCES)
        #expect(failure.call == "open x")
    }

    @Test func `a source location prints as editors link it`() {
        #expect(SourceLocation(file: "a/b.yaml", line: 3, column: 14).description == "a/b.yaml:3:14")
    }
}
