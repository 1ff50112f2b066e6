import { useState } from 'react'
import { titleKey } from '#client/app/kinds.ts'
import { showFailure, trpcUtils } from '#client/app/trpc.ts'
import { toggleWant } from '#client/diary/bookmark.ts'
import { shownEntry } from '#client/diary/entries.ts'
import { addToWantList } from '#client/diary/hooks.ts'
import { TitleEntryDialog } from '#client/diary/title-entry-dialog.tsx'
import { AddToListDialog } from '#client/lists/add-to-list.tsx'
import { rateTitle } from '#client/reviews/rate.ts'
import { toggleFavorite } from '#client/social/favorite-hooks.ts'
import { openLog } from '#client/titles/log-request.ts'
import type { TitleAct } from '#client/titles/title-acts.ts'
import { createStore } from '#client/ui/store.ts'

type Form = { act: 'diary' | 'list'; key: number } & Pick<TitleAct, 'title' | 'others'>

const keptMax = 20
let count = 0
/** Kept after they are closed, so that their closing is animated. */
const forms = createStore<readonly Form[]>([])

function openForm(form: Omit<Form, 'key'>): void {
  forms.set([...forms.get(), { ...form, key: count++ }].slice(-keptMax))
}

export function runTitleAct({ title, act, others }: TitleAct): void {
  if (act === 'list') openForm({ act, title, ...(others && { others }) })
  else if (act === 'diary') void logOrEdit(title)
  else if (act === 'want') addToWantList(title, () => openForm({ act: 'diary', title }))
  else if (act === 'bookmark') void toggleWant(title)
  else if (act === 'favorite') void toggleFavorite(title)
  else rateTitle(title, act)
}

async function logOrEdit(title: TitleAct['title']): Promise<void> {
  try {
    const { entries } = await trpcUtils.diary.mine.fetch(titleKey(title))
    if (shownEntry(entries) === undefined) openLog({ title })
    else openForm({ act: 'diary', title })
  } catch (error) {
    showFailure('Your diary did not load', error)
  }
}

export function TitleForms() {
  return forms.useValue().map(({ key, ...form }) => <TitleForm key={key} {...form} />)
}

function TitleForm({ act, title, others = [] }: Omit<Form, 'key'>) {
  const [open, onOpenChange] = useState(true)
  const control = { open, onOpenChange }
  if (act === 'diary') return <TitleEntryDialog {...control} title={title} />
  return <AddToListDialog {...control} titles={[title, ...others]} />
}
