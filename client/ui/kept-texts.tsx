import { createContext, type ReactNode, useContext, useEffect, useMemo, useState } from 'react'
import { Button } from './button.tsx'
import { draftOwner, draftPrefix } from './forget-drafts.ts'
import { type TextKeeper, TextKeeperContext } from './kept-text.ts'
import { readStored, writeStored } from './stored.ts'

type Kept = Record<string, { text: string; before: string }>

export type Forgetters = Set<() => void>
export const ForgettersContext = createContext<Forgetters>(new Set())

/** For a dialog that is unmounted once its texts are saved. */
export function useForgetTexts(): () => void {
  const forgetters = useContext(ForgettersContext)
  return () => {
    for (const forget of forgetters) forget()
  }
}

/**
 * Keeps the texts of its fields, and restores them after Escape, a press outside, Back and a reload. `name` says what they are about. Every
 * dialog has one, which forgets the texts when the program closes the dialog. `isReady` is false while the fields lack the saved texts.
 */
export function KeptTexts({
  name,
  title,
  isReady = true,
  children,
}: {
  name?: string | undefined
  title?: ReactNode
  isReady?: boolean
  children: ReactNode
}) {
  // Not in `Dialog`, which the server renders too, while it is closed.
  const about =
    name ?? `${import.meta.env.SSR ? '' : location.pathname} ${typeof title === 'string' ? title : ''}`
  const key = `${draftPrefix}dialog ${draftOwner.id ?? ''} ${about}`
  return (
    <Keeper key={key} storageKey={key} isReady={isReady}>
      {children}
    </Keeper>
  )
}

function Keeper({
  storageKey,
  isReady,
  children,
}: {
  storageKey: string
  isReady: boolean
  children: ReactNode
}) {
  const [isRestored, setRestored] = useState(false)
  const { keeper, forget, discard } = useMemo(
    () => openKeeper(storageKey, () => setRestored(true)),
    [storageKey],
  )
  const forgetters = useContext(ForgettersContext)
  useEffect(() => {
    forgetters.add(forget)
    return () => void forgetters.delete(forget)
  }, [forgetters, forget])
  return (
    <TextKeeperContext value={isReady ? keeper : null}>
      {isRestored ? (
        <div
          role="status"
          className="mb-4 flex flex-wrap items-center justify-between gap-x-3 rounded-field bg-raised py-1 pe-1 ps-3 text-meta"
        >
          What you wrote before is back.
          <Button
            variant="ghost"
            onClick={() => {
              discard()
              setRestored(false)
            }}
          >
            Discard it
          </Button>
        </div>
      ) : null}
      {children}
    </TextKeeperContext>
  )
}

function openKeeper(storageKey: string, onRestore: () => void) {
  let kept = read(storageKey)
  const fields = new Map<string, (text: string) => void>()
  const keeper: TextKeeper = {
    mount(field, value, set) {
      fields.set(field, set)
      const text = kept[field]?.text
      if (text !== undefined) {
        // The saved text may have changed since.
        keep(field, text, value)
        if (text !== value) {
          set(text)
          onRestore()
        }
      }
      return () => void fields.delete(field)
    },
    keep: (field, text, value) => keep(field, text, kept[field]?.before ?? value),
  }
  function keep(field: string, text: string, before: string) {
    const { [field]: _, ...others } = kept
    kept = text === before ? others : { ...others, [field]: { text, before } }
    writeStored(storageKey, Object.keys(kept).length === 0 ? null : JSON.stringify(kept))
  }
  function forget() {
    kept = {}
    writeStored(storageKey, null)
  }
  function discard() {
    for (const [field, { before }] of Object.entries(kept)) fields.get(field)?.(before)
    forget()
  }
  return { keeper, forget, discard }
}

function read(key: string): Kept {
  try {
    return JSON.parse(readStored(key) ?? '{}') as Kept
  } catch {
    return {}
  }
}
