package misbehaving;

import static java.net.http.HttpResponse.BodyHandlers.ofString;
import static org.junit.jupiter.api.Assertions.assertEquals;

import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import org.junit.jupiter.api.Test;
import proctor.Run;
import proctor.Scenario;

/** Clients that are wrong, to show what their tests say: each of them fails. */
class MisbehavingTest {
    /** This client keeps the method and the body on a 303. */
    @Test
    @Scenario(value = "redirect/303-post-becomes-get", verdict = "follow")
    void a303TurnsPostIntoGet(Run run) throws Exception {
        var client = run.client().build();
        var form = HttpRequest.newBuilder(run.url("/form")).POST(BodyPublishers.ofString("a=1"));
        var location = client.send(form.build(), ofString()).headers().firstValue("Location").orElseThrow();
        client.send(form.uri(run.url("/form").resolve(location)).build(), ofString());
    }

    /** The test fails before a verdict is asked for, and shows what came by then. */
    @Test
    @Scenario(yaml = """
        summary: A page
        exchanges: [{ request: GET /page, reply: { status: 200 } }]
        """, verdict = "")
    void aPageIsThere(Run run) throws Exception {
        var request = HttpRequest.newBuilder(run.url("/pages")).build();
        assertEquals(200, run.client().build().send(request, ofString()).statusCode());
    }
}
