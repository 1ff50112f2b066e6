import { type ChildProcess, spawn } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import type { IncomingMessage } from 'node:http'
import { request as httpRequest } from 'node:http'
import { request as httpsRequest } from 'node:https'
import { type AddressInfo, createServer } from 'node:net'
import { once } from 'node:events'
import { tmpdir, userInfo } from 'node:os'
import { join } from 'node:path'
import { json, text } from 'node:stream/consumers'
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest'
import { importFileBytesMax } from '#shared/domain/limits.ts'
import { messages } from '#shared/texts/messages.ts'
import { installedPackage } from '#scripts/testing/debian.ts'
import { aDataFolder, type Program, startProgram } from '#scripts/testing/program.ts'
import { formWith } from '#scripts/testing/form.ts'

/**
 * The files that docs/running.md writes: Debian’s systemd checks its units, and Debian’s nginx and Caddy run with theirs in front
 * of a server in production. Only ports and, for nginx, the paths of the certificate are replaced; Caddy issues its own.
 */
const host = 'medley.example.org'
const documentation = readFileSync(join(import.meta.dirname, '../../docs/running.md'), 'utf8')
const folder = mkdtempSync(join(tmpdir(), 'medley-proxies-'))
const data = aDataFolder()
let server: Program
beforeAll(async () => {
  server = await startProgram({
    DATA_DIR: data.folder,
    NODE_ENV: 'production',
    DEMO: 'on',
    RATE_LIMITS: 'on',
    PUBLIC_URL: `https://${host}`,
    TRUST_PROXY: 'on',
  })
})
afterAll(async () => {
  await server.end()
  data.remove()
  rmSync(folder, { recursive: true, force: true })
})

/** Returns the content of a file that the documentation writes with `cat > path <<'END'`. */
function documented(path: string): string {
  const [, indentation, content] =
    new RegExp(`^( *)cat > ${path} <<'END'\\n(.*?)^ *END$`, 'ms').exec(documentation) ?? []
  if (content === undefined) throw new Error(`docs/running.md does not write ${path}.`)
  return content.replaceAll(new RegExp(`^${indentation}`, 'gm'), '')
}

async function freePort(): Promise<number> {
  const holder = createServer().listen(0, '127.0.0.1')
  await once(holder, 'listening')
  const { port } = holder.address() as AddressInfo
  await new Promise((resolve) => holder.close(resolve))
  return port
}

type Ports = { http: number; https: number }
type Command = [command: string, ...args: string[]]
/** Writes the configuration of each proxy, and returns the command that runs it in the foreground. */
const proxies: Record<string, (ports: Ports, backend: string) => Command> = {
  nginx({ http, https }, backend) {
    const [certificate, key] = [join(folder, 'certificate.pem'), join(folder, 'key.pem')]
    const site = documented('/etc/nginx/sites-available/medley')
      .replace('127.0.0.1:3000', backend)
      .replaceAll(
        /listen (?:\[::\]:)?(80|443)/g,
        (_, port) => `listen 127.0.0.1:${port === '80' ? http : https}`,
      )
      .replace(/(?<=ssl_certificate ).*(?=;)/, certificate)
      .replace(/(?<=ssl_certificate_key ).*(?=;)/, key)
      // Both addresses of each port have become the same one.
      .split('\n')
      .filter((line, at, lines) => !line.includes('listen') || lines.indexOf(line) === at)
      .join('\n')
    writeFileSync(join(folder, 'site'), site)
    const temporary = ['client_body', 'proxy', 'fastcgi', 'uwsgi', 'scgi']
    const http_ = temporary.map((name) => `${name}_temp_path ${folder}/${name};`).join(' ')
    const main = `user ${userInfo().username}; daemon off; pid ${folder}/pid; error_log stderr; events {} http { access_log off; ${http_} include ${folder}/site; }`
    writeFileSync(join(folder, 'nginx.conf'), main)
    return ['nginx', '-p', folder, '-c', join(folder, 'nginx.conf')]
  },
  caddy({ http, https }, backend) {
    const options = `{\n  admin off\n  http_port ${http}\n  https_port ${https}\n  local_certs\n  skip_install_trust\n`
    // The documented options are in the first block.
    const site = documented('/etc/caddy/Caddyfile')
      .replace('127.0.0.1:3000', backend)
      .replace(/^\{\n/, options)
    writeFileSync(join(folder, 'Caddyfile'), site)
    return ['caddy', 'run', '--config', join(folder, 'Caddyfile')]
  },
}

type Sent = { method?: string; headers?: Record<string, string>; body?: string | Buffer; from?: string }

const executables = Object.fromEntries(
  Object.keys(proxies).map((name) => [name, installedPackage(name)] as const),
)
const systemd = installedPackage('systemd-analyze', 'systemd')
for (const [name, path] of Object.entries({ ...executables, systemd }))
  if (!path) console.log(`Skipped: there is no ${name}, and Debian’s package cannot be installed.`)

test.skipIf(!systemd)('systemd accepts the documented units', async () => {
  const units = ['medley.service', 'medley-backup.service', 'medley-backup.timer']
  for (const unit of units)
    writeFileSync(
      join(folder, unit),
      documented(`/etc/systemd/system/${unit}`).replace('/usr/local/bin/medley', process.execPath),
    )
  const verify = spawn(systemd!, ['verify', ...units.map((unit) => join(folder, unit))])
  const [output, [code]] = await Promise.all([text(verify.stderr), once(verify, 'exit')])
  expect(output.split('\n').filter((line) => line.includes('medley'))).toEqual([])
  expect(code).toBe(0)
})

describe.each(Object.keys(executables).filter((name) => executables[name]))('%s, as documented', (name) => {
  let child: ChildProcess
  let ports: Ports
  const log: string[] = []
  beforeAll(async () => {
    ports = { http: await freePort(), https: await freePort() }
    await issueCertificate()
    const [, ...args] = proxies[name]!(ports, new URL(server.url).host)
    const env = { ...process.env, HOME: folder, XDG_DATA_HOME: folder, XDG_CONFIG_HOME: folder }
    child = spawn(executables[name]!, args, { env, stdio: ['ignore', 'pipe', 'pipe'] })
    for (const stream of [child.stdout!, child.stderr!])
      stream.on('data', (chunk: Buffer) => log.push(chunk.toString()))
    await vi.waitFor(async () => expect((await send('/healthz')).statusCode, log.join('')).toBe(200), {
      timeout: 60_000,
    })
  })
  afterAll(async () => {
    // nginx ends its worker too; Caddy would wait for open streams.
    child.kill(name === 'nginx' ? 'SIGTERM' : 'SIGKILL')
    if (child.exitCode === null) await once(child, 'exit')
  })

  function send(path: string, { method = 'GET', headers = {}, body, from = '127.0.0.1' }: Sent = {}) {
    return new Promise<IncomingMessage>((resolve, reject) => {
      const length = body === undefined ? {} : { 'content-length': String(Buffer.byteLength(body)) }
      httpsRequest({
        host: '127.0.0.1',
        port: ports.https,
        servername: host,
        rejectUnauthorized: false,
        localAddress: from,
        path,
        method,
        headers: { host, ...length, ...headers },
      })
        .on('response', resolve)
        .on('error', reject)
        .end(body)
    })
  }
  const post = (path: string, input: object, options: Sent = {}) =>
    send(path, {
      ...options,
      method: 'POST',
      headers: { 'content-type': 'application/json', ...options.headers },
      body: JSON.stringify(input),
    })
  const logIn = async () => {
    const response = await post('/auth/login', { email: 'demo@medley.example', password: 'medley-demo' })
    return ((await json(response)) as { token: string }).token
  }
  const findMovieId = async () => {
    const { popular } = (await json(await send('/movies/popular'))) as { popular: { id: number }[] }
    return popular[0]!.id
  }

  test('redirects http to https', async () => {
    const sent = httpRequest({
      host: '127.0.0.1',
      port: ports.http,
      path: '/movies/1?a=b',
      headers: { host },
    }).end()
    const [response] = (await once(sent, 'response')) as [IncomingMessage]
    response.resume()
    expect([301, 308]).toContain(response.statusCode)
    expect(response.headers.location).toBe(`https://${host}/movies/1?a=b`)
  })

  test('responses have one Strict-Transport-Security, for this host only, and the server’s own headers', async () => {
    const response = await send('/movies/popular')
    expect(await json(response)).toHaveProperty('popular.0.id')
    const values = (header: string) =>
      response.rawHeaders.filter(
        (_value, at) => at % 2 && response.rawHeaders[at - 1]!.toLowerCase() === header,
      )
    expect(values('strict-transport-security')).toEqual(['max-age=31536000'])
    for (const header of ['content-security-policy', 'etag', 'x-request-id', 'cache-control'])
      expect(values(header), header).toHaveLength(1)
  })

  test('a client’s failed logins count for its own address, whatever it claims, and not for others', async () => {
    const [attacker, other] = name === 'nginx' ? ['127.0.0.21', '127.0.0.22'] : ['127.0.0.31', '127.0.0.32']
    const guess = async (from: string, claimed: string) => {
      const input = { email: `${claimed}@example.org`, password: 'wrong' }
      const response = await post('/auth/login', input, { from, headers: { 'x-forwarded-for': claimed } })
      response.resume()
      return response.statusCode
    }
    for (let at = 0; at < 20; at++) expect(await guess(attacker!, `203.0.113.${at}`)).toBe(401)
    expect(await guess(attacker!, '203.0.113.99')).toBe(429)
    expect(await guess(other!, '203.0.113.99')).toBe(401)
  })

  test('live events arrive as they happen, and a stream stays open', async () => {
    const [token, movieId] = [await logIn(), await findMovieId()]
    const stream = await send(`/reviews/live?movieId=${movieId}`)
    expect(stream.headers['content-type']).toBe('text/event-stream')
    let received = ''
    stream.on('data', (chunk: Buffer) => (received += chunk.toString())).on('error', () => {})
    await expect.poll(() => received).toContain('data: ')
    const before = received.length
    const written = await post(
      '/reviews',
      { movieId, rating: name === 'nginx' ? 2 : 3, text: '' },
      {
        headers: { authorization: `Bearer ${token}` },
      },
    )
    expect(written.statusCode).toBeLessThan(300)
    await expect.poll(() => received.slice(before)).toContain('data: ')
    expect(stream.complete).toBe(false)
    stream.destroy()
  })

  test('imports of 32 MB and pictures of 5 MB reach the server', async () => {
    const token = await logIn()
    const sendFile = async (path: string, bytes: number, field: string) => {
      const { headers, payload } = formWith(Buffer.alloc(bytes, 'no'), 'file.zip', field)
      const response = await send(path, {
        method: 'POST',
        headers: { ...headers, authorization: `Bearer ${token}` },
        body: payload,
      })
      return [response.statusCode, await text(response)]
    }
    expect(await sendFile('/upload', 4_900_000, 'image')).toEqual([
      415,
      expect.stringContaining(messages.uploadNotAPicture),
    ])
    expect(await sendFile('/imports', importFileBytesMax - 1_000, 'file')).toEqual([
      400,
      expect.stringContaining('{"'),
    ])
  })
})

/** Writes a self-signed certificate, as `certbot` would write one of Let’s Encrypt. */
async function issueCertificate(): Promise<void> {
  const args = [
    'req',
    '-x509',
    '-newkey',
    'ec',
    '-pkeyopt',
    'ec_paramgen_curve:P-256',
    '-nodes',
    '-days',
    '2',
  ]
  const files = ['-keyout', join(folder, 'key.pem'), '-out', join(folder, 'certificate.pem')]
  const openssl = spawn('openssl', [...args, ...files, '-subj', `/CN=${host}`], { stdio: 'ignore' })
  const [code] = (await once(openssl, 'exit')) as [number]
  expect(code).toBe(0)
}
