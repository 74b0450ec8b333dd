import { useEffect, useState } from 'react'

export type Opened = 'palette' | 'shortcuts' | null

const isTyping = (target: EventTarget | null) =>
  target instanceof HTMLElement && (target.isContentEditable || target.matches('input, textarea, select'))

/** The keys that work on every page, and which dialog of the shell is open. */
export function useShortcuts() {
  const state = useState<Opened>(null)
  const [, open] = state
  useEffect(() => {
    const onKey = (event: KeyboardEvent) => {
      const isCommand = event.ctrlKey || event.metaKey
      if (isCommand && event.key.toLowerCase() === 'k') {
        event.preventDefault()
        open('palette')
        return
      }
      if (isCommand || event.altKey || event.defaultPrevented || isTyping(event.target)) return
      // a dialog that is open keeps the keys
      if (document.querySelector('[role=dialog], [role=alertdialog]')) return
      if (event.key === '?') open('shortcuts')
      else if (event.key === '/') focusSearch(() => open('palette'))
      else return
      event.preventDefault()
    }
    addEventListener('keydown', onKey)
    return () => removeEventListener('keydown', onKey)
  }, [])
  return state
}

/** The search of the page; a page without one searches everywhere. */
function focusSearch(otherwise: () => void): void {
  const field = document.querySelector<HTMLInputElement>('main input[type=search]')
  if (field) field.focus()
  else otherwise()
}
