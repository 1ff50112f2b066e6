import { Fragment } from 'react'
import { useHalfStars } from '#client/ui/half-stars.ts'
import { Dialog, type DialogControl } from '#client/ui/dialog.tsx'
import { t } from '#shared/domain/message.ts'

const command = /Mac|iPhone|iPad/.test(navigator.platform) ? '⌘' : 'Ctrl'

/** `ofHalves`: only of members who rate in half stars. */
type Shortcut = { keys: string[]; does: string; ofHalves?: true }
const groups: { title: string; keys: Shortcut[] }[] = [
  {
    title: t`Everywhere`,
    keys: [
      { keys: ['/'], does: t`Go to the search` },
      { keys: [command, 'K'], does: t`Search, or type a command: log dune yesterday 4` },
      { keys: ['N'], does: t`Log something` },
      { keys: ['?'], does: t`Show this list` },
      { keys: ['Esc'], does: t`Close a dialog or menu` },
      { keys: ['Tab', 'Enter'], does: t`At the top of a page: skip to the content` },
    ],
  },
  {
    title: t`Choosing`,
    keys: [
      { keys: ['↓', '↑'], does: t`Move through suggestions and lists; Enter selects` },
      { keys: ['←', '→'], does: t`Move through tabs; Enter opens one` },
      { keys: ['Home', 'End'], does: t`Move to the first or last tab` },
      { keys: ['←', '→'], does: t`Choose more or fewer stars, or another option in a row` },
    ],
  },
  {
    title: t`On a poster with the focus`,
    keys: [
      { keys: ['1', '…', '5'], does: t`Rate the title; also where there are stars` },
      { keys: ['.'], does: t`Half a star more, or again less`, ofHalves: true },
      { keys: ['W'], does: t`Add it to your want list` },
      { keys: ['D'], does: t`Open your diary of it` },
      { keys: ['F'], does: t`Make it a favorite, or not` },
      { keys: ['L'], does: t`Add it to a list` },
      { keys: ['Enter'], does: t`Open its page` },
    ],
  },
  {
    title: t`On an entry of your diary`,
    keys: [{ keys: ['E'], does: t`Edit it` }],
  },
  {
    title: t`Writing`,
    keys: [
      { keys: [command, 'Enter'], does: t`Post the review or the comment` },
      { keys: ['Esc'], does: t`Stop editing; your text is kept` },
    ],
  },
]

/** Use `Shortcuts`, which lazy-loads this. */
export function ShortcutsDialog(control: DialogControl) {
  const hasHalves = useHalfStars()
  return (
    <Dialog {...control} title="Keyboard shortcuts">
      <div className="grid gap-5">
        {groups.map(({ title, keys }) => (
          <section key={title} aria-label={title}>
            <h3 aria-hidden className="mb-2 font-sans text-meta font-medium text-muted">
              {title}
            </h3>
            <dl className="grid grid-cols-[6.5rem_minmax(0,1fr)] gap-x-4 gap-y-2">
              {keys
                .filter(({ ofHalves }) => hasHalves || !ofHalves)
                .map(({ keys: pressed, does }) => (
                  <Fragment key={does}>
                    <dt className="flex gap-1">
                      {pressed.map((key) => (
                        <kbd
                          key={key}
                          className="grid h-7 min-w-7 place-items-center rounded-item border border-edge px-1.5 font-sans text-meta"
                        >
                          {key}
                        </kbd>
                      ))}
                    </dt>
                    <dd className="self-center text-meta">{does}</dd>
                  </Fragment>
                ))}
            </dl>
          </section>
        ))}
      </div>
    </Dialog>
  )
}
