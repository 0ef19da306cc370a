// A server of HTTP/2 without TLS: h2.mjs PORT
import http2 from 'node:http2'
import zlib from 'node:zlib'
http2
  .createServer()
  .on('stream', (stream, headers) => {
    if (headers[':path'] === '/zip') {
      stream.respond({ ':status': 200, 'content-type': 'text/plain', 'content-encoding': 'gzip' })
      stream.end(zlib.gzipSync('two '.repeat(200)))
    } else if (headers[':path'] === '/old') {
      stream.respond({ ':status': 302, location: '/hello' })
      stream.end()
    } else {
      stream.respond({ ':status': 200, 'content-type': 'text/plain', 'set-cookie': ['a=1a2b3c4d5e', 'b=5e4d3c2b1a'] })
      stream.end('hello over HTTP/2\n')
    }
  })
  .listen(Number(process.argv[2]), '127.0.0.1')
