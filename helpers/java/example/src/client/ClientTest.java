package client;

import static java.net.http.HttpResponse.BodyHandlers.ofString;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.util.Map;
import org.junit.jupiter.api.Test;
import proctor.Run;
import proctor.Scenario;

class ClientTest {
    private static final String LAMP = """
        summary: A lamp, from a server that is busy at first
        exchanges:
          - request: GET /lamps/7
            reply:
              - { status: 503, headers: { Retry-After: 0 } }
              - { status: 200, body: "40 watts" }
        """;

    private static HttpResponse<String> get(HttpClient client, URI url) throws Exception {
        return client.send(HttpRequest.newBuilder(url).build(), ofString());
    }

    /** A client that tries again once when the server is busy. */
    private static HttpResponse<String> getPatiently(HttpClient client, URI url) throws Exception {
        var response = get(client, url);
        return response.statusCode() == 503 ? get(client, url) : response;
    }

    @Test
    @Scenario("redirect/302-get-stays-get")
    void aRedirectIsFollowed(Run run) throws Exception {
        var reply = get(run.client().followRedirects(HttpClient.Redirect.NORMAL).build(), run.url("/start"));
        assertEquals("pass", run.verdict("follow", Map.of("status", reply.statusCode(), "body", reply.body())).outcome());
    }

    @Test
    @Scenario(value = "redirect/302-get-stays-get", verdict = "refuse")
    void aRedirectCanBeRefused(Run run) throws Exception {
        assertEquals(302, get(run.client().build(), run.url("/start")).statusCode());
    }

    @Test
    @Scenario(value = "redirect/303-post-becomes-get", verdict = {"follow", "drops-the-body"})
    void a303TurnsPostIntoGet(Run run) throws Exception {
        var client = run.client().followRedirects(HttpClient.Redirect.NORMAL).build();
        var form = HttpRequest.newBuilder(run.url("/form")).POST(HttpRequest.BodyPublishers.ofString("a=1")).build();
        assertEquals("ok\n", client.send(form, ofString()).body());
    }

    @Test
    @Scenario(value = "tls/cert/valid", verdict = "unasked")
    void theAuthorityIsTrusted(Run run) throws Exception {
        assertEquals("secure\n", get(run.client().build(), run.url("/page")).body());
    }

    @Test
    @Scenario("host/virtual-hosts")
    void originsHaveNames(Run run) throws Exception {
        var client = run.client().build();
        for (var origin : new String[] {"main", "sibling", "stranger"}) {
            get(client, URI.create(run.origins().get(origin) + "/page"));
        }
        assertEquals("partly", run.verdict("each").outcome());
    }

    @Test
    @Scenario(yaml = LAMP, verdict = "")
    void aBusyServerIsAskedAgain(Run run) throws Exception {
        assertEquals("40 watts", getPatiently(run.client().build(), run.url("/lamps/7")).body());
        assertEquals(2, run.journal().stream().filter(entry -> entry.get("ev").equals("requestHead")).count());
    }

    @Test
    @Scenario(yaml = LAMP)
    void aScenarioBeginsAgain(Run run) throws Exception {
        var client = run.client().build();
        assertEquals(503, get(client, run.url("/lamps/7")).statusCode());
        run.reset();
        assertEquals(503, get(client, run.url("/lamps/7")).statusCode());
    }

    @Test
    void aReplyThatBreaksOffIsAnError(
        @Scenario(yaml = """
            summary: Five bytes of nine
            exchanges:
              - request: GET /short
                reply: { raw: "HTTP/1.1 200 OK\\r\\nContent-Length: 9\\r\\n\\r\\nshort", effects: [{ at: end, do: close }] }
            """, verdict = "") Run run) {
        assertThrows(IOException.class, () -> get(run.client().build(), run.url("/short")));
    }
}
