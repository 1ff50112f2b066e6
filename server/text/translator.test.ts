import { expect, test } from 'vitest'
import { plural as englishPlural, t as inEnglish } from '#shared/domain/message.ts'
import { markMessages } from '#scripts/dev/messages/find.ts'
import { translationsOf } from '#scripts/dev/messages/write.ts'
import { english, translatorOf } from './translator.ts'

/** Of sources whose texts have these translations. */
function inLanguage(code: string, texts: Record<string, string>, source: string) {
  const { messages } = markMessages(source, 'server/a.ts')!
  return translatorOf(code, translationsOf(messages, { textOf: (one) => texts[one.source] }))
}

const source = `
  const a = t\`Welcome to \${site}, \${name}!\`
  const b = t\`Saved.\`
  const c = t\`\${plural(n, { one: '# day', other: '# days' })} left for \${name}\`
  const d = t\`\${name} and \${name}\`
  const e = t\`Follow of \${name}\`
  const f = t\`Follow of \${name}: not possible\`
  const h = t\`\${name} on \${site}\`
  const g = t\`It’s {braces} and 'quotes'\`
`
const texts = {
  'Welcome to {site}, {name}!': '{name}, willkommen bei {site}!',
  'Saved.': 'Gespeichert.',
  '{n, plural, one {# day} other {# days}} left for {name}':
    'Für {name} noch {n, plural, one {# Tag} other {# Tage}}',
  '{name} and {name}': '{name} und {name}',
  '{name} on {site}': '{name} auf {site}',
  'Follow of {name}': '{name} folgen',
  'Follow of {name}: not possible': '{name} folgen: geht nicht',
}
const german = inLanguage('de', texts, source)

const textsOf = ({ t, plural }: typeof english, n: number) => [
  t`Welcome to ${'Kino'}, ${'Ada'}!`,
  t`Saved.`,
  t`${plural(n, { one: '# day', other: '# days' })} left for ${'Ada'}`,
  t`${'Ada'} and ${'Ada'}`,
]

test('a text is made in the language of its translator, and in English without one', () => {
  const inGerman = ['Ada, willkommen bei Kino!', 'Gespeichert.', 'Für Ada noch 1 Tag', 'Ada und Ada']
  expect(textsOf(german, 1)).toEqual(inGerman)
  expect(textsOf(german, 1_234)[2]).toBe('Für Ada noch 1.234 Tage')
  expect(textsOf(english, 1)).toEqual([
    'Welcome to Kino, Ada!',
    'Saved.',
    '1 day left for Ada',
    'Ada and Ada',
  ])
  expect(textsOf(english, 1_234)[2]).toBe('1,234 days left for Ada')
  expect(german.t`${'Ada'} on ${'Kino'}`).toBe('Ada auf Kino')
  expect(german.t`Not in the catalogue: ${1}`).toBe('Not in the catalogue: 1')
})

test('a text that was made in English is translated, with its values', () => {
  const name = 'Ada'
  expect(german.translate(inEnglish`Saved.`)).toBe('Gespeichert.')
  expect(german.translate(inEnglish`Welcome to ${'Kino'}, ${name}!`)).toBe('Ada, willkommen bei Kino!')
  for (const [n, days] of [
    [1, '1 Tag'],
    [0, '0 Tage'],
    [1_234, '1.234 Tage'],
  ] as const) {
    const made = inEnglish`${englishPlural(n, { one: '# day', other: '# days' })} left for ${name}`
    expect(german.translate(made)).toBe(`Für Ada noch ${days}`)
  }
  expect(english.translate('Saved.')).toBe('Saved.')
})

test('what a text was made of is known in every language', () => {
  const described = { key: 'Welcome to {site}, {name}!', values: { site: 'Kino', name: 'Ada' } }
  for (const translator of [german, inLanguage('en', {}, source), inLanguage('fr', {}, source)])
    expect(translator.describe('Welcome to Kino, Ada!')).toMatchObject(described)
  expect(german.describe('Saved.')).toEqual({ key: 'Saved.', values: {}, text: 'Gespeichert.' })
  expect(german.describe('1,234 days left for Ada').values).toEqual({ n: '1,234', name: 'Ada' })
})

test('of the messages that a text may be made of, the one with the most text is taken', () => {
  expect(german.translate('Follow of Ada')).toBe('Ada folgen')
  expect(german.translate('Follow of Ada: not possible')).toBe('Ada folgen: geht nicht')
})

test.each([
  'Nothing of this is a message.',
  '',
  'Welcome to Kino',
  'Ada and Grace',
  'No procedure found on path',
  'Welcome to {site}, {name}',
  '{0}',
])('%j stays as it is', (text) => {
  expect(german.translate(text)).toBe(text)
})

test('a long text is not compared with the messages', () => {
  const text = `Welcome to ${'a, '.repeat(500)}!`
  expect(german.translate(text)).toBe(text)
})

test('values are never read as messages, formats or patterns', () => {
  for (const value of ['{name}', '$&', '\\', '<0>', '#', "'", '\0', 'Saved.', '.*', 'Follow of x', '١'])
    for (const made of [german.t`Follow of ${value}`, german.translate(`Follow of ${value}`)])
      expect(made).toBe(`${value} folgen`)
})

test('a text without a translation is in English, with its signs as they are', () => {
  const text = "It’s {braces} and 'quotes'"
  expect(german.t`It’s {braces} and 'quotes'`).toBe(text)
  expect(german.describe(text)).toEqual({ key: "It’s '{'braces'}' and ''quotes''", values: {}, text })
})

test('a language has the forms that it counts with', () => {
  const forms = 'zero {#z} one {#o} two {#t} few {#f} many {#m} other {#x}'
  const arabic = inLanguage(
    'ar',
    { '{n, plural, one {# day} other {# days}} left for {name}': `{name}: {n, plural, ${forms}}` },
    source,
  )
  const made = [0, 1, 2, 3, 11, 100].map(
    (n) => arabic.t`${arabic.plural(n, { one: '# day', other: '# days' })} left for ${'A'}`,
  )
  expect(made.map((text) => text.at(-1)).join('')).toBe('zotfmx')
})
