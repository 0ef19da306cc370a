import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.net.Authenticator;
import java.net.CookieManager;
import java.net.CookiePolicy;
import java.net.PasswordAuthentication;
import java.net.Proxy;
import java.net.URI;
import java.net.URISyntaxException;
import java.net.URLEncoder;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublisher;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodySubscriber;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Flow;
import java.util.stream.Collectors;

import static java.nio.charset.StandardCharsets.UTF_8;

/**
 * An adapter of Proctor for java.net.http.HttpClient (Docs/clients/adapters.md).
 *
 * What it is told, so that it neither gets help nor is hindered:
 *
 * - HTTP_1_1 unless HTTP/2 is wanted: by itself the client asks each server without TLS for an upgrade to HTTP/2, which
 *   no server here answers. HTTP_2 agrees on it by ALPN; a load without TLS is `unimplemented` then.
 * - Names by the proxy that leads to all of them, for the client connects where the resolver of Java says, at the port
 *   of the URL. The resolver is a file (jdk.net.hosts.file) that knows localhost alone.
 * - The URL as a text for `new URI`. A query and a form are encoded by URLEncoder.
 * - Fields by `header`, and `Expect: 100-continue` by `expectContinue`. What else it keeps for itself (Connection,
 *   Content-Length, Expect, Host, Upgrade) it refuses, and the load fails.
 * - Redirect.ALWAYS with a limit of 20 (jdk.httpclient.redirects.retrylimit), or Redirect.NEVER. It is a choice of the
 *   client and not of a request, as is the authenticator: steps that differ in one of them share no connections.
 * - CookieManager with ACCEPT_ORIGINAL_SERVER, or none.
 * - An Authenticator that gives the answers of the step in turn, and none where nothing is to be answered: with one the
 *   client drops an Authorization of the caller. It answers Basic; a step that is asked for another scheme is
 *   `unimplemented`.
 * - A streamed body by `ofInputStream`, which is asked for a new stream each time. To cancel is to cancel the future.
 * - `shutdownNow` behind the last step where Java has it (21); before, nothing closes the connections of a client.
 *
 * It undoes no codings: a step whose content is coded is `unimplemented`. Its `timeout` ends with the head of the
 * response, so it has no limit of silence nor of the load.
 */
final class JavaHttpClient {
    private static final String NAME = "java-httpclient";
    private static final String ABILITIES = """
        methods repeated-fields verbatim-urls encodes-values fragment redirects redirect-refuse cookie-jar
        cookies-from-addresses basic challenge-default challenge-cancel challenges-in-turn proxy proxy-tunnel trust
        identity upload-stream several-loads response-answers cancel h2""";

    private final Part session;
    private final HttpClient.Version version;
    private final Proctor.Trace trace;
    private final CookieManager cookies = new CookieManager(null, CookiePolicy.ACCEPT_ORIGINAL_SERVER);
    private final Map<List<Boolean>, HttpClient> clients = new HashMap<>();
    /** The step whose challenges are answered now, and how many have been. */
    private volatile Part challenged;
    private int challengeCount = 0;

    private JavaHttpClient(Part assignment, Proctor.Trace trace) {
        this.session = assignment.part("session");
        this.version = wantsHTTP2(assignment) ? HttpClient.Version.HTTP_2 : HttpClient.Version.HTTP_1_1;
        this.trace = trace;
    }

    public static void main(String[] words) throws Exception {
        Proctor.serve(new Proctor.Adapter(
            NAME, "2", Runtime.version().toString(), ABILITIES, "url status mime bytes body header error message",
            "before-resume after-resume response data progress", JavaHttpClient::refuse, (assignment, trace) -> {
                try {
                    new JavaHttpClient(assignment, trace).run(assignment.parts("steps"));
                } catch (Proctor.Unimplemented error) {
                    throw error;
                } catch (Exception error) {
                    throw new IllegalStateException(error);
                }
            }), words);
    }

    private static boolean wantsHTTP2(Part assignment) {
        return "h2".equals(assignment.text("protocol")) || assignment.list("needs").contains("h2");
    }

    private static void refuse(Part assignment) {
        var steps = assignment.parts("steps");
        for (int task = 0; task < steps.size(); task++) {
            var step = steps.get(task);
            if (wantsHTTP2(assignment) && !isSecure(step)) {
                cannot(task, "url", "begins HTTP/2 without TLS by an Upgrade alone, which RFC 9113 has withdrawn");
            }
            if (step.text("method").equals("CONNECT")) cannot(task, "method", "keeps CONNECT for its tunnels");
            boolean isLeft = step.met("onChallenge", "challengeCount").stream().limit(1).anyMatch(
                one -> one.text("answer").equals("cancel"));
            if (isSecure(step) && isLeft) cannot(task, "onChallenge", "never asks about a certificate");
            var words = challenges(step).stream().map(one -> one.text("answer")).distinct().toList();
            boolean isAnswered = words.contains("use") || words.contains("cancel");
            if (isAnswered && (words.contains("default") || words.contains("use-none"))) {
                cannot(task, "onChallenge", "fails where its authenticator gives nothing");
            }
            if (words.contains("reject") || words.contains("cancel-task")) {
                cannot(task, "onChallenge", "can't be told to " + words);
            }
            boolean isTogether = step.has("together") || task + 1 < steps.size() && steps.get(task + 1).has("together");
            if (isAnswered && isTogether) {
                cannot(task, "onChallenge", "has one authenticator for all loads");
            }
        }
    }

    private static void cannot(int task, String key, String reason) {
        throw new Proctor.Unimplemented(task, "steps[" + task + "]." + key + ": HttpClient " + reason);
    }

    /** The answers to questions about credentials; the first one over TLS is about the server, which is not asked. */
    private static List<Part> challenges(Part step) {
        var answers = step.met("onChallenge", "challengeCount");
        if (!isSecure(step)) return answers;
        return answers.stream().dropWhile(one -> one.text("answer").equals("default")).toList();
    }

    private static boolean isSecure(Part step) { return step.text("url").startsWith("https:"); }

    private static boolean isAnswered(Part step) {
        return challenges(step).stream().anyMatch(one -> List.of("use", "cancel").contains(one.text("answer")));
    }

    // MARK: The client

    private HttpClient client(Part step) throws Exception {
        // Answers that differ are no case of this client, which lacks `redirect-per-answer`.
        boolean follows = !step.parts("onRedirect").get(0).text("answer").equals("refuse");
        var key = List.of(follows, isAnswered(step));
        if (!clients.containsKey(key)) clients.put(key, makeClient(follows, isAnswered(step)));
        return clients.get(key);
    }

    private HttpClient makeClient(boolean follows, boolean answers) throws Exception {
        var builder = HttpClient.newBuilder().version(version).proxy(new Ways(session))
            .followRedirects(follows ? HttpClient.Redirect.ALWAYS : HttpClient.Redirect.NEVER);
        if (!"never".equals(session.text("cookies"))) builder.cookieHandler(cookies);
        if (session.has("trust") || session.has("identity")) builder.sslContext(Secrets.context(session));
        if (answers) builder.authenticator(new Authenticator() {
            protected PasswordAuthentication getPasswordAuthentication() { return answer(); }
        });
        return builder.build();
    }

    private synchronized PasswordAuthentication answer() {
        var answers = challenges(challenged);
        var one = answers.get(Math.min(challengeCount++, answers.size() - 1));
        if (!one.text("answer").equals("use")) return null;
        var password = one.has("password") ? one.text("password") : "";
        return new PasswordAuthentication(one.has("user") ? one.text("user") : "", password.toCharArray());
    }

    // MARK: A step

    private static String encoded(List<?> pairs) {
        return pairs.stream().map(one -> (List<?>) one)
            .map(pair -> encoded(pair.get(0)) + "=" + encoded(pair.get(1))).collect(Collectors.joining("&"));
    }

    private static String encoded(Object word) { return URLEncoder.encode((String) word, UTF_8); }

    private static HttpRequest request(Part step) throws Exception {
        var url = step.text("url");
        if (step.has("query")) url += (url.contains("?") ? "&" : "?") + encoded(step.list("query"));
        var builder = HttpRequest.newBuilder(new URI(url));
        boolean isEmpty = !step.has("body") && !step.has("form");
        // Those without content have calls of their own; `method` would add a length of 0.
        if (isEmpty && step.text("method").equals("GET")) builder.GET();
        else if (isEmpty && step.text("method").equals("DELETE")) builder.DELETE();
        else builder.method(step.text("method"), publisher(step));
        boolean saysType = false;
        for (var one : step.list("headers")) {
            var pair = (List<?>) one;
            var field = (String) pair.get(0) + ": " + (String) pair.get(1);
            if (field.equalsIgnoreCase("Expect: 100-continue")) builder.expectContinue(true);
            else builder.header((String) pair.get(0), (String) pair.get(1));
            saysType |= ((String) pair.get(0)).equalsIgnoreCase("Content-Type");
        }
        if (step.has("form") && !saysType) builder.header("Content-Type", "application/x-www-form-urlencoded");
        return builder.build();
    }

    private static BodyPublisher publisher(Part step) {
        if (step.has("form")) return BodyPublishers.ofString(encoded(step.list("form")));
        if (!step.has("body")) return BodyPublishers.noBody();
        var bytes = step.part("body").content();
        return step.isStreamed()
            ? BodyPublishers.ofInputStream(() -> new ByteArrayInputStream(bytes)) : BodyPublishers.ofByteArray(bytes);
    }

    /** One step; the facts are complete when the future of {@code begin} is. */
    private final class Load implements HttpResponse.BodyHandler<Void>, BodySubscriber<Void> {
        private final Part step, moment;
        private final int task;
        private final Map<String, Object> facts = new LinkedHashMap<>();
        private final ByteArrayOutputStream body = new ByteArrayOutputStream();
        private final CompletableFuture<Void> ended = new CompletableFuture<>();
        private volatile CompletableFuture<HttpResponse<Void>> loading;
        private final CountDownLatch begun = new CountDownLatch(1);
        private long byteCount = 0;
        private int pieces = 0;

        Load(Part step, int task) {
            this.step = step;
            this.task = task;
            moment = step.part("cancelAt");
        }

        CompletableFuture<Void> begin() throws Exception {
            var over = new CompletableFuture<Void>();
            trace.event("resume", task);
            try {
                loading = client(step).sendAsync(request(step), this);
            } catch (Exception error) {
                loading = CompletableFuture.failedFuture(error);
            }
            begun.countDown();
            cancelAt(1, "before-resume", "after-resume");
            loading.whenComplete((response, error) -> {
                try {
                    refuseSchemes(step, task, response);
                    refuseNames(step, task, error);
                    refuseCoded(task, response);
                } catch (Proctor.Unimplemented reason) {
                    over.completeExceptionally(reason);
                    return;
                }
                synchronized (facts) {
                    if (response != null) facts.put("url", response.uri().toString());
                    if (error instanceof CompletionException) error = error.getCause();
                    if (error != null) Failures.add(facts, error, NAME);
                    Part.addBody(facts, body.toByteArray(), byteCount);
                    trace.event("result", task, "facts", facts);
                }
                over.complete(null);
            });
            return over;
        }

        private void cancelAt(int count, String... events) {
            if (!Arrays.asList(events).contains(moment.text("event")) || moment.number("count") != count) return;
            cancel();
        }

        private void cancel() {
            trace.event("cancel", task);
            try {
                begun.await();
            } catch (InterruptedException error) {
                return;
            }
            loading.cancel(true);
        }

        public BodySubscriber<Void> apply(HttpResponse.ResponseInfo info) {
            synchronized (facts) {
                facts.put("status", info.statusCode());
                info.headers().firstValue("Content-Type").ifPresent(
                    type -> facts.put("mime", type.split(";")[0].strip().toLowerCase()));
                var names = step.list("fieldNames");
                if (!names.isEmpty()) {
                    facts.put("header", names.stream().map(name -> (String) name)
                        .flatMap(name -> info.headers().firstValue(name).stream().map(value -> name + ": " + value))
                        .collect(Collectors.joining("\n")));
                }
            }
            if (step.text("onResponse").equals("cancel")) cancel();
            cancelAt(1, "response");
            return this;
        }

        public CompletionStage<Void> getBody() { return ended; }
        public void onSubscribe(Flow.Subscription subscription) { subscription.request(Long.MAX_VALUE); }
        public void onError(Throwable error) { ended.completeExceptionally(error); }
        public void onComplete() { ended.complete(null); }

        public void onNext(List<ByteBuffer> buffers) {
            synchronized (facts) {
                for (var buffer : buffers) {
                    var bytes = new byte[buffer.remaining()];
                    buffer.get(bytes);
                    byteCount += bytes.length;
                    if (byteCount <= Part.BODY_LIMIT) body.writeBytes(bytes);
                }
            }
            cancelAt(++pieces, "data", "progress");
        }
    }

    /** Throws where a credential is to be given, and no challenge of the scheme that the client knows came. */
    private void refuseSchemes(Part step, int task, HttpResponse<Void> response) {
        if (response == null || !isAnswered(step)) return;
        if (response.statusCode() != 401 && response.statusCode() != 407) return;
        var name = response.statusCode() == 401 ? "WWW-Authenticate" : "Proxy-Authenticate";
        var asked = response.headers().allValues(name);
        if (asked.isEmpty() || asked.stream().anyMatch(value -> value.matches("(?is)(.*,)?\\s*basic\\b.*"))) return;
        cannot(task, "onChallenge", "answers Basic alone");
    }

    /** Throws where a redirect leads from an address to a name: the client asks for no proxy again. */
    private void refuseNames(Part step, int task, Throwable error) {
        if (error == null || session.has("proxy") || !session.has("names")) return;
        if (!Failures.isUnknownHost(error)) return;
        try {
            if (!Ways.isNumber(new URI(step.text("url")).getHost())) return;
        } catch (URISyntaxException reason) {
            return;
        }
        cannot(task, "url", "is told of a proxy before a load, and a redirect leads to a name, for which it takes one");
    }

    /** Throws where content has a coding: nothing asks a client to undo one. */
    private static void refuseCoded(int task, HttpResponse<Void> response) {
        if (response == null) return;
        var coding = response.headers().firstValue("Content-Encoding").orElse("identity");
        if (!coding.equalsIgnoreCase("identity")) cannot(task, "url", "undoes no coding, and the content is coded");
    }

    private void run(List<Part> steps) throws Exception {
        var open = new ArrayList<CompletableFuture<Void>>();
        for (int task = 0; task < steps.size(); task++) {
            var step = steps.get(task);
            if (!step.has("together")) {
                finish(open);
            }
            challenged = step;
            challengeCount = 0;
            open.add(new Load(step, task).begin());
        }
        finish(open);
        for (var client : clients.values()) shutDown(client);
    }

    /** Closes the connections of a client, as Java 21 and later can. */
    private static void shutDown(HttpClient client) throws Exception {
        for (var method : HttpClient.class.getMethods()) if (method.getName().equals("shutdownNow")) method.invoke(client);
    }

    private static void finish(List<CompletableFuture<Void>> open) {
        try {
            for (var one : open) one.join();
        } catch (CompletionException error) {
            if (error.getCause() instanceof Proctor.Unimplemented reason) throw reason;
            throw error;
        }
        open.clear();
    }
}
