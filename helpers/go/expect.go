package proctor

import (
	"encoding/json"
	"strings"
)

// Reply is a reply as a fixture has it (Docs/format/replies.md): Reply{"status": 429, "headers": map[string]string{"Retry-After": "0"}}.
// Its status is 200 unless it says otherwise.
type Reply map[string]any

// Exchange is what is asked and what is replied, made by On.
type Exchange struct {
	request string
	replies []any
	more    map[string]any
}

// On is an exchange: what is asked, as "GET /job", and the reply to each time, in turn; the last one stays. An int is a status, a
// string is a body; without any the reply is an empty 200.
func On(request string, replies ...any) Exchange {
	exchange := Exchange{request: request, more: map[string]any{}}
	for _, reply := range replies {
		switch value := reply.(type) {
		case int:
			reply = Reply{"status": value}
		case string:
			reply = Reply{"status": 200, "body": value}
		case Reply:
			full := Reply{"status": 200}
			for key, part := range value {
				full[key] = part
			}
			reply = full
		}
		exchange.replies = append(exchange.replies, reply)
	}
	if len(exchange.replies) == 0 {
		exchange.replies = []any{Reply{"status": 200}}
	}
	return exchange
}

// With adds a pattern to what is asked, such as "json", "headers", "cookies" or "query", or "times" or "optional" to the exchange.
func (e Exchange) With(key string, value any) Exchange {
	more := map[string]any{key: value}
	for known, pattern := range e.more {
		if known != key {
			more[known] = pattern
		}
	}
	e.more = more
	return e
}

// MarshalJSON writes the exchange as a fixture has it.
func (e Exchange) MarshalJSON() ([]byte, error) {
	fixture := map[string]any{"request": e.request, "reply": e.replies}
	method, target, _ := strings.Cut(e.request, " ")
	path, query, hasQuery := strings.Cut(target, "?")
	request := map[string]any{"method": method, "path": path}
	if hasQuery {
		request["query"] = query
	}
	for key, value := range e.more {
		if key == "times" || key == "optional" {
			fixture[key] = value
		} else {
			request[key] = value
			fixture["request"] = request
		}
	}
	return json.Marshal(fixture)
}

// Result is what the client made of the reply to a step: Result{"status": 200, "body": body}, or Result{"error": "connectionLost"}.
// A body is a string or a []byte.
type Result map[string]any

// MarshalJSON writes content that may be no text in base64.
func (r Result) MarshalJSON() ([]byte, error) {
	facts := map[string]any{}
	for name, fact := range r {
		if body, isBytes := fact.([]byte); isBytes {
			fact = map[string]any{"base64": body}
		}
		facts[name] = fact
	}
	return json.Marshal(facts)
}
