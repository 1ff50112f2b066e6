import { useState } from 'react'
import { titleKey } from '#client/app/kinds.ts'
import { getSession } from '#client/app/session.ts'
import { queryClient, showFailure, trpcUtils } from '#client/app/trpc.ts'
import { toggleWant } from '#client/diary/bookmark.ts'
import { shownEntry } from '#client/diary/entries.ts'
import { addToWantList } from '#client/diary/hooks.ts'
import { TitleEntryDialog } from '#client/diary/title-entry-dialog.tsx'
import { AddToListDialog } from '#client/lists/add-to-list.tsx'
import { rateTitle } from '#client/reviews/rate.ts'
import { toggleFavorite } from '#client/social/favorite-hooks.ts'
import { openLog } from '#client/titles/log-request.ts'
import { getMyRating } from '#client/titles/my-titles.ts'
import type { TitleAction } from '#client/titles/title-actions.ts'
import { halfOf } from '#client/ui/half-steps.ts'
import { createStore } from '#client/ui/store.ts'
import { t } from '#shared/domain/message.ts'

type Form = { action: 'diary' | 'list'; key: number } & Pick<TitleAction, 'title' | 'others'>

const keptMax = 20
let count = 0
/** Kept after they are closed, so that their closing is animated. */
const forms = createStore<readonly Form[]>([])

function openForm(form: Omit<Form, 'key'>): void {
  forms.set([...forms.get(), { ...form, key: count++ }].slice(-keptMax))
}

export function runTitleAction({ title, action, others }: TitleAction): void {
  if (action === 'list') openForm({ action, title, ...(others && { others }) })
  else if (action === 'diary') void logOrEdit(title)
  else if (action === 'want') addToWantList(title, () => openForm({ action: 'diary', title }))
  else if (action === 'bookmark') void toggleWant(title)
  else if (action === 'favorite') void toggleFavorite(title)
  else if (action === 'half') rateHalf(title)
  else rateTitle(title, action)
}

/** Only for members who rate in half stars. */
function rateHalf(title: TitleAction['title']): void {
  const half = halfOf(getMyRating(queryClient, title.id) ?? null)
  if (half !== undefined && getSession()?.user.halfStars) rateTitle(title, half)
}

async function logOrEdit(title: TitleAction['title']): Promise<void> {
  try {
    const { entries } = await trpcUtils.diary.mine.fetch(titleKey(title))
    if (shownEntry(entries) === undefined) openLog({ title })
    else openForm({ action: 'diary', title })
  } catch (error) {
    showFailure(t`Your diary did not load`, error)
  }
}

export function TitleForms() {
  return forms.useValue().map(({ key, ...form }) => <TitleForm key={key} {...form} />)
}

function TitleForm({ action, title, others = [] }: Omit<Form, 'key'>) {
  const [open, onOpenChange] = useState(true)
  const control = { open, onOpenChange }
  if (action === 'diary') return <TitleEntryDialog {...control} title={title} />
  return <AddToListDialog {...control} titles={[title, ...others]} />
}
