// Package misbehaving has clients that are wrong, to show what their tests say: each of them fails.
package misbehaving

import (
	"net/http"
	"strings"
	"testing"

	"proctor.test/proctor"
)

// This client keeps the method and the body on a 303.
func postAgain(client *http.Client, url string) error {
	client.CheckRedirect = func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse }
	response, err := client.Post(url, "text/plain", strings.NewReader("a=1"))
	if err != nil {
		return err
	}
	response.Body.Close()
	location, err := response.Location()
	if err != nil {
		return err
	}
	response, err = client.Post(location.String(), "text/plain", strings.NewReader("a=1"))
	if err == nil {
		response.Body.Close()
	}
	return err
}

func TestA303TurnsPostIntoGet(t *testing.T) {
	run := proctor.Run(t, "redirect/303-post-becomes-get")
	if err := postAgain(run.Client(), run.URL("/form")); err != nil {
		t.Fatal(err)
	}
	run.Verdict("follow")
}

// The reply is not the wanted one, and the verdict is a failure too.
func TestABodyIsRead(t *testing.T) {
	run := proctor.Inline(t, `{ "summary": "A page", "exchanges": [{ "request": "GET /page", "reply": { "status": 200 } }] }`)
	run.Must(run.Client().Get(run.URL("/pages"))).Want(200, "a page")
	run.Verdict("")
}

// The client fails before the test asks for a verdict, and the test shows what came by then.
func TestAClientThatFails(t *testing.T) {
	stubs := proctor.New(t).On("GET /page").Reply(200, "a page")
	stubs.MustFail(http.Get(stubs.URL("/page")))
}
