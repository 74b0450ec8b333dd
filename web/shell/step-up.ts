import type { Middleware } from 'openapi-fetch'
import { useSyncExternalStore } from 'react'

/**
 * What is dangerous needs a person who proved within ten minutes to be present: the API refuses it with
 * `reauthentication_required`. The request then waits here for the dialog, and is sent a second time.
 */
type Settle = (isConfirmed: boolean) => void

let waiting: readonly Settle[] = []
const listeners = new Set<() => void>()

function put(next: readonly Settle[]): void {
  waiting = next
  for (const listener of listeners) listener()
}

/** Resolves once the person has confirmed, with true, or has cancelled, with false. */
const confirmation = () => new Promise<boolean>(resolve => put([...waiting, resolve]))

/** Ends the wait of all requests at once. */
export function settleStepUp(isConfirmed: boolean): void {
  const settled = waiting
  put([])
  for (const settle of settled) settle(isConfirmed)
}

/** Whether a request waits for the person to confirm. */
export const useStepUpIsNeeded = () =>
  useSyncExternalStore(
    listener => {
      listeners.add(listener)
      return () => listeners.delete(listener)
    },
    () => waiting.length > 0,
  )

const copies = new Map<string, Request>()

async function isRefusedAsStale(response: Response): Promise<boolean> {
  if (response.status !== 403) return false
  const body: unknown = await response
    .clone()
    .json()
    .catch(() => null)
  return typeof body === 'object' && body !== null && 'code' in body && body.code === 'reauthentication_required'
}

/** Repeats a refused change after the dialog. A cancelled one stays refused. */
export const stepUp: Middleware = {
  onRequest({ id, request }) {
    if (request.method !== 'GET') copies.set(id, request.clone())
  },
  async onResponse({ id, response }) {
    const copy = copies.get(id)
    copies.delete(id)
    if (copy === undefined || !(await isRefusedAsStale(response)) || !(await confirmation())) return
    return fetch(copy)
  },
  onError({ id }) {
    copies.delete(id)
  },
}
