import { useSyncExternalStore } from 'react'
import { goToSignIn } from '../api.ts'
import { actingIn } from '../shell/acting.ts'
import { applyFrame, readAgain } from './changes.ts'
import { keepStream, type LiveState } from './connection.ts'
import type { Frame } from './frames.ts'

/** What the tab with the stream passes on to the other tabs, and what a new tab asks it. */
type Message =
  | { kind: 'frame'; frame: Frame }
  | { kind: 'state'; state: LiveState; since: number }
  | { kind: 'reset' }
  | { kind: 'refused' }
  | { kind: 'question' }

interface Live {
  state: LiveState
  /** Milliseconds since 1970. */
  since: number
}

let live: Live = { state: 'connecting', since: Date.now() }
const watchers = new Set<() => void>()

function put(state: LiveState, since: number): void {
  if (state === live.state) return
  const wasAway = live.state === 'away'
  live = { state, since }
  // what failed meanwhile, and what has no events
  if (wasAway) readAgain()
  for (const changed of watchers) changed()
}

const watch = (changed: () => void) => {
  watchers.add(changed)
  return () => watchers.delete(changed)
}

/** How changes reach this tab. */
export const useLive = () => useSyncExternalStore(watch, () => live)

/**
 * Shows changes of the team at hand as they happen. One tab of the browser has the stream and passes it on; when it is
 * closed, the next one opens its own. Returns what ends it.
 */
export function startLive(person: { id: string; tenant_id: string }): () => void {
  const stop = new AbortController()
  const acting = actingIn()
  const begun = performance.now()
  const name = `live ${person.id} ${acting?.tenantId ?? person.tenant_id}`
  const channel = new BroadcastChannel(name)
  let leads = false
  const take = (message: Message) => {
    if (message.kind === 'frame') applyFrame(message.frame)
    else if (message.kind === 'state') put(message.state, message.since)
    else if (message.kind === 'reset') readAgain()
    else if (message.kind === 'refused') goToSignIn()
    else if (leads) channel.postMessage({ kind: 'state', ...live } satisfies Message)
  }
  const pass = (message: Message) => {
    if (stop.signal.aborted) return
    channel.postMessage(message)
    take(message)
  }
  channel.onmessage = ({ data }: MessageEvent<Message>) => take(data)
  channel.postMessage({ kind: 'question' } satisfies Message)

  const lead = async () => {
    leads = true
    await keepStream(
      {
        begun,
        headers: acting ? { 'X-Tenant-Id': acting.tenantId } : {},
        onFrame: frame => pass({ kind: 'frame', frame }),
        onState: state => pass({ kind: 'state', state, since: Date.now() }),
        onReset: () => pass({ kind: 'reset' }),
        onRefused: () => pass({ kind: 'refused' }),
      },
      stop.signal,
    )
  }
  // a page that is not served by TLS has no locks: each of its tabs has a stream, as far as the API gives them
  if (navigator.locks) navigator.locks.request(name, { signal: stop.signal }, lead).catch(() => undefined)
  else void lead()
  return () => {
    stop.abort()
    channel.close()
  }
}
