import { useSyncExternalStore } from 'react'

export interface Announcement {
  name: string
  status: string
}

/** Changes that come this soon after each other are announced together. */
const togetherMs = 800
/** The status of a monitor and its incident are one change. */
const sameMs = 10_000

let announced: readonly Announcement[] = []
let waiting: Announcement[] = []
let _timer: ReturnType<typeof setTimeout> | undefined
const recent = new Map<string, { status: string; at: number }>()
const watchers = new Set<() => void>()

/** Announces a change of a monitor to people who do not see the screen. */
export function announce(id: string, name: string, status: string): void {
  const before = recent.get(id)
  const at = performance.now()
  if (before?.status === status && at - before.at < sameMs) return
  recent.set(id, { status, at })
  waiting.push({ name, status })
  _timer ??= setTimeout(() => {
    announced = waiting
    waiting = []
    _timer = undefined
    for (const changed of watchers) changed()
  }, togetherMs)
}

const watch = (changed: () => void) => {
  watchers.add(changed)
  return () => watchers.delete(changed)
}

/** What was announced last. */
export const useAnnounced = () => useSyncExternalStore(watch, () => announced)
