package proctor;

import java.io.*;
import java.net.*;
import java.net.http.HttpClient;
import java.nio.charset.StandardCharsets;
import java.security.*;
import java.security.cert.CertificateFactory;
import java.time.Duration;
import java.util.*;
import javax.net.ssl.*;
import org.opentest4j.AssertionFailedError;

/** One isolated life of a scenario, with ports, turns and a journal of its own; deleted when its test ends. */
public final class Run {
    private final Server server;
    private final Map<String, Object> members;
    private List<Stub> stubs = List.of();
    private Duration within = Duration.ofSeconds(5);
    /** The case by which the timeline judges, or "" for the only one or none. */
    private String shownCase = "";
    /** Whether a verdict was asked for, and whether one was a failure, which tells the timeline. */
    boolean isJudged, isRaised;

    Run(Server server, Scenario scenario) {
        this.server = server;
        var json = Json.text(Map.of("scenario", scenario.value()));
        var answer = scenario.yaml().isEmpty()
            ? server.call("POST", "runs", json) : server.call("POST", "inline", scenario.yaml());
        members = Json.object(answer);
        if (scenario.verdict().length > 0) shownCase = scenario.verdict()[0];
    }

    Run(Server server, Map<String, Object> origin, List<Stub> stubs) {
        this.server = server;
        this.stubs = stubs;
        var exchanges = stubs.stream().map(Stub::exchange).toList();
        var scenario = new LinkedHashMap<String, Object>(Map.of("summary", "Exchanges of a test", "exchanges", exchanges));
        if (!origin.isEmpty()) scenario.put("origins", Map.of("main", origin));
        members = Json.object(told(() -> server.call("POST", "stubs", Json.text(scenario))));
        stubs.forEach(it -> it.serve(this));
    }

    /** The stubs whose run it is, in order; none where it is the run of a scenario. */
    List<Stub> stubs() { return stubs; }

    /** The name of the run at the server. */
    public String id() { return (String) members.get("run"); }

    /** The id of the scenario. */
    public String scenario() { return (String) members.get("scenario"); }

    /** The URL of each origin by the origin's name, without a slash at its end. */
    @SuppressWarnings("unchecked")
    public Map<String, String> origins() { return (Map<String, String>) members.get("origins"); }

    /** The URL of the first origin, without a slash at its end. */
    public String base() { return (String) members.get("base"); }

    /** The base with a path behind it, which begins with a slash. */
    public URI url(String path) { return URI.create(base() + path); }

    /** The same for a WebSocket: ws:, or wss: where the first origin speaks TLS. */
    public URI wsUrl(String path) { return URI.create("ws" + url(path).toString().substring("http".length())); }

    /** The answer; a mistake that may be meant as JSON is told how to write it. */
    private static String told(java.util.function.Supplier<String> call) {
        try {
            return call.get();
        } catch (IllegalStateException e) {
            if (!e.getMessage().contains("unknown key") || !e.getMessage().contains("in a reply")) throw e;
            throw new IllegalStateException(e.getMessage() + "\n(JSON content is written reply(200, Map.of(\"json\", …)))", e);
        }
    }

    /** A context that trusts the authority of the server and no other. */
    public SSLContext trust() {
        return trusting(server.call("GET", "ca.pem", "").getBytes(StandardCharsets.US_ASCII));
    }

    /** A context that trusts an authority, PEM, and no other. */
    static SSLContext trusting(byte[] pem) {
        try {
            var store = KeyStore.getInstance(KeyStore.getDefaultType());
            store.load(null, null);
            store.setCertificateEntry(
                "proctor", CertificateFactory.getInstance("X.509").generateCertificate(new ByteArrayInputStream(pem)));
            var managers = TrustManagerFactory.getInstance(TrustManagerFactory.getDefaultAlgorithm());
            managers.init(store);
            var context = SSLContext.getInstance("TLS");
            context.init(null, managers.getTrustManagers(), null);
            return context;
        } catch (GeneralSecurityException | IOException e) {
            throw new IllegalStateException("the authority of proctor cannot be trusted: " + e, e);
        }
    }

    /** A builder of clients that trust the server's authority and reach origins by their names (Docs/use/names.md). */
    public HttpClient.Builder client() {
        var client = HttpClient.newBuilder().sslContext(trust()).proxy(HttpClient.Builder.NO_PROXY);
        if (!members.containsKey("namesProxy")) return client;
        var proxy = URI.create("http://" + members.get("namesProxy"));
        return client.proxy(ProxySelector.of(new InetSocketAddress(proxy.getHost(), proxy.getPort())));
    }

    /** The variables that lead common clients here: addresses, proxies, and the authority by the path of a temporary file. */
    @SuppressWarnings("unchecked")
    public Map<String, String> environment() {
        var variables = (Map<String, String>) Json.object(call("GET", "environment", "")).get("environment");
        var authority = variables.get("PROCTOR_CA");
        if (authority != null) variables.replaceAll((name, value) -> value.equals(authority) ? server.trustFile() : value);
        return variables;
    }

    /** Makes any call of the control API below runs/ID (Docs/use/control.md): {@code call("PATCH", "state", json)}. */
    public String call(String method, String path, String body) {
        return server.call(method, "runs/" + id() + (path.isEmpty() ? "" : "/" + path), body);
    }

    /** What the server has seen and sent in this run so far, in order: the lines of Docs/judging/journal.md. */
    public List<Map<String, Object>> journal() { return call("GET", "journal", "").lines().map(Json::object).toList(); }

    /** Begins the scenario again, with its first turn and an empty journal; the run is to be judged anew. */
    public void reset() {
        call("POST", "reset", "");
        isJudged = false;
    }

    /** How long {@link #verdict} and {@link #judge} wait for what is under way, 5 s at first. */
    public Run within(Duration limit) {
        within = limit;
        return this;
    }

    /** What {@link #verdict} says, without an error. */
    public Verdict judge(String name, Object... results) {
        var query = "judge?within=" + within.toMillis() + (name.isEmpty() ? "" : "&case=" + URLEncoder.encode(name, StandardCharsets.UTF_8));
        var isTrace = results.length > 0 && results[0] instanceof String;
        var given = isTrace ? results[0].toString() : Json.text(Map.of("results", List.of(results)));
        return new Verdict(Json.object(call("POST", query, results.length == 0 ? "" : given)));
    }

    /**
     * Judges by a case, or by the only one or none for "", when nothing is under way, and fails the test where the verdict is a failure.
     *
     * <p>A map for each step says what the client made of the reply, such as {@code Map.of("status", 200, "body", text)} or
     * {@code Map.of("error", "connectionLost")}; a text is a whole trace (Docs/judging/traces.md). Without them the requests alone are judged.
     */
    public Verdict verdict(String name, Object... results) {
        var verdict = judge(name, results);
        isJudged = true;
        isRaised = verdict.isFailure();
        if (isRaised) throw new AssertionFailedError(verdict.text());
        return verdict;
    }

    /** The scenario, and the case by which the timeline judges, as SCENARIO#CASE. */
    String shownName() { return shownCase.isEmpty() ? scenario() : scenario() + "#" + shownCase; }

    /** What happened, an event a line; before it what went wrong. */
    public String timeline() {
        var data = judge(shownCase).data();
        return (data.containsKey("sentence") ? data.get("sentence") + "\n" : "") + data.get("timeline");
    }
}
