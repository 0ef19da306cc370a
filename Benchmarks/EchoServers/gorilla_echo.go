// Gorilla's websocket, on one thread.
package main

import (
	"net/http"
	"os"

	"github.com/gorilla/websocket"
)

func main() {
	upgrader := websocket.Upgrader{CheckOrigin: func(*http.Request) bool { return true }}
	http.HandleFunc("/", func(writer http.ResponseWriter, request *http.Request) {
		link, err := upgrader.Upgrade(writer, request, nil)
		if err != nil {
			return
		}
		defer link.Close()
		for {
			kind, message, err := link.ReadMessage()
			if err != nil || link.WriteMessage(kind, message) != nil {
				return
			}
		}
	})
	panic(http.ListenAndServe("127.0.0.1:"+os.Args[1], nil))
}
