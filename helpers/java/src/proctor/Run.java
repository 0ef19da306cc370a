package proctor;

import java.io.*;
import java.net.*;
import java.net.http.HttpClient;
import java.nio.charset.StandardCharsets;
import java.security.*;
import java.security.cert.CertificateFactory;
import java.util.*;
import javax.net.ssl.*;
import org.opentest4j.AssertionFailedError;

/** One isolated life of a scenario, with ports, turns and a journal of its own; deleted when its test ends. */
public final class Run {
    private final Server server;
    private final Map<String, Object> members;
    boolean isReported;

    Run(Server server, Scenario scenario) {
        this.server = server;
        var json = "{\"scenario\":\"" + scenario.value().replaceAll("[\\\\\"]", "\\\\$0") + "\"}";
        var answer = scenario.yaml().isEmpty()
            ? server.call("POST", "runs", json) : server.call("POST", "inline", scenario.yaml());
        members = Json.object(answer);
    }

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

    /** A context that trusts the authority of the server and no other. */
    public SSLContext trust() {
        var pem = server.call("GET", "ca.pem", "").getBytes(StandardCharsets.US_ASCII);
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

    /** A builder of clients that trust the server's authority and reach origins by their names (Docs/names.md). */
    public HttpClient.Builder client() {
        var client = HttpClient.newBuilder().sslContext(trust()).proxy(HttpClient.Builder.NO_PROXY);
        if (!members.containsKey("namesProxy")) return client;
        var proxy = URI.create("http://" + members.get("namesProxy"));
        return client.proxy(ProxySelector.of(new InetSocketAddress(proxy.getHost(), proxy.getPort())));
    }

    /** What the server has seen and sent in this run so far, in order: the lines of Docs/journal.md. */
    public List<Map<String, Object>> journal() { return call("GET", "journal", "").lines().map(Json::object).toList(); }

    /** A line for each thing that came or went so far, for a person. */
    @SuppressWarnings("unchecked")
    public List<String> timeline() { return (List<String>) Json.object(call("GET", "timeline", "")).get("timeline"); }

    /** Begins the scenario again, with its first turn and an empty journal. */
    public void reset() { call("POST", "reset", ""); }

    /** Makes any call of the control API below runs/ID (Docs/control-api.md): {@code call("PATCH", "state", json)}. */
    public String call(String method, String path, String body) {
        return server.call(method, "runs/" + id() + (path.isEmpty() ? "" : "/" + path), body);
    }

    /**
     * Asks for the verdict of a case, or of the only case by "", and fails the test unless it is pass, partly or observed.
     *
     * <p>What the server cannot judge, such as what the client made of a reply, is left to the test. A scenario without cases
     * is judged by "" too: at least one request has come, and each one was readable and found its exchange.
     *
     * @return the server's answer: verdict, claims, findings, timeline, and text, which has them for people
     */
    public Map<String, Object> verdict(String name) {
        var query = name.isEmpty() ? "verdict" : "verdict?case=" + URLEncoder.encode(name, StandardCharsets.UTF_8);
        var verdict = Json.object(call("GET", query, ""));
        isReported = !List.of("pass", "partly", "observed").contains(verdict.get("verdict"))
            || !verdict.containsKey("case") && timeline().isEmpty();
        var title = name.isEmpty() ? scenario() : scenario() + "#" + name;
        var text = verdict.get("text").toString();
        if (verdict.containsKey("sentence")) text = text.substring(verdict.get("verdict").toString().length() + 2);
        if (isReported) throw new AssertionFailedError(text + "\n" + title + ": " + verdict.get("verdict"));
        return verdict;
    }
}
