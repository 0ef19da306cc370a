package proctor

import (
	"encoding/base64"
	"encoding/json"
	"strings"
	"time"
)

// Request is one that came.
type Request struct {
	Method, Target string
	// Fields has names and values in order; a name may come twice.
	Fields [][2]string
	// Body is the content without its codings, or as it came where it is not what they say; CodedBody is as it came.
	Body, CodedBody []byte
	// Stub is the one that answered it, nil where none did.
	Stub *Stub
	// Time is when its head came, by a clock that does not jump: the difference of two is what they are apart.
	Time time.Duration
	// Messages are those that the client sent on the WebSocket that it opened; Ping, Pong and Close are none.
	Messages []Message
	// End is how it ended: "read" where its reply was sent to its end, "left" where the client closed the connection before, "reset" where
	// it reset that or the stream, and "" while it is under way, or where the server ended it.
	End string
}

// Message is one of a WebSocket; a text has UTF-8.
type Message struct {
	IsText  bool
	Content []byte
}

// Text is the content.
func (m Message) Text() string { return string(m.Content) }

// Header is the values of a field, joined by commas (RFC 9110 §5.3), and whether it came.
func (r Request) Header(name string) (value string, has bool) {
	var values []string
	for _, field := range r.Fields {
		if strings.EqualFold(field[0], name) {
			values = append(values, field[1])
		}
	}
	return strings.Join(values, ", "), values != nil
}

// Text is the content.
func (r Request) Text() string { return string(r.Body) }

// JSON reads the content as JSON into what value points to.
func (r Request) JSON(value any) error { return json.Unmarshal(r.Body, value) }

// Requests are the requests of the run so far, in the order in which they came.
func (r *TestRun) Requests() []Request {
	r.t.Helper()
	var order []float64
	found := map[float64]*Request{}
	for _, line := range r.Journal() {
		number, _ := line["request"].(float64)
		request := found[number]
		switch event := line["ev"]; {
		case event == "requestHead":
			order = append(order, number)
			request = &Request{Method: string(kept(line, "method")), Target: string(kept(line, "target"))}
			instant, _ := line["ns"].(float64)
			request.Time = time.Duration(instant)
			pairs, _ := line["fields"].([]any)
			for _, pair := range pairs {
				if field, isPair := pair.([]any); isPair && len(field) == 2 {
					request.Fields = append(request.Fields, [2]string{text(field[0]), text(field[1])})
				}
			}
			found[number] = request
		case event == "webSocketFrame" && request != nil && line["by"] == "client":
			if message, isWhole := line["message"].(map[string]any); isWhole && (message["kind"] == "text" || message["kind"] == "binary") {
				request.Messages = append(request.Messages, Message{message["kind"] == "text", kept(message, "content")})
			}
		case event == "replySent" && request != nil:
			request.End = "read"
		case event == "replyAborted" && request != nil:
			request.End, _ = line["client"].(string)
		case event == "requestBody" && request != nil:
			request.CodedBody = kept(line, "body")
			request.Body = request.CodedBody
			if decoded, isCoded := line["decoded"].(map[string]any); isCoded {
				request.Body = kept(decoded, "body")
			}
		case event == "exchangeChosen" && request != nil:
			if place, isNumber := line["exchange"].(float64); isNumber && int(place) < len(r.stubs) {
				request.Stub = r.stubs[int(place)]
			}
		}
	}
	requests := make([]Request, len(order))
	for index, number := range order {
		requests[index] = *found[number]
	}
	return requests
}

// kept is bytes of the journal: a text, or base64 where they are none.
func kept(line map[string]any, key string) []byte {
	if packed, has := line[key+"Base64"].(string); has {
		return unpacked(packed)
	}
	plain, _ := line[key].(string)
	return []byte(plain)
}

func text(value any) string {
	if packed, isPacked := value.(map[string]any); isPacked {
		content, _ := packed["base64"].(string)
		return string(unpacked(content))
	}
	plain, _ := value.(string)
	return plain
}

func unpacked(text string) []byte {
	bytes, _ := base64.StdEncoding.DecodeString(text)
	return bytes
}
