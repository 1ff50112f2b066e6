import { readFile } from 'node:fs/promises'
import { parsePo, stringifyPo } from 'pofile-ts'
import { expect, test } from 'vitest'
import { allKinds } from '#shared/domain/kinds.ts'
import { chooseForm, plural, t, text } from '#shared/domain/message.ts'
import { genreTexts } from '#shared/texts/genres.ts'
import { updatedCatalogue } from './catalogue.ts'
import { problemsOf } from './check.ts'
import { compile } from './compile.ts'
import { markMessages } from './find.ts'
import { english, pseudo } from './pseudo.ts'
import { unmarkedTexts } from './unmarked.ts'
import { textWriter } from './write.ts'

const macros = "import { plural, t } from '#shared/domain/message.ts'\n"
const found = (code: string) => markMessages(macros + code, 'a.tsx')?.messages ?? []
const sources = (code: string) => found(code).map(({ source }) => source)

test.each([
  ['<p>Read it</p>', 'Read it'],
  ['<p>\n  Two lines\n  of text\n</p>', 'Two lines of text'],
  ['<p>Tom &amp; Jerry&nbsp;1</p>', 'Tom & Jerry\u00a01'],
  ["<p>{'A'} {'b'}</p>", 'A b'],
  ['<p>At most {max} of {a.max} in {call()}</p>', 'At most {max} of {1} in {2}'],
  ['<p>{n} and {n}</p>', '{n} and {n}'],
  ['<p>See <Link to="/a">the <b>list</b></Link>.</p>', 'See <0>the <1>list</1></0>.'],
  ['<p>by <Name /></p>', 'by <0></0>'],
  [
    "<p><b>{plural(n, { one: '# day', other: '# days' })}</b> of {all}</p>",
    '<0>{n, plural, one {# day} other {# days}}</0> of {all}',
  ],
  ['<p><Icon aria-hidden /> Log</p>', ' Log'],
  ['<p>{/* no text */}It {"{"}is{"}"}</p>', "It '{'is'}'"],
  ['t`Reviews of ${user.name}`', 'Reviews of {name}'],
  [
    "t`${plural(n, { one: '# title', other: `# titles of ${all}` })} left`",
    '{n, plural, one {# title} other {# titles of {all}}} left',
  ],
  ["plural(list.length, { one: '# day', other: '# days' })", '{length, plural, one {# day} other {# days}}'],
  [
    "<p>Since {plural(n, { one: '# day', other: '# days' })}</p>",
    'Since {n, plural, one {# day} other {# days}}',
  ],
  ['<Field label="Don\'t" type="email" name="Email" />', "Don''t"],
  ['<p>{isOpen ? <b>Open</b> : null}</p>', 'Open'],
])('the message of %s is %s', (code, source) => {
  const messages = found(`const a = ${code}`)
  expect(messages.map((one) => one.source)).toEqual([source])
  for (const text of [source, pseudo(source)]) compile(text, messages[0]!.names)
})

test('texts without letters, code, and what is marked as untranslated are no messages', () => {
  expect(sources('const a = <p>· {n} – 3</p>')).toEqual([])
  expect(sources('const a = <code>npm start</code>')).toEqual([])
  expect(sources('const a = <p translate="no">Medley</p>')).toEqual([])
  expect(sources('const a = <p className="A b" to="/Home" />')).toEqual([])
  expect(markMessages('const a = String.raw`a < b`, b = t`c`, d = plural(1, {})', 'a.ts')).toBeUndefined()
})

test('a message inside of a value is found, and so are the attributes around it', () => {
  const code = '<p title="Outer">Hello {isNew ? <b title="Inner">new {name}</b> : t`old ${name}`}</p>'
  expect(sources(`const a = ${code}`).toSorted()).toEqual(
    ['Hello {0}', 'Inner', 'Outer', 'new {name}', 'old {name}'].toSorted(),
  )
})

test('a text of shared/ is found, and needs no elements', () => {
  const code = "import { t } from './message.ts'\nexport const sent = (to: string) => t`Sent to ${to}`"
  const marked = markMessages(code, 'shared/domain/a.ts')!
  expect(marked.messages.map(({ source }) => source)).toEqual(['Sent to {to}'])
  expect(marked.code).not.toContain('.tsx')
})

test('on the server, the texts of a translator are messages', () => {
  const code = 'const a = ({ t }) => t`Hello`, b = texts.t`Bye ${name}`, c = plural(2, `a`, `b`)'
  const { messages } = markMessages(code, 'server/a.ts')!
  expect(messages.map(({ source }) => source)).toEqual(['Hello', 'Bye {name}'])
})

test('an equal text has one id, whatever its values are', () => {
  const [one, other] = found('const a = [<p>Of {n}</p>, <b>Of {b.n}</b>]')
  expect(one!.id).toBe(other!.id)
  expect(one!.names).toEqual(other!.names)
})

test('a language is written between any quotes, and English without a catalogue', () => {
  const messages = new Map([['abcdefgh', { source: 'It is', names: [] }]])
  const code = 'a("__m:abcdefgh__",\'__m:abcdefgh__\',`__m:abcdefgh__`,"x __m:abcdefgh__",`__m:language__`)'
  expect(textWriter(messages)(code, 'a.js')).toBe('a("It is",\'It is\',`It is`,"x It is",`en`)')
  const text = `"a" 'b' \`c\` \${d} \\ \n`
  const write = textWriter(messages, {
    code: 'de',
    textOf: () => text.replaceAll("'", "''").replaceAll(/[{}]/g, "'$&'"),
  })
  // oxlint-disable-next-line no-eval
  const read = eval(`const a = (...texts) => texts; ${write(code, 'a.js')}`) as string[]
  expect(read).toEqual([text, text, text, `x ${text}`, 'de'])
})

test('the names of genres are written into a language by the names in titles, and not into English', () => {
  const read = (catalogue?: Parameters<typeof textWriter>[1]) => {
    const code = textWriter(new Map(), catalogue)('return "__m:genreMap__"', 'a.js')
    return new Function(code)() as Record<string, string>
  }
  const genres = read({ code: 'de', textOf: ({ source }) => `${source} in German` })
  expect(genres).toMatchObject({ Drama: 'Drama in German', Action: 'Action (genre) in German' })
  expect(genres["Children's Fiction"]).toBe("Children's Fiction in German")
  expect(read()).toEqual({})
})

test('each genre of the starter catalogue has a name in other languages', async () => {
  type Starter = { titles: { genres?: string[] }[] }
  const files = await Promise.all(allKinds.map(({ path }) => readFile(`server/starter/${path}.json`, 'utf8')))
  const genres = files.flatMap((file) =>
    (JSON.parse(file) as Starter).titles.flatMap(({ genres }) => genres ?? []),
  )
  expect(Object.keys(genreTexts)).toEqual(expect.arrayContaining([...new Set(genres)]))
})

test('a mark that is not known, or was changed by the minifier, ends the build', () => {
  expect(() => textWriter(new Map())('"__m:abcdefgh__"', 'a.js')).toThrow('a.js has a mark of no message')
  expect(() => textWriter(new Map())('"__M:ABC__"', 'a.js')).toThrow('a.js has a mark that the minifier')
})

test('the check names each fault of a translation', () => {
  const source = '{n, plural, one {# title} other {# titles}} of <0>{name}</0>'
  const messages = [{ id: '1', source, names: ['n', 'name'], file: 'a.tsx', line: 1 }]
  const check = (text: string, msgid = source) => problemsOf('ar', [{ msgid, msgstr: [text] }], messages)
  const forms = 'zero {#} one {#} two {#} few {#} many {#} other {#}'
  expect(check(`<0>{name}</0> {n, plural, ${forms}}`)).toEqual([])
  expect(check('')).toEqual([expect.stringContaining('missing')])
  expect(check('x', 'gone')).toEqual([expect.stringContaining('stale'), expect.stringContaining('missing')])
  expect(check(`{n, plural, ${forms}} {other}`)).toEqual(
    ['lost <0>', 'lost {name}', 'unknown {other}'].map((problem) => expect.stringContaining(problem)),
  )
  expect(check('<0>{name}</0> {n, plural, one {#} other {#}}')).toHaveLength(4)
  expect(check('<0>{name} {n, plural, other {#}}')).toEqual([expect.stringContaining('not valid')])
  expect(check(`<0>{name}</0> {n, plural, offset:1 ${forms}}`)).toEqual([expect.stringContaining('offset')])
  expect(check(`<0>{name}</0> {n, selectordinal, ${forms}}`)).toEqual([expect.stringContaining('not used')])
})

test('a plural of a value that is none in English is a fault: the built code cannot choose its form', () => {
  const messages = [
    { id: '1', source: '{count} left of {name}', names: ['count', 'name'], file: 'a.tsx', line: 1 },
  ]
  const text = '{count, plural, one {#} other {#}} {name}'
  expect(problemsOf('de', [{ msgid: messages[0]!.source, msgstr: [text] }], messages)).toEqual([
    `a plural of {count}, which English has not: ${text}`,
  ])
})

test('a new catalogue has its language and charset, and one that exists keeps its headers and translations', () => {
  const messages = [{ source: 'New', file: 'a.tsx' }]
  const added = parsePo(stringifyPo(updatedCatalogue(parsePo(''), 'pt-BR', messages)))
  expect(added.headers).toMatchObject({
    Language: 'pt-BR',
    'Content-Type': 'text/plain; charset=utf-8',
    'X-Reviewed': 'no',
  })
  expect(added.items.map(({ msgid, msgstr }) => [msgid, msgstr])).toEqual([['New', ['']]])
  added.headers['X-Reviewed'] = 'yes'
  added.items[0]!.msgstr = ['Novo']
  const again = parsePo(
    stringifyPo(updatedCatalogue(added, 'pt-BR', [...messages, { source: 'Old', file: 'b.tsx' }])),
  )
  expect(again.headers['X-Reviewed']).toBe('yes')
  expect(again.items.map(({ msgstr }) => msgstr[0])).toEqual(['Novo', ''])
})

test('the pseudo language keeps values, elements and plural forms', () => {
  expect(pseudo('Hi <0>{name}</0> {n, plural, one {# day} other {# days}}')).toMatch(
    /^⟦Ḣĭ <0>\{name\}<\/0> \{n, plural, one \{# ḋȧẏ\} other \{# ḋȧẏṡ\}\}∼+⟧$/,
  )
})

test('a text of the pseudo language says which English text it is, and has no letter twice', () => {
  const letters = 'ABCDEFGHIJKLMNOPQRSTUVWXYZ abcdefghijklmnopqrstuvwxyz'
  const text = pseudo(letters)
  expect(new Set(text.replaceAll('∼', '')).size).toBe(letters.length + 3)
  expect(text.toLowerCase()).toBe(pseudo(letters.toLowerCase()))
  expect(english(`${text} “Amélie [1]~”`)).toBe(`${letters} “Amélie [1]~”`)
})

test('built texts have the form of their count, and unbuilt ones are the same', () => {
  const compiled = compile('{n, plural, one {# day} other {# days}} of {name}', ['n', 'name'])
  for (const [n, days] of [
    [1, '1 day'],
    [0, '0 days'],
    [1_000, '1,000 days'],
  ] as const) {
    expect(text(compiled as never, [n, 'Ada'], chooseForm)).toBe(`${days} of Ada`)
    expect(t`${plural(n, { one: '# day', other: '# days' })} of ${'Ada'}`).toBe(`${days} of Ada`)
  }
})

test.each([
  "const a = isOpen ? 'Open it' : t`Close it`",
  "const labels = { all: 'Everything' }",
  'const a = `Reviews of ${name}`',
  "toast({ title: 'Saved.' })",
  "const a = <p>{isOpen ? 'open' : null}</p>",
  'const a = <p>{t`Yes`} {isOpen && `of ${n}`}</p>',
  "const a = <Field label={isNew ? 'New name' : name} />",
  "const a = 'of the rating'",
  "const options = [{ value: '7', label: '7 days' }]",
  'const a = `${words.finished} on`',
  'const a = `${words.finished} today: in your diary`',
  'const a = `${count(bytes)} MB`',
  'const a = `Ratings, ${month}`',
])('%s has a text that no message contains', (code) => {
  expect(unmarkedTexts(macros + code, 'client/a.tsx')).toHaveLength(1)
})

test.each([
  'const a = <p className="flex gap-2">Text {t`of ${name}`}</p>',
  "const a = clsx('flex grow', isOpen ? 'px-4 hover:bg-raised' : 'hidden')",
  "if (event.key === 'Enter') go({ to: '/lists', search: { tab: 'done' } })",
  'const headers = { authorization: `Bearer ${token}` }',
  "const shortcut = 'Alt+ArrowUp Alt+ArrowDown'",
  "throw new Error('It is a bug')",
  "const names = { 'Science Fiction': t`Science Fiction` }",
  'const height = `calc(${rows} * 1lh + 1.625rem)`',
  'const a = <kbd>Esc</kbd>',
  "const a = <p>{plural(n, { one: '# day', other: '# days' })}</p>",
])('%s has none', (code) => {
  expect(unmarkedTexts(macros + code, 'client/a.tsx')).toEqual([])
})
