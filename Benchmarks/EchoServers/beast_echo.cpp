// Boost.Beast with one thread of Asio.
#include <boost/asio.hpp>
#include <boost/beast/core.hpp>
#include <boost/beast/websocket.hpp>
#include <cstdlib>
#include <memory>

namespace net = boost::asio;
namespace websocket = boost::beast::websocket;
using tcp = net::ip::tcp;

struct session : std::enable_shared_from_this<session> {
    websocket::stream<tcp::socket> link;
    boost::beast::flat_buffer buffer;

    explicit session(tcp::socket socket) : link(std::move(socket)) {
        link.read_message_max(64 << 20);
        link.auto_fragment(false);
    }

    void run() {
        link.next_layer().set_option(tcp::no_delay(true));
        link.async_accept([self = shared_from_this()](boost::system::error_code error) {
            if (!error) self->read();
        });
    }

    void read() {
        link.async_read(buffer, [self = shared_from_this()](boost::system::error_code error, std::size_t) {
            if (!error) self->write();
        });
    }

    void write() {
        link.text(link.got_text());
        link.async_write(buffer.data(), [self = shared_from_this()](boost::system::error_code error, std::size_t count) {
            if (error) return;
            self->buffer.consume(count);
            self->read();
        });
    }
};

static void accept(tcp::acceptor &acceptor) {
    acceptor.async_accept([&acceptor](boost::system::error_code error, tcp::socket socket) {
        if (!error) std::make_shared<session>(std::move(socket))->run();
        accept(acceptor);
    });
}

int main(int, char **arguments) {
    net::io_context loop{1};
    tcp::acceptor acceptor(loop, {net::ip::make_address("127.0.0.1"), (unsigned short)std::atoi(arguments[1])});
    accept(acceptor);
    loop.run();
}
