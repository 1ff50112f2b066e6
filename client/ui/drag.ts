import { type KeyboardEvent, type PointerEvent, useRef, useState } from 'react'
import { readingKey } from './direction.ts'

/** In pixels from the edge of the window, and pixels per frame. */
const edge = 90
const scrollStep = 8

/** How far Alt with an arrow key moves an element of a list. */
export function stepOf(event: KeyboardEvent): -1 | 1 | undefined {
  if (!event.altKey) return undefined
  return ({ ArrowBack: -1, ArrowUp: -1, ArrowForward: 1, ArrowDown: 1 } as const)[readingKey(event)]
}

/** For a list whose elements have `data-item`. `onDrop` is called when the pointer is released. Escape cancels the drag. */
export function useDrag(ids: readonly number[], onDrop: (id: number, position: number) => void) {
  const [dragged, setDragged] = useState<{ id: number; to: number }>()
  const latest = useRef(dragged)
  const set = (next: typeof dragged) => {
    latest.current = next
    setDragged(next)
  }
  const order =
    dragged && ids.includes(dragged.id)
      ? ids.filter((id) => id !== dragged.id).toSpliced(dragged.to, 0, dragged.id)
      : ids

  // On the window, not captured by the handle: capture ends when the handle moves in the document.
  function start(id: number) {
    const controller = new AbortController()
    const { signal } = controller
    let [x, y, frame] = [0, 0, 0]
    const end = (isDropped: boolean) => {
      controller.abort()
      cancelAnimationFrame(frame)
      const { current } = latest
      set(undefined)
      if (isDropped && current) onDrop(id, current.to + 1)
    }
    const place = () => {
      const at = document.elementFromPoint(x, y)?.closest<HTMLElement>('[data-item]')
      if (!at || Number(at.dataset['item']) === id) return
      set({ id, to: [...at.parentElement!.children].indexOf(at) })
    }
    // Also while the pointer rests near an edge.
    const scroll = () => {
      const by = y < edge ? -scrollStep : y > window.innerHeight - edge ? scrollStep : 0
      if (by !== 0) {
        window.scrollBy(0, by)
        place()
      }
      frame = requestAnimationFrame(scroll)
    }
    const onMove = ({ clientX, clientY }: globalThis.PointerEvent) => {
      ;[x, y] = [clientX, clientY]
      place()
      if (frame === 0) frame = requestAnimationFrame(scroll)
    }
    window.addEventListener('pointermove', onMove, { signal })
    window.addEventListener('pointerup', () => end(true), { signal })
    window.addEventListener('pointercancel', () => end(false), { signal })
    window.addEventListener('keydown', ({ key }) => key === 'Escape' && end(false), { signal })
    // Otherwise the browser takes a quick drag for a fling, and the next tap for its end.
    window.addEventListener('touchmove', (event) => event.preventDefault(), { passive: false, signal })
    set({ id, to: ids.indexOf(id) })
  }
  const handle = (id: number) => ({
    onPointerDown(event: PointerEvent<HTMLElement>) {
      if (event.button !== 0) return
      // A touch captures the pointer implicitly.
      event.currentTarget.releasePointerCapture(event.pointerId)
      start(id)
    },
  })
  return { order, handle, id: dragged?.id }
}
