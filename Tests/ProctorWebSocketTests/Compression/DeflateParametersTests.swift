import ProctorWebSocket
import Testing

@Suite struct DeflateParametersTests {
    private func accepted(_ offers: [WebSocketExtension], _ wish: DeflateParameters = DeflateParameters()) -> String? {
        DeflateParameters.accepting(offers, wish: wish)?.webSocketExtension.description
    }

    private func offer(_ parameters: WebSocketExtension.Parameter...) -> WebSocketExtension {
        WebSocketExtension("permessage-deflate", parameters)
    }

    @Test func `the first lawful offer is accepted`() {
        #expect(accepted([]) == nil && accepted([WebSocketExtension("x")]) == nil)
        #expect(accepted([WebSocketExtension("x"), offer()]) == "permessage-deflate")
        #expect(accepted([offer(.init("level", "9"))]) == nil)
        #expect(
            accepted([offer(.init("server_max_window_bits", "7")), offer(.init("server_no_context_takeover"))])
                == "permessage-deflate; server_no_context_takeover")
    }

    @Test func `what was offered is accepted, and narrowed by a wish`() {
        let all = offer(
            .init("server_no_context_takeover"), .init("client_no_context_takeover"),
            .init("server_max_window_bits", "10"), .init("client_max_window_bits", "12"))
        #expect(
            accepted([all])
                == "permessage-deflate; server_no_context_takeover; client_no_context_takeover; "
                + "server_max_window_bits=10; client_max_window_bits=12")
        var wish = DeflateParameters()
        wish.serverWindowBits = 9
        wish.clientWindow = .bits(8)
        wish.clientTakesContextOver = false
        #expect(
            accepted([offer(.init("client_max_window_bits"))], wish)
                == "permessage-deflate; client_no_context_takeover; server_max_window_bits=9; client_max_window_bits=8")
        // Without client_max_window_bits in the offer a server may not ask for it.
        #expect(
            accepted([offer()], wish) == "permessage-deflate; client_no_context_takeover; server_max_window_bits=9")
        #expect(accepted([offer(.init("client_max_window_bits"))]) == "permessage-deflate")
    }
}
