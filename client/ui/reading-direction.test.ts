import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'

const root = join(import.meta.dirname, '../..')
const sources = [
  ...globSync('client/**/*.{ts,tsx,css,html}', { cwd: root }),
  ...globSync('server/**/*.{ts,css}', { cwd: root }),
]
  .filter((file) => !/\.test\.tsx?$|^client\/e2e\/|\.gen\.ts$|^server\/share\//.test(file))
  .map((file) => ({ file, text: readFileSync(join(root, file), 'utf8') }))

/** What is physical: a place that a script measures, and a transform that centres. */
const exceptions: Record<string, readonly string[]> = {
  'client/ui/tabs.tsx': ['left-0'],
  'client/reviews/new-reviews.tsx': ['left-1/2'],
}

/** Class names of Tailwind, with variants before them. */
const classes =
  /(?<=["'`\s:!])-?(?:(?:(?:scroll-)?(?:ml|mr|pl|pr)|left|right)-[\w[(.%/-][^\s"'`]*|(?:border-[lr]|rounded-(?:[lr]|tl|tr|bl|br)|(?:float|clear|origin|object|bg|text)-(?:left|right))(?:-[^\s"'`]*|(?=["'`\s!])))/g
const declarations =
  /(?<=[\s{;])(?:(?:(?:scroll-)?(?:margin|padding)-(?:left|right)|border-(?:left|right)(?:-\w+)?|border-(?:top|bottom)-(?:left|right)-radius|left|right)(?=\s*:)|(?:text-align|float|clear):\s*(?:left|right)(?=\s*[;}]))/g
const inStyles = /\b(?:margin|padding|border|scroll(?:Margin|Padding))(?:Left|Right)\w*(?=\s*:)/g
/** Four sides of which the left and the right differ. */
const fourSides =
  /(?<=[\s;{])(?:margin|padding|inset|border-(?:width|style|color)):\s*[^\s;]+\s+([^\s;]+)\s+[^\s;]+\s+(?!\1\s*;)[^\s;]+\s*;/g

function physicalIn({ file, text }: { file: string; text: string }): string[] {
  const patterns = file.endsWith('.css')
    ? [declarations, fourSides]
    : file.startsWith('server/')
      ? []
      : [classes, inStyles]
  const code = text.replaceAll(/(?<!\w)\/\*.*?\*\//gs, '').replaceAll(/(?<=^|\s)\/\/.*$/gm, '')
  // A function such as `max()` is one value.
  const values = file.endsWith('.css') ? code.replaceAll(/\((?:[^()]|\([^()]*\))*\)/g, '()') : code
  return patterns.flatMap((pattern) => values.match(pattern) ?? [])
}

test('styles name the start and the end of a line, never its left and right', () => {
  const found = sources.flatMap((source) =>
    physicalIn(source)
      .filter((one) => !exceptions[source.file]?.includes(one))
      .map((one) => `${source.file}: ${one}`),
  )
  expect(found).toEqual([])
  // An exception that nobody needs is removed.
  for (const [file, all] of Object.entries(exceptions)) {
    expect(physicalIn(sources.find((source) => source.file === file)!)).toEqual(all)
  }
})

test.each([
  ['client/a.tsx', 'className="sm:-ml-4"', '-ml-4'],
  ['client/a.tsx', "'hover:right-[calc(1rem)] x'", 'right-[calc(1rem)]'],
  ['client/a.tsx', 'className="w-full text-left"', 'text-left'],
  ['client/a.tsx', '`border-l ${x}`', 'border-l'],
  ['client/a.tsx', 'style={{ marginLeft: 4 }}', 'marginLeft'],
  ['client/a.css', '.a { padding-left: 1px; }', 'padding-left'],
  ['client/a.css', '.a { left: 1px; }', 'left'],
  ['client/a.css', '.a { text-align: right; }', 'text-align: right'],
  ['server/a.css', '.a { margin: 0 1rem 0 0; }', 'margin: 0 1rem 0 0;'],
])('%s with %s has a physical style', (file, text, found) => {
  expect(physicalIn({ file, text })).toEqual([found])
})

test.each([
  ['client/a.tsx', 'className="ms-4 text-start inset-e-0"'],
  ['client/a.tsx', 'on({ key: \'left\' }, "What is left", mark.left)'],
  ['client/a.css', '.a { margin: 0 1rem 2rem 1rem; padding: 0 auto; grid-area: left; }'],
])('%s with %s has none', (file, text) => {
  expect(physicalIn({ file, text })).toEqual([])
})

test('an icon that points along the line is mirrored where it leads from right to left', () => {
  const styles = sources.find(({ file }) => file === 'client/styles.css')!.text
  const icons = sources.flatMap(({ file, text }) =>
    file.endsWith('.tsx')
      ? [...text.matchAll(/import (?:type )?\{([^}]*)\} from 'lucide-react'/g)].flatMap(([, names]) =>
          names!.split(',').map((name) => name.replace(/ as .*/, '').trim()),
        )
      : [],
  )
  const pointing = new Set(
    icons.filter((name) =>
      /^(?:Arrow|Chevrons?|Move|Panel|CornerDown|CornerUp|Skip|Step).*(?:Left|Right|Forward|Back)|^(?:Log(?:In|Out)|ExternalLink|Reply|Undo|Redo|Send|Forward|Rewind|FileInput|FileOutput|ListPlus|Indent|Outdent)/.test(
        name,
      ),
    ),
  )
  expect(pointing.size).toBeGreaterThan(3)
  for (const name of pointing) {
    const kebab = name.replaceAll(/(?<=[a-z])(?=[A-Z\d])/g, '-').toLowerCase()
    expect(styles, name).toMatch(new RegExp(String.raw`\.lucide-${kebab}\b`))
  }
})

test('a text of several lines, which members write, has the direction of its own letters', () => {
  const missing = sources.flatMap(({ file, text }) =>
    [...text.matchAll(/<[\w.]+\s[^<>]*whitespace-pre-(?:line|wrap)[^<>]*>/g)]
      .map(([tag]) => tag)
      // Its text is in the element that it renders, or its letters are all the same.
      .filter((tag) => !tag.includes('dir="auto"') && !/^<SpoilerText|data-mask/.test(tag))
      .map((tag) => `${file}: ${tag}`),
  )
  expect(missing).toEqual([])
})
