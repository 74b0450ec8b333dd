import type { Query } from '@tanstack/react-query'
import { useSyncExternalStore } from 'react'
import type { Schemas } from '../api.ts'
import { changedBy, queries } from '../queries.ts'
import { announce } from './announcements.ts'
import type { Frame } from './frames.ts'

/** What is read again at most so often, however many events come. */
const everyMs = 1_000
/** How long a row that has changed is marked. */
const markedMs = 20_000

type Monitor = Pick<Schemas['Monitor'], 'id' | 'name' | 'status' | 'status_changed_at' | 'status_reason'>

/** Applies an event of the stream to what the app has read. */
export function applyFrame({ event, data }: Frame): void {
  const parsed: unknown = JSON.parse(data)
  if (typeof parsed !== 'object' || parsed === null) return
  const fields = parsed as Record<string, unknown>
  if (event === 'monitor.status') applyStatus(fields)
  if (event === 'incident.created' || event === 'incident.resolved')
    announce(String(fields.monitor_id), String(fields.monitor_name), event === 'incident.created' ? 'down' : 'up')
  readLater(changedBy[event.startsWith('incident.') ? 'incident' : 'monitor'], event === 'monitor.status')
}

function applyStatus({ monitor_id: id, status, since }: Record<string, unknown>): void {
  if (typeof id !== 'string') return
  const shown = shownMonitor(id)
  const changed = {
    status: status as Monitor['status'],
    status_changed_at: since as string | null,
    status_reason: null,
  }
  if (shown?.status === changed.status) return
  const patch = <Row extends Monitor>(row: Row): Row => (row.id === id ? { ...row, ...changed } : row)
  queries.setQueriesData<{ data: Monitor[] }>(
    { queryKey: ['monitors', 'list'] },
    list => list && { ...list, data: list.data.map(patch) },
  )
  queries.setQueriesData<Monitor>({ queryKey: ['monitor', id], exact: true }, monitor => monitor && patch(monitor))
  mark(id)
  if (shown && typeof status === 'string') announce(id, shown.name, status)
}

/** A monitor as some page has it. */
function shownMonitor(id: string): Monitor | undefined {
  const one = queries.getQueryData<Monitor>(['monitor', id])
  if (one) return one
  for (const [, list] of queries.getQueriesData<{ data: Monitor[] }>({ queryKey: ['monitors', 'list'] })) {
    const found = list?.data.find(monitor => monitor.id === id)
    if (found) return found
  }
  return undefined
}

let waiting = new Set<string>()
let _timer: ReturnType<typeof setTimeout> | undefined
let readAt = Number.NEGATIVE_INFINITY

/**
 * Reads what an event has changed. A change of status alone is already in lists, whose rows stay in their places until
 * the next reading.
 */
function readLater(keys: readonly string[], isInLists: boolean): void {
  for (const key of keys) if (!(isInLists && key === 'monitors')) waiting.add(key)
  _timer ??= setTimeout(
    () => {
      const due = waiting
      waiting = new Set()
      _timer = undefined
      readAt = performance.now()
      void queries.invalidateQueries({ predicate: query => due.has(String(query.queryKey[0])) && !isSlow(query) })
    },
    Math.max(100, readAt + everyMs - performance.now()),
  )
}

/** Figures of a day or more, which one event hardly changes. */
const isSlow = ({ queryKey: [area, part] }: Query) =>
  area === 'monitors' && (part === 'stats' || part === 'days' || part === 'recent')

/** Reads all that is shown: events may be missing. */
export const readAgain = (): void => void queries.invalidateQueries({ predicate: query => !isSlow(query) })

let marked: ReadonlySet<string> = new Set()
const watchers = new Set<() => void>()

function putMarked(next: ReadonlySet<string>): void {
  marked = next
  for (const changed of watchers) changed()
}

function mark(id: string): void {
  putMarked(new Set([...marked, id]))
  setTimeout(() => putMarked(new Set([...marked].filter(other => other !== id))), markedMs)
}

const watch = (changed: () => void) => {
  watchers.add(changed)
  return () => watchers.delete(changed)
}

/** Whether a monitor has changed its status while it was on the screen, some seconds ago. */
export const useIsMarked = (id: string) => useSyncExternalStore(watch, () => marked.has(id))
