package client

import (
	"net/http"
	"net/http/cookiejar"
	"strings"
	"testing"
	"time"

	"proctor.test/proctor"
)

// The five tests that most suites begin with.

func TestWaitsAsLongAsA429AsksFor(t *testing.T) {
	items := proctor.New(t).On("GET /items").Reply(429, proctor.Headers{"Retry-After": "1"}).Reply(200, "ok").Times(2)
	for ; items.Must(http.Get(items.URL("/items"))).StatusCode == 429; time.Sleep(time.Second) {
	}
	if came := items.Requests(); came[1].Time-came[0].Time < time.Second || came[0].End != "read" {
		t.Errorf("the client waited %v behind a reply that was %q", came[1].Time-came[0].Time, came[0].End)
	}
}

func TestAsksAgainAfterA503(t *testing.T) {
	job := proctor.New(t).On("GET /job").Reply(503).Reply(200, "done").Times(2)
	for job.Must(http.Get(job.URL("/job"))).StatusCode == 503 {
	}
}

func TestASlowBodyEndsInATimeout(t *testing.T) {
	slow := proctor.New(t).On("GET /slow").Reply(200, proctor.Reply{"body": []any{"a", proctor.Reply{"do": "wait 10s"}, "b"}})
	client := http.Client{Timeout: time.Second}
	slow.MustFail(client.Get(slow.URL("/slow")))
}

func TestPostsJSON(t *testing.T) {
	items := proctor.New(t).On("POST /items").Having("json", map[string]string{"name": "a"}).
		Having("headers", proctor.Headers{"Content-Type": "application/json"}).Reply(201, proctor.JSON(map[string]int{"id": 7}))
	items.Must(http.Post(items.URL("/items"), "application/json", strings.NewReader(`{"name":"a"}`))).Want(201, proctor.JSON(map[string]int{"id": 7}))
}

func TestSendsTheCookieOfTheLogin(t *testing.T) {
	stubs := proctor.New(t).On("POST /login").Reply(200, proctor.Headers{"Set-Cookie": "session=1"})
	stubs.On("GET /account").Having("cookies", map[string]string{"session": "1"}).Reply(200, "Ann")
	client := stubs.Client()
	client.Jar, _ = cookiejar.New(nil)
	stubs.Must(client.Post(stubs.URL("/login"), "text/plain", nil))
	stubs.Must(client.Get(stubs.URL("/account"))).Want(200, "Ann")
}
