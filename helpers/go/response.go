package proctor

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"reflect"
	"strings"
	"testing"
)

// Response is a reply that a client of net/http got, and its content, which Must has read.
type Response struct {
	*http.Response
	// Body is the whole content; that of the http.Response can be read from its beginning.
	Body []byte
	t    testing.TB
}

// Text is the content.
func (r *Response) Text() string { return string(r.Body) }

// JSON reads the content as JSON into what value points to.
func (r *Response) JSON(value any) error { return json.Unmarshal(r.Body, value) }

// Must is the reply of a client, read to its end; a client that fails, also within the content, ends the test:
//
//	run.Must(client.Get(run.URL("/items"))).Want(200, "ok")
func (r *TestRun) Must(response *http.Response, err error) *Response {
	r.t.Helper()
	content, err := contentOf(response, err)
	if err != nil {
		r.t.Fatalf("proctor: the client failed, and had to get the reply: %v", err)
	}
	response.Body = io.NopCloser(bytes.NewReader(content))
	return &Response{Response: response, Body: content, t: r.t}
}

// MustFail is the error of a client that has to fail, before the reply or within its content; a reply that comes whole ends the test.
func (r *TestRun) MustFail(response *http.Response, err error) error {
	r.t.Helper()
	content, err := contentOf(response, err)
	if err == nil {
		r.t.Fatalf("proctor: the client had to fail, and got the reply %s with content of %d bytes", response.Status, len(content))
	}
	return err
}

func contentOf(response *http.Response, err error) ([]byte, error) {
	if err != nil {
		return nil, err
	}
	if response == nil {
		return nil, errors.New("neither a reply nor an error came")
	}
	content, err := io.ReadAll(response.Body)
	response.Body.Close()
	return content, err
}

// Must is that of the run.
func (s *Stubs) Must(response *http.Response, err error) *Response {
	s.t.Helper()
	return s.Run().Must(response, err)
}

// MustFail is that of the run.
func (s *Stubs) MustFail(response *http.Response, err error) error {
	s.t.Helper()
	return s.Run().MustFail(response, err)
}

// Want fails the test where the reply differs from parts as a stub's Reply takes them: a status, the content as a string or a []byte or as
// JSON(…), which is compared by its meaning, and Headers{…}.
func (r *Response) Want(parts ...any) {
	r.t.Helper()
	for _, part := range parts {
		switch wanted := part.(type) {
		case int:
			r.compare("status", r.StatusCode, wanted, r.StatusCode == wanted)
		case string:
			r.compare("content", r.Text(), wanted, r.Text() == wanted)
		case []byte:
			r.compare("content", r.Body, wanted, bytes.Equal(r.Body, wanted))
		case jsonContent:
			text, isEqual := equalJSON(r.Body, wanted.value)
			r.compare("content", r.Text(), text, isEqual)
		case Headers:
			for name, value := range wanted {
				values, isList := value.([]string)
				if !isList {
					values = []string{fmt.Sprint(value)}
				}
				came := r.Header.Values(name)
				r.compare("field "+name, strings.Join(came, ", "), strings.Join(values, ", "), reflect.DeepEqual(came, values))
			}
		default:
			r.t.Fatalf("proctor: Want has a status, a string, bytes, JSON(…) and Headers{…}, found %T; for JSON write proctor.JSON(…)", part)
		}
	}
}

// equalJSON says whether a text is JSON of the same meaning as a value, and writes the value.
func equalJSON(came []byte, wanted any) (text string, isEqual bool) {
	written, err := json.Marshal(wanted)
	if err != nil {
		return err.Error(), false
	}
	var one, other any
	isEqual = json.Unmarshal(came, &one) == nil && json.Unmarshal(written, &other) == nil && reflect.DeepEqual(one, other)
	return string(written), isEqual
}

// compare tells a part that differs; of long content it shows the beginning.
func (r *Response) compare(part string, came, wanted any, isEqual bool) {
	r.t.Helper()
	if isEqual {
		return
	}
	request := ""
	if r.Request != nil {
		request = " to " + r.Request.Method + " " + r.Request.URL.Path
	}
	r.t.Errorf("proctor: the reply%s has the %s %s; wanted %s", request, part, shown(came), shown(wanted))
}

func shown(value any) string {
	if number, isNumber := value.(int); isNumber {
		return fmt.Sprint(number)
	}
	return fmt.Sprintf("%.300q", value)
}
