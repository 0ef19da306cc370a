// build: g++ -std=c++17 -pthread IN -o OUT $(pkg-config --cflags --libs cpp-httplib) -lssl -lcrypto -lz -lbrotlidec -lbrotlienc
// Loads a URL with cpp-httplib: METHOD URL, then +follow, @FILE with the content, and fields as NAME: VALUE.
#include <fstream>
#include <httplib.h>
#include <iostream>
#include <iterator>

int main(int count, char **words) {
    std::string url = words[2];
    auto path = url.find('/', url.find("//") + 2);
    httplib::Client client(url.substr(0, path));
    httplib::Request request;
    request.method = words[1];
    request.path = path == std::string::npos ? "/" : url.substr(path);
    for (int index = 3; index < count; index++) {
        std::string word = words[index];
        if (word == "+follow") {
            client.set_follow_location(true);
        } else if (word[0] == '@') {
            std::ifstream file(word.substr(1), std::ios::binary);
            request.body.assign(std::istreambuf_iterator<char>(file), {});
        } else {
            request.headers.emplace(word.substr(0, word.find(": ")), word.substr(word.find(": ") + 2));
        }
    }
    auto reply = client.send(request);
    if (!reply) {
        std::cerr << httplib::to_string(reply.error()) << "\n";
        return 1;
    }
    std::cout << reply->body;
}
