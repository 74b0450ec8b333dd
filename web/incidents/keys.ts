import { type RefObject, useEffect, useState } from 'react'

const stored = 'incident-keys'

/** Keys of one letter can be turned off: who speaks to the computer would press them unasked. */
export function useKeysSwitch() {
  const [isOn, setIsOn] = useState(() => localStorage.getItem(stored) !== 'off')
  const turn = (on: boolean) => {
    localStorage.setItem(stored, on ? 'on' : 'off')
    setIsOn(on)
  }
  return [isOn, turn] as const
}

interface ListKeys {
  isOn: boolean
  /** The list: each row has one link with `data-incident`. */
  list: RefObject<HTMLElement | null>
  onAcknowledge(id: string): void
}

/** `j` and `k` go to the next and the previous incident, `a` acknowledges the one at hand; Enter follows its link. */
export function useListKeys({ isOn, list, onAcknowledge }: ListKeys): void {
  useEffect(() => {
    if (!isOn) return
    const press = (event: KeyboardEvent) => {
      if (event.ctrlKey || event.metaKey || event.altKey || isBusy(event.target)) return
      const links = [...(list.current?.querySelectorAll<HTMLElement>('[data-incident]') ?? [])]
      const at = links.findIndex(link => link.matches(':focus'))
      const target = { j: links[Math.min(at + 1, links.length - 1)], k: links[Math.max(at - 1, 0)] }[event.key]
      if (target) target.focus()
      else if (event.key === 'a' && links[at]) onAcknowledge(links[at].dataset.incident ?? '')
      else return
      event.preventDefault()
    }
    addEventListener('keydown', press)
    return () => removeEventListener('keydown', press)
  }, [isOn, list, onAcknowledge])
}

/** A person types, or answers a dialog or a menu. */
const isBusy = (target: EventTarget | null) =>
  target instanceof HTMLElement &&
  (target.isContentEditable ||
    target.closest('input:not([type=checkbox]), textarea, select, [role=dialog], [role=menu], [role=listbox]'))
