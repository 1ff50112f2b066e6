// The script of /docs: the filter, the token and the forms that try calls. Plain JavaScript, served as it is.

try {
  const theme = localStorage.getItem('theme')
  if (theme === 'light' || theme === 'dark') document.documentElement.dataset.theme = theme
} catch {
  // Storage is switched off: the theme is the system’s.
}

const tokenField = document.querySelector('#token-field')
try {
  tokenField.value = sessionStorage.getItem('docs-token') ?? localStorage.getItem('token') ?? ''
} catch {
  // Storage is switched off: the token is not kept.
}
tokenField.addEventListener('input', () => {
  try {
    sessionStorage.setItem('docs-token', tokenField.value.trim())
  } catch {
    // As above.
  }
})
document.querySelector('#token').addEventListener('submit', (event) => event.preventDefault())

const calls = [...document.querySelectorAll('main section details.call')]
const texts = calls.map((call) => call.querySelector('summary').textContent.toLowerCase())
const found = document.querySelector('#found')

const sections = document.querySelectorAll('main > section:has(details.call)')
document.querySelector('#filter').addEventListener('input', ({ target }) => {
  const words = target.value.toLowerCase().split(/\s+/).filter(Boolean)
  let count = 0
  for (const [index, call] of calls.entries()) {
    call.hidden = !words.every((word) => texts[index].includes(word))
    if (!call.hidden) count++
  }
  for (const section of sections) {
    section.hidden = [...section.querySelectorAll('details.call')].every((call) => call.hidden)
    section.querySelector('details.group').open = words.length > 0
  }
  document.querySelector('main').toggleAttribute('data-filtered', words.length > 0)
  found.textContent = words.length === 0 ? '' : `${count} found`
})

/** Opens the call or schema that the address names. */
function openTarget() {
  const target = location.hash && document.getElementById(location.hash.slice(1))
  if (!(target instanceof HTMLDetailsElement)) return
  target.closest('details.group')?.setAttribute('open', '')
  target.open = true
  target.scrollIntoView()
}
addEventListener('hashchange', openTarget)
openTarget()

for (const button of document.querySelectorAll('button.try'))
  button.addEventListener('click', () => button.replaceWith(formOf(button)))

/** Returns the form that sends a call. */
function formOf(button) {
  const { method, path, type } = button.dataset
  const call = button.closest('details')
  const form = element('form', { className: 'panel' })
  const fields = [...call.querySelectorAll('tr[data-name]')].map(({ dataset }) => {
    const input = element('input', {
      id: `${call.id}-${dataset.name}`,
      value: dataset.example,
      autocomplete: 'off',
    })
    form.append(element('label', { htmlFor: input.id, textContent: dataset.name }), input)
    return { name: dataset.name, place: dataset.in, input }
  })
  const body = bodyField(call, type)
  if (body) form.append(element('label', { htmlFor: body.id, textContent: 'Body' }), body)
  const output = element('output')
  form.append(element('button', { textContent: 'Send' }), output)
  form.addEventListener('submit', (event) => {
    event.preventDefault()
    void send({ method, path, type, fields, body, output })
  })
  queueMicrotask(() => form.querySelector('input, textarea, button').focus())
  return form
}

/** Returns the field of the body: text for JSON, a file for a form, undefined if the call has no body. */
function bodyField(call, type) {
  const id = `${call.id}-body`
  if (type === 'multipart/form-data') {
    const field = call.querySelector('tbody th code').textContent
    return element('input', { id, type: 'file', name: field })
  }
  if (!type) return undefined
  const value = call.querySelector('pre.request')?.textContent ?? ''
  return element('textarea', {
    id,
    value,
    rows: Math.min(12, value.split('\n').length + 1),
    spellcheck: false,
  })
}

async function send({ method, path, type, fields, body, output }) {
  const url = new URL(location.origin)
  url.pathname = path.replaceAll(/\{(\w+)\}/g, (_match, name) =>
    encodeURIComponent(fields.find((field) => field.name === name).input.value),
  )
  for (const { name, place, input } of fields)
    if (place === 'query' && input.value !== '') url.searchParams.set(name, input.value)
  const headers = { accept: 'application/json' }
  const token = tokenField.value.trim()
  if (token) headers.authorization = `Bearer ${token}`
  if (body && type === 'application/json') headers['content-type'] = type
  for (const { name, place, input } of fields)
    if (place === 'header' && input.value !== '') headers[name] = input.value
  output.replaceChildren(element('p', { textContent: 'Sending…' }))
  try {
    const response = await fetch(url, { method: method.toUpperCase(), headers, body: bodyOf(body) })
    const text = await response.text()
    const isJson = response.headers.get('content-type')?.startsWith('application/json')
    const shown = isJson && text ? JSON.stringify(JSON.parse(text), null, 2) : text.slice(0, 5_000)
    const head = [...response.headers].map(([name, value]) => `${name}: ${value}`).join('\n')
    const more = element('details')
    more.append(
      element('summary', { textContent: 'Response headers' }),
      element('pre', { textContent: head }),
    )
    output.replaceChildren(
      element('p', {
        textContent: `${response.status} ${response.statusText} · ${method.toUpperCase()} ${url.pathname}${url.search}`,
      }),
      more,
      element('pre', { textContent: shown }),
    )
  } catch (error) {
    output.replaceChildren(element('p', { textContent: `The call failed: ${error.message}` }))
  }
}

function bodyOf(field) {
  if (!field) return undefined
  if (field.type !== 'file') return field.value
  const form = new FormData()
  if (field.files[0]) form.set(field.name, field.files[0])
  return form
}

function element(name, properties = {}) {
  return Object.assign(document.createElement(name), properties)
}
