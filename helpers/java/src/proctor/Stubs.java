package proctor;

import java.net.URI;
import java.net.http.HttpClient;
import java.util.*;

/**
 * The stubs of one test, at ports of their own: a parameter of a test whose class has {@code @ExtendWith(Proctor.class)}.
 *
 * <p>The test fails by a request that none of them expects, and by one that never comes:
 * {@code stubs.on("GET /items").reply(200, Map.of("json", List.of(1))).times(2)}.
 */
public final class Stubs {
    private final Server server;
    private final List<Stub> stubs = new ArrayList<>();
    private final Map<String, Object> origin = new LinkedHashMap<>();
    private Run run;

    Stubs(Server server) { this.server = server; }

    /** Begins a stub: what is asked, as {@code GET /items}. All stubs of a test stand before its first URL, which opens their ports. */
    public Stub on(String request) {
        refuseChange();
        stubs.add(new Stub(request, Stub.caller()));
        return stubs.get(stubs.size() - 1);
    }

    /** What the stubs' server is, by a key of Docs/format/origins.md: {@code origin("scheme", "https")}. */
    public Stubs origin(String key, Object value) {
        refuseChange();
        origin.put(key, Json.checked(key, value));
        return this;
    }

    private synchronized void refuseChange() {
        if (run != null) throw new IllegalStateException("all stubs of a test stand before its first url, which opens their ports");
    }

    /** The run of the stubs, which is opened when it is first asked for, by whichever thread of the test. */
    public synchronized Run run() {
        if (run != null) return run;
        if (stubs.isEmpty()) throw new IllegalStateException("there is no stub yet: stubs.on(\"GET /items\").reply(200)");
        run = new Run(server, origin, List.copyOf(stubs));
        return run;
    }

    /** The URL of a path at the stubs. */
    public URI url(String path) { return run().url(path); }

    /** The same for a WebSocket: ws:, or wss: where the stubs speak TLS. */
    public URI wsUrl(String path) { return run().wsUrl(path); }

    /** A builder of clients that trust the server's authority and reach the stubs by their name. */
    public HttpClient.Builder client() { return run().client(); }

    /** All requests that came to the stubs so far, also those that none expected. */
    public List<Request> requests() { return Request.all(run()); }

    /** Judges the stubs now, when what is under way has come to its end; without it they are judged when the test has passed. */
    public Verdict verify() { return run().verdict(""); }

    boolean isEmpty() { return stubs.isEmpty(); }

    /** The run, where it was opened. */
    synchronized Optional<Run> opened() { return Optional.ofNullable(run); }
}
