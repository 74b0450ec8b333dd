import { type Frame, framesOf } from './frames.ts'

/**
 * `live`: changes come as they happen. `polling`: the API answers, without a stream for us. `away`: the API does not
 * answer.
 */
export type LiveState = 'connecting' | 'live' | 'polling' | 'away'

interface Options {
  headers: Record<string, string>
  /** When the tab began to wait for a stream: from `performance.now`. */
  begun: number
  onFrame(frame: Frame): void
  onState(state: LiveState): void
  /** Some change may have been missed: all that is shown is read again. */
  onReset(): void
  /** The session is over, or the person may not see the team any more. */
  onRefused(): void
}

/** Between two tries for a stream, and between two polls. */
const pollMs = 15_000
/** After the first cut: most come from a restart of the API. */
const soonMs = 1_000
/** The API sends a comment each 20 seconds: a stream that is silent for longer is dead. */
const silentMs = 50_000
/** From the start of the app to its stream it is a moment, in which its pages are read. */
const lateMs = 2_000

/** Keeps one stream of the API open until the signal aborts: resumed where it was cut, polled where it is refused. */
export async function keepStream(options: Options, signal: AbortSignal): Promise<void> {
  const { begun } = options
  let lastId: string | null = null
  let failures = 0
  while (!signal.aborted) {
    const end = await readStream(options, { lastId, begun }, signal, id => {
      lastId = id
      failures = 0
    })
    if (signal.aborted) return
    if (end === 'refused') return options.onRefused()
    if (end === 'polling') {
      options.onState('polling')
      options.onReset()
    }
    if (end === 'away' && ++failures > 1) options.onState('away')
    await rest(end === 'polling' ? pollMs : failures > 1 ? 3_000 : soonMs, signal)
  }
}

type End = 'cut' | 'away' | 'polling' | 'refused'

async function readStream(
  { headers, onFrame, onState, onReset }: Options,
  { lastId, begun }: { lastId: string | null; begun: number },
  signal: AbortSignal,
  onId: (id: string | null) => void,
): Promise<End> {
  const silence = new AbortController()
  const giveUp = () => silence.abort()
  let timer = setTimeout(giveUp, silentMs)
  const postpone = () => {
    clearTimeout(timer)
    timer = setTimeout(giveUp, silentMs)
  }
  // a browser keeps a stream open when its network is gone
  addEventListener('offline', giveUp)
  try {
    const response = await fetch('/api/v1/stream?topics=monitors,incidents', {
      headers: { ...headers, Accept: 'text/event-stream', ...(lastId !== null && { 'Last-Event-ID': lastId }) },
      credentials: 'same-origin',
      cache: 'no-store',
      signal: AbortSignal.any([signal, silence.signal]),
    })
    if (response.status === 401 || response.status === 403) return 'refused'
    if (response.status === 429 || response.status === 503) return 'polling'
    if (!response.ok || response.body === null) return 'away'
    onState('live')
    onId(lastId)
    // what happened since the page was read is in no stream that begins late
    if (lastId === null && performance.now() - begun > lateMs) onReset()
    for await (const frame of framesOf(watched(response.body, postpone))) {
      if (frame.id !== null) onId(frame.id)
      if (frame.event === 'reset') onReset()
      else if (frame.event !== 'position') onFrame(frame)
    }
    return 'cut'
  } catch {
    return 'away'
  } finally {
    clearTimeout(timer)
    removeEventListener('offline', giveUp)
  }
}

/** The same bytes; calls back for each piece, comments included. */
const watched = (body: ReadableStream<Uint8Array>, onPiece: () => void) =>
  body.pipeThrough(
    new TransformStream<Uint8Array, Uint8Array>({
      transform(piece, controller) {
        onPiece()
        controller.enqueue(piece)
      },
    }),
  )

const rest = (ms: number, signal: AbortSignal) =>
  new Promise<void>(resolve => {
    const done = () => {
      clearTimeout(timer)
      removeEventListener('online', done)
      signal.removeEventListener('abort', done)
      resolve()
    }
    const timer = setTimeout(done, ms)
    addEventListener('online', done)
    signal.addEventListener('abort', done)
  })
