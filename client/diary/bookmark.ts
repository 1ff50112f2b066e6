import { type NamedTitle, titleKey } from '#client/app/kinds.ts'
import { showFailure, trpcUtils } from '#client/app/trpc.ts'
import { showDone } from '#client/ui/toasts.ts'
import { currentEntry } from './entries.ts'
import { removeEntry, saveEntry } from './hooks.ts'
import { t } from '#shared/domain/message.ts'

const onError = (error: unknown) => showFailure(t`Your want list was not changed`, error)

/** Leaves other entries of the title alone. A toast undoes it. */
export async function toggleWant(title: NamedTitle): Promise<void> {
  try {
    const entry = currentEntry((await trpcUtils.diary.mine.fetch(titleKey(title))).entries)
    if (entry === undefined) {
      const { entry: added } = await saveEntry({ title, status: 'want' })
      showDone(t`“${title.name}” is on your want list`, () => void removeEntry(added.id).catch(onError))
    } else if (entry.status === 'want') {
      await removeEntry(entry.id)
      showDone(
        t`“${title.name}” is no longer on your want list`,
        () => void saveEntry({ title, status: 'want', text: entry.text }).catch(onError),
      )
    }
  } catch (error) {
    onError(error)
  }
}
