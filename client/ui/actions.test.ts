import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'

const root = join(import.meta.dirname, '../..')

/** Buttons in the row of their fields. */
const inline = [
  'client/catalogue/search/search-prompt.tsx',
  'client/diary/step-field.tsx',
  'client/members/own-invites.tsx',
]

test('the main button of every form is the last of its buttons, at the right, and on phones as wide as the form', () => {
  const misplaced = globSync('client/**/*.tsx', { cwd: root })
    .filter((file) => !inline.includes(file))
    .flatMap((file) => {
      const text = readFileSync(join(root, file), 'utf8')
      if (!text.includes('<SubmitButton')) return []
      const all = text.match(/<SubmitButton\b/g)?.length ?? 0
      // A large one is the only button of its form, and as wide.
      const large = text.match(/<SubmitButton\b[^>]*?\bsize="lg"/gs)?.length ?? 0
      const last =
        text.match(
          /className="actions[^"]*">(?:(?!<\/div>).)*<\/SubmitButton>\s*(?:\) : null\}\s*)?<\/div>/gs,
        )?.length ?? 0
      return all === large + last ? [] : [`${file}: ${all - large - last}`]
    })
  expect(misplaced).toEqual([])
})

test('fields with a search have no cross of the browser beside the one of the app', () => {
  const styles = readFileSync(join(root, 'client/styles.css'), 'utf8')
  expect(styles).toMatch(/^::-webkit-search-cancel-button \{\s*display: none;/m)
})
