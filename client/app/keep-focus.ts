const focusable =
  'a[href], button:not(:disabled), input:not(:disabled), select:not(:disabled), textarea:not(:disabled), [tabindex]:not([tabindex="-1"])'

/**
 * Keeps the focus in its place when what has it is removed: a row that is deleted, a button that is replaced. Without it, the focus falls to
 * the body, from where Tab starts at the top, and keys are shortcuts. Code that moves the focus within two frames takes precedence. Returns a
 * function that ends this.
 */
export function keepFocus(): () => void {
  /** The focused element and those around it, from the inside out. */
  let path: Element[] = []
  let isWaiting = false
  const remember = ({ target }: FocusEvent) => {
    path = []
    for (let one = target as Element | null; one !== null; one = one.parentElement) path.push(one)
  }
  const isLost = () => {
    const { activeElement, body } = document
    return (activeElement === body || activeElement === null) && path.length > 0 && !path[0]!.isConnected
  }
  function restore() {
    isWaiting = false
    if (!isLost()) return
    const around = path.find((one) => one.isConnected && one !== document.body && one.matches('body *'))
    const next = [...(around?.querySelectorAll<HTMLElement>(focusable) ?? [])].find((one) =>
      one.checkVisibility({ visibilityProperty: true }),
    )
    ;(next ?? document.querySelector<HTMLElement>('main'))?.focus({ preventScroll: true })
  }
  const observer = new MutationObserver(() => {
    if (isWaiting || !isLost()) return
    isWaiting = true
    // Dialogs return the focus, and screens move it, after the change.
    requestAnimationFrame(() => requestAnimationFrame(restore))
  })
  document.addEventListener('focusin', remember)
  observer.observe(document.body, { childList: true, subtree: true })
  return () => {
    observer.disconnect()
    document.removeEventListener('focusin', remember)
  }
}
