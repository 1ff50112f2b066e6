import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { allKinds } from './kinds.ts'

const textOf = (path: string) => readFileSync(new URL(`../../${path}`, import.meta.url), 'utf8')

test.each(
  allKinds.flatMap(({ kind, path, idKey }) => [
    { file: 'client/ui/kind.tsx', what: 'the icon', kind, text: `${kind}: ` },
    { file: 'client/styles.css', what: 'the colour', kind, text: `[data-kind='${kind}']` },
    { file: `client/routes/${path}.$${idKey}.tsx`, what: 'the page', kind, text: `titleRoute('${kind}')` },
  ]),
)('$file has $what of the kind $kind', ({ file, text }) => expect(textOf(file)).toContain(text))
