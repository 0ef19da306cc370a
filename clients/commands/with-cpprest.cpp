// build: g++ -std=c++17 IN -o OUT -lcpprest -lboost_system -lcrypto -lssl -pthread
// Loads a URL with the C++ REST SDK: METHOD URL, then @FILE with the content, and fields as NAME: VALUE.
#include <cpprest/http_client.h>
#include <fstream>
#include <iostream>
#include <iterator>

int main(int count, char **words) try {
    web::http::http_request request(words[1]);
    for (int index = 3; index < count; index++) {
        std::string word = words[index];
        if (word[0] == '@') {
            std::ifstream file(word.substr(1), std::ios::binary);
            request.set_body(std::vector<unsigned char>(std::istreambuf_iterator<char>(file), {}));
        } else {
            if (word.rfind("Content-Type: ", 0) == 0) request.headers().remove("Content-Type");
            request.headers().add(word.substr(0, word.find(": ")), word.substr(word.find(": ") + 2));
        }
    }
    auto content = web::http::client::http_client(words[2]).request(request).get().extract_vector().get();
    std::cout.write(reinterpret_cast<char *>(content.data()), content.size());
} catch (std::exception &failure) {
    std::cerr << failure.what() << "\n";
    return 1;
}
