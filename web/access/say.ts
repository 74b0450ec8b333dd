import { useSyncExternalStore } from 'react'

/** What happened last, in one sentence: shown for some seconds, and read out. */
let said: { text: string; number: number } | null = null
const listeners = new Set<() => void>()
let timer: ReturnType<typeof setTimeout> | undefined

function put(next: typeof said): void {
  said = next
  for (const listener of listeners) listener()
}

const shownMs = 6_000

export function say(text: string): void {
  clearTimeout(timer)
  put({ text, number: (said?.number ?? 0) + 1 })
  timer = setTimeout(() => put(null), shownMs)
}

export const useSaid = () =>
  useSyncExternalStore(
    listener => {
      listeners.add(listener)
      return () => listeners.delete(listener)
    },
    () => said,
  )
