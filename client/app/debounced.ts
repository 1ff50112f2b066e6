import { useEffect, useState } from 'react'
import { suggestionDelayMs } from '#shared/domain/limits.ts'

export function useDebounced(text: string): string {
  const [settled, setSettled] = useState(text)
  useEffect(() => {
    const timer = setTimeout(() => setSettled(text), text === '' ? 0 : suggestionDelayMs)
    return () => clearTimeout(timer)
  }, [text])
  return settled
}
