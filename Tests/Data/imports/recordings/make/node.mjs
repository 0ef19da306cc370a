// Requests of Node by its fetch: node.mjs PORT
const base = `http://127.0.0.1:${process.argv[2]}`
const read = async (path, options) => (await fetch(base + path, options)).text()
await read('/old')
await read('/zip')
await read('/chunks')
await read('/echo', { method: 'POST', body: new URLSearchParams({ a: '1', b: 'two words' }) })
await read('/file', { headers: { Range: 'bytes=2-5' } })
process.exit(0)
