import { afterAll, expect, test } from 'vitest'
import { buildApp } from '#server/app.ts'
import { originOf } from '#server/config.ts'
import { noWeb } from '#server/http/pages/web.ts'
import { aServer } from '#server/testing.ts'

const server = await aServer()
const config = { ...server.config, port: 3000, publicUrl: 'http://localhost:3000' }
const app = await buildApp({ ...server.services, config }, { web: noWeb })
afterAll(() => app.close())

const open = (host: string, url = '/verify-email?token=one', mode = 'navigate') =>
  app.inject({ url, headers: { host, accept: 'text/html', 'sec-fetch-mode': mode } })

test('a page that is opened under another name of this machine is at PUBLIC_URL, to which links in emails lead', async () => {
  for (const host of ['127.0.0.1:3000', '[::1]:3000']) {
    const { statusCode, headers } = await open(host)
    expect([statusCode, headers['location'], headers['cache-control']]).toEqual([
      302,
      'http://localhost:3000/verify-email?token=one',
      'no-store',
    ])
  }
  // Its path cannot name another host.
  expect((await open('127.0.0.1:3000', '//evil.example/')).headers['location']).toBe(
    'http://localhost:3000//evil.example/',
  )
})

test('no other host, port or call is redirected, and nothing without PUBLIC_URL', async () => {
  for (const host of ['localhost:3000', '127.0.0.1:3001', 'evil.example', 'medley.example:3000', '127.0.0.1'])
    expect((await open(host)).headers['location'], host).toBeUndefined()
  expect((await open('127.0.0.1:3000', '/movies/popular', 'cors')).headers['location']).toBeUndefined()
  const listening = { ...config, publicUrl: originOf(config) }
  const other = await buildApp({ ...server.services, config: listening }, { web: noWeb })
  const headers = { host: 'localhost:3000', accept: 'text/html', 'sec-fetch-mode': 'navigate' }
  expect((await other.inject({ url: '/', headers })).headers['location']).toBeUndefined()
  await other.close()
})
