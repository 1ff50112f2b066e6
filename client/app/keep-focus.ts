const focusable =
  'a[href], button:not(:disabled), input:not(:disabled), select:not(:disabled), textarea:not(:disabled), [tabindex]:not([tabindex="-1"])'

/**
 * Keeps the focus in place when the focused element is removed. It would fall to the body, where Tab starts at the top and keys are
 * shortcuts. Code that moves the focus within two frames takes precedence.
 */
export function keepFocus(): () => void {
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
