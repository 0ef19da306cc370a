// build: g++ -std=c++17 IN -o OUT -lPocoNet -lPocoFoundation
// Loads a URL with POCO: METHOD URL, then @FILE with the content, and fields as NAME: VALUE.
#include <Poco/Exception.h>
#include <Poco/Net/HTTPClientSession.h>
#include <Poco/Net/HTTPRequest.h>
#include <Poco/Net/HTTPResponse.h>
#include <Poco/StreamCopier.h>
#include <Poco/URI.h>
#include <fstream>
#include <iostream>
#include <sstream>

int main(int count, char **words) try {
    Poco::URI url(words[2]);
    auto target = url.getPathAndQuery();
    Poco::Net::HTTPClientSession session(url.getHost(), url.getPort());
    Poco::Net::HTTPRequest request(words[1], target.empty() ? "/" : target, "HTTP/1.1");
    std::string body;
    for (int index = 3; index < count; index++) {
        std::string word = words[index];
        if (word[0] == '@') {
            std::ostringstream content;
            content << std::ifstream(word.substr(1), std::ios::binary).rdbuf();
            body = content.str();
            request.setContentLength(body.size());
        } else {
            request.add(word.substr(0, word.find(": ")), word.substr(word.find(": ") + 2));
        }
    }
    session.sendRequest(request) << body;
    Poco::Net::HTTPResponse reply;
    Poco::StreamCopier::copyStream(session.receiveResponse(reply), std::cout);
} catch (Poco::Exception &failure) {
    std::cerr << failure.displayText() << "\n";
    return 1;
}
