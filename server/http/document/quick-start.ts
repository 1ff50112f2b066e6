export function quickStart(origin: string): { name: string; language: string; code: string }[] {
  return [
    { name: 'curl', language: 'sh', code: curl },
    { name: 'TypeScript', language: 'ts', code: typescript },
    { name: 'Python', language: 'py', code: python },
  ].map((program) => ({ ...program, code: program.code.trim().replaceAll('http://localhost:3000', origin) }))
}

const curl = String.raw`
# Read without an account.
curl -s http://localhost:3000/movies/popular

# Log in, then rate a title. The key makes it safe to send the request again.
TOKEN=$(curl -s http://localhost:3000/auth/login \
  -H 'Content-Type: application/json' \
  -d '{"email":"demo@medley.example","password":"medley-demo"}' |
  sed 's/.*"token":"\([^"]*\)".*/\1/')
curl -s http://localhost:3000/reviews \
  -H "Authorization: Bearer $TOKEN" \
  -H 'Content-Type: application/json' \
  -H 'Idempotency-Key: 5f0c1a52-6b1e-4d6f-9a58-0d7d9b6a3c11' \
  -d '{"itemId":1,"rating":5,"text":"Slow, and worth every minute."}'
`

const typescript = `
import { createMedley, unwrap } from '@medley/client'

const baseUrl = 'http://localhost:3000'
const visitor = createMedley({ baseUrl })
const { popular } = unwrap(await visitor.GET('/movies/popular'))
console.log(popular.map(({ name, reviewAverage }) => [name, reviewAverage]))

const { token } = unwrap(
  await visitor.POST('/auth/login', {
    body: { email: 'demo@medley.example', password: 'medley-demo' },
  }),
)
const member = createMedley({ baseUrl, token })
const { review } = unwrap(
  await member.POST('/reviews', {
    body: { itemId: 1, rating: 5, text: 'Slow, and worth every minute.' },
  }),
)
console.log(review.createdAt)

for await (const item of visitor.items('/items', { params: { query: { category: 'Book' } } }))
  console.log(item.name)
`

const python = `
import json
from urllib.request import Request, urlopen

BASE = "http://localhost:3000"


def call(method, path, body=None, token=None):
    headers = {"Accept": "application/json", "Content-Type": "application/json"}
    if token:
        headers["Authorization"] = f"Bearer {token}"
    data = None if body is None else json.dumps(body).encode()
    with urlopen(Request(BASE + path, data, headers, method=method)) as response:
        return json.load(response)


for movie in call("GET", "/movies/popular")["popular"]:
    print(movie["name"], movie["reviewAverage"])

credentials = {"email": "demo@medley.example", "password": "medley-demo"}
token = call("POST", "/auth/login", credentials)["token"]
rating = {"itemId": 1, "rating": 5, "text": "Slow, and worth every minute."}
print(call("POST", "/reviews", rating, token)["review"]["createdAt"])
`
