import { compile } from 'html-to-text'

const headings = ['h1', 'h2', 'h3', 'h4', 'h5', 'h6']

/**
 * Plain text of several lines, from the first `inputMax` UTF-16 units: converting blocks the event loop, for about a millisecond per
 * thousand units at worst. With `keepsLinks`, http and https URLs follow the text of their links in brackets.
 */
export function htmlConverter({ inputMax, keepsLinks }: { inputMax: number; keepsLinks: boolean }) {
  const toPlain = compile({
    wordwrap: false,
    preserveNewlines: true,
    limits: { maxInputLength: inputMax, maxDepth: 50 },
    selectors: [
      {
        selector: 'a',
        options: keepsLinks
          ? {
              linkBrackets: ['(', ')'],
              hideLinkHrefIfSameAsText: true,
              pathRewrite: (path: string) => (/^https?:\/\//i.test(path) ? path : ''),
            }
          : { ignoreHref: true },
      },
      { selector: 'img', format: 'skip' },
      ...(keepsLinks
        ? [
            {
              selector: 'blockquote',
              format: 'block',
              options: { leadingLineBreaks: 1, trailingLineBreaks: 1 },
            },
          ]
        : []),
      ...headings.map((selector) => ({ selector, options: { uppercase: false } })),
    ],
  })
  return (html: string) => toPlain(html.slice(0, inputMax).replace(/\r\n?/g, '\n'))
}

/** At most one blank line between paragraphs. */
export function tidyLines(plain: string): string {
  const lines = plain.split('\n').map((each) => each.trim())
  return lines.join('\n').replace(/\n{3,}/g, '\n\n')
}
