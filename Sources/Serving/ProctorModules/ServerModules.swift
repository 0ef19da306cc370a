package import ProctorBase
internal import ProctorGrading

#if PROCTOR_ARCHIVES
    internal import ProctorArchives
#endif
#if PROCTOR_AWS4
    internal import ProctorAWS4
#endif
#if PROCTOR_BEARER
    internal import ProctorBearer
#endif
#if PROCTOR_SCHEMAS
    internal import ProctorDescriptions
#endif
#if PROCTOR_QUERIES
    internal import ProctorContentQueries
#endif
#if PROCTOR_DNS
    internal import ProctorNameServer
#endif
#if PROCTOR_EVENTS
    internal import ProctorEventStreams
#endif
#if PROCTOR_EXAMS
    internal import ProctorExamCalls
#endif
#if PROCTOR_FRAMES
    internal import ProctorFrameGrading
    internal import ProctorFrames
#endif
#if PROCTOR_GRPC
    internal import ProctorGRPC
#endif
#if PROCTOR_HTTP2
    internal import ProctorHTTP2Serving
#endif
#if PROCTOR_NTLM
    internal import ProctorNegotiation
#endif
#if PROCTOR_PAGES
    internal import ProctorPages
#endif
#if PROCTOR_SCRIPTS
    internal import ProctorScripting
#endif
#if PROCTOR_SOCKS
    internal import ProctorSOCKSProxy
#endif
#if PROCTOR_VIA
    internal import ProctorDownstream
#endif
#if PROCTOR_WEBHOOKS
    internal import ProctorWebhooks
#endif
#if PROCTOR_WEBSOCKET
    internal import ProctorWebSocketServing
#endif

/// The modules beside the core that read, serve and judge parts of scenarios; what none of them registers does not exist.
///
/// Package.swift leaves those out that PROCTOR_WITHOUT names (`serverModules`).
public enum ServerModules {
    /// Hands over what the modules of this build have, for every scenario that this process reads, and every server that it
    /// starts, from then on.
    ///
    /// Safe from any thread, and again. Without it a fixture that needs one of them is refused, and servers have no pages for
    /// browsers, and no calls that these modules answer.
    public static func register() {
        CoreFacts.register()
        for module in modules { module.register() }
    }

    /// The names of the modules of this build, as PROCTOR_WITHOUT names them.
    package static var names: [String] { modules.map(\.name) }

    /// C libraries that they alone use.
    package static var libraries: [LibraryVersion] {
        #if PROCTOR_SCRIPTS
            Scripting.libraries
        #else
            []
        #endif
    }

    private static let modules: [(name: String, register: @Sendable () -> Void)] = {
        var modules: [(name: String, register: @Sendable () -> Void)] = []
        #if PROCTOR_SCHEMAS
            modules.append(("schemas", Descriptions.register))
        #endif
        #if PROCTOR_QUERIES
            modules.append(("queries", ContentQueries.register))
        #endif
        #if PROCTOR_EXAMS
            modules.append(("exams", ExamCallsModule.register))
        #endif
        #if PROCTOR_PAGES
            modules.append(("pages", Pages.register))
        #endif
        #if PROCTOR_BEARER
            modules.append(("bearer", Bearer.register))
        #endif
        #if PROCTOR_NTLM
            modules.append(("ntlm", Negotiation.register))
        #endif
        #if PROCTOR_AWS4
            modules.append(("aws4", AWS4.register))
        #endif
        #if PROCTOR_DNS
            modules.append(("dns", NameServerModule.register))
        #endif
        #if PROCTOR_SOCKS
            modules.append(("socks", SOCKSModule.register))
        #endif
        #if PROCTOR_WEBHOOKS
            modules.append(("webhooks", Webhooks.register))
        #endif
        #if PROCTOR_WEBSOCKET
            modules.append(("websocket", WebSockets.register))
        #endif
        #if PROCTOR_SCRIPTS
            modules.append(("scripts", Scripting.register))
        #endif
        #if PROCTOR_EVENTS
            modules.append(("events", EventStreams.register))
        #endif
        #if PROCTOR_ARCHIVES
            modules.append(("archives", Archives.register))
        #endif
        #if PROCTOR_FRAMES
            modules.append(
                (
                    "frames",
                    {
                        FramesModule.register()
                        FrameGrading.register()
                    }
                ))
        #endif
        #if PROCTOR_GRPC
            modules.append(("grpc", GRPC.register))
        #endif
        #if PROCTOR_HTTP2
            modules.append(("http2", HTTP2Serving.register))
        #endif
        #if PROCTOR_VIA
            modules.append(("via", Downstream.register))
        #endif
        return modules
    }()
}
