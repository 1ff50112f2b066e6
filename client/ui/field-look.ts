import { clsx } from 'clsx'

export const inputClass = clsx(
  // Its padding follows the page, which the icons beside it do too; `dir` would turn both.
  '[unicode-bidi:plaintext]',
  'w-full scroll-mt-10 rounded-field border border-edge bg-surface px-3.5 text-body text-ink transition-[border-color]',
  'hover:border-muted focus-visible:border-focus focus-visible:outline-offset-0',
  'disabled:bg-raised disabled:text-muted data-invalid:border-danger',
)
