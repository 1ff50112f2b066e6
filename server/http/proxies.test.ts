import { execFileSync, spawn } from 'node:child_process'
import { once } from 'node:events'
import { chmodSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { createServer, type ServerResponse } from 'node:http'
import { type AddressInfo, connect, createServer as createTcpServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, expect, onTestFinished, test } from 'vitest'

/** The configurations of docs/running.md, without TLS, with shorter times and for five connections. */
const documented = readFileSync(join(import.meta.dirname, '../../docs/running.md'), 'utf8')
const patience = { timeout: 15_000, interval: 20 }

function blockOf(file: string): string {
  const [, block] = new RegExp(`cat > ${file} <<'END'\\n([\\s\\S]*?)\\n *END\\n`).exec(documented)!
  return block!
}

const proxies = {
  nginx: (port: number, upstream: number, folder: string) => {
    const site = blockOf('/etc/nginx/sites-available/medley')
      .replace(/server \{\n {2}listen 80;[\s\S]*?\n\}\n/, '')
      .replace(/ {2}listen 443.*\n/, `  listen 127.0.0.1:${port};\n`)
      .replaceAll(/ {2}(listen \[|ssl_).*\n/g, '')
      .replace('client_header_timeout 10s', 'client_header_timeout 1s')
      .replace('limit_conn medley 500', 'limit_conn medley 5')
      .replace('127.0.0.1:3000', `127.0.0.1:${upstream}`)
    const temporary = ['client_body', 'proxy', 'fastcgi', 'uwsgi', 'scgi']
      .map((name) => `${name}_temp_path ${folder}/${name};`)
      .join('\n')
    const config = `daemon off; pid ${folder}/pid; error_log ${folder}/error;\nevents {}\nhttp {\naccess_log off;\n${temporary}\n${site}\n}`
    return { config, args: ['-p', folder, '-c', join(folder, 'config'), '-e', join(folder, 'error')] }
  },
  caddy: (port: number, upstream: number, folder: string) => {
    const config = blockOf('/etc/caddy/Caddyfile')
      .replace('{\n', '{\nadmin off\nauto_https off\n')
      .replace('read_header 10s', 'read_header 1s')
      .replace('medley.example.org', `http://127.0.0.1:${port}`)
      .replace('127.0.0.1:3000', `127.0.0.1:${upstream}`)
    return { config, args: ['run', '--adapter', 'caddyfile', '--config', join(folder, 'config')] }
  },
}

function isInstalled(program: string): boolean {
  try {
    execFileSync('which', [program])
    return true
  } catch {
    return false
  }
}

async function aFreePort(): Promise<number> {
  const server = createTcpServer().listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  server.close()
  return port
}

/** Starts the proxy in front of a server whose responses wait for `answer`. */
async function aProxy(name: keyof typeof proxies) {
  const folder = mkdtempSync(join(tmpdir(), 'medley-proxy-'))
  // If root runs the tests, nginx keeps bodies there as another user.
  chmodSync(folder, 0o755)
  const waiting: { url: string; response: ServerResponse }[] = []
  const seen: string[] = []
  const upstream = createServer((request, response) => {
    seen.push(request.url!)
    waiting.push({ url: request.url!, response })
  }).listen(0, '127.0.0.1')
  await once(upstream, 'listening')
  const port = await aFreePort()
  const { config, args } = proxies[name](port, (upstream.address() as AddressInfo).port, folder)
  writeFileSync(join(folder, 'config'), config)
  const program = spawn(name, args, { stdio: 'ignore', env: { ...process.env, HOME: folder } })
  const exited = once(program, 'exit')
  onTestFinished(async () => {
    program.kill('SIGTERM')
    upstream.closeAllConnections()
    upstream.close()
    await exited
    rmSync(folder, { recursive: true, force: true })
  })
  const open = async (text: string) => {
    const socket = connect(port, '127.0.0.1')
    onTestFinished(() => void socket.destroy())
    await once(socket, 'connect')
    let received = ''
    let isClosed = false
    socket.on('data', (chunk) => (received += chunk.toString()))
    socket.on('error', () => {}).on('close', () => (isClosed = true))
    socket.write(text)
    return { socket, received: () => received, isClosed: () => isClosed }
  }
  const isListening = () =>
    open('').then(
      ({ socket }) => Boolean(socket.destroy()),
      () => false,
    )
  await expect.poll(isListening, patience).toBe(true)
  const answer = (url: string) => waiting.find((one) => one.url === url)!.response.end(url)
  return { open, answer, seen }
}

const get = (path: string) => `GET ${path} HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n`

describe.each(Object.keys(proxies) as (keyof typeof proxies)[])('behind %s as documented', (name) => {
  const isMissing = !isInstalled(name)

  test.skipIf(isMissing)('a request reaches the server once its body is complete', async () => {
    const { open, answer, seen } = await aProxy(name)
    const body = 'x'.repeat(100_000)
    const { socket, received } = await open(
      `POST /held HTTP/1.1\r\nHost: 127.0.0.1\r\nContent-Length: ${body.length}\r\n\r\n${body.slice(1)}`,
    )
    const other = await open(get('/other'))
    await expect.poll(() => seen, patience).toContain('/other')
    answer('/other')
    await expect.poll(other.received, patience).toContain('200 OK')
    expect(seen).not.toContain('/held')
    socket.write('x')
    await expect.poll(() => seen, patience).toContain('/held')
    answer('/held')
    await expect.poll(received, patience).toContain('200 OK')
  })

  test.skipIf(isMissing)(
    'a request whose headers are held back ends, and does not reach the server',
    async () => {
      const { open, seen } = await aProxy(name)
      const { socket, isClosed } = await open('GET /held HTTP/1.1\r\nHost: 127.0.0.1\r\nA: ')
      const dripping = setInterval(() => socket.write('x'), 50)
      await expect.poll(isClosed, patience).toBe(true)
      clearInterval(dripping)
      expect(seen).toEqual([])
    },
  )

  test.skipIf(isMissing)('pipelined requests reach the server one after the other', async () => {
    const { open, answer, seen } = await aProxy(name)
    const { received } = await open(get('/1') + get('/2') + get('/3'))
    const other = await open(get('/other'))
    await expect.poll(() => seen.toSorted(), patience).toEqual(['/1', '/other'])
    answer('/other')
    await expect.poll(other.received, patience).toContain('200 OK')
    expect(seen).not.toContain('/2')
    for (const path of ['/1', '/2', '/3']) {
      await expect.poll(() => seen, patience).toContain(path)
      answer(path)
    }
    await expect.poll(() => received().match(/200 OK/g)?.length, patience).toBe(3)
  })
})

test.skipIf(!isInstalled('nginx'))('nginx as documented limits the connections of an address', async () => {
  const { open, seen } = await aProxy('nginx')
  const clients = await Promise.all(Array.from({ length: 8 }, (_, at) => open(get(`/${at}`))))
  const refused = () => clients.filter(({ received }) => received().includes(' 503 ')).length
  await expect.poll(refused, patience).toBe(3)
  expect(seen).toHaveLength(5)
})
