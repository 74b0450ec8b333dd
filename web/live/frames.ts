/** One event of a stream of Server-Sent Events. */
export interface Frame {
  event: string
  /** The place in the sequence of events; null where the event has none. */
  id: string | null
  data: string
}

/** Reads the frames of a stream as they come. Comments and other fields are left out. */
export async function* framesOf(body: ReadableStream<Uint8Array>): AsyncGenerator<Frame> {
  const reader = body.getReader()
  const decoder = new TextDecoder()
  let rest = ''
  try {
    for (;;) {
      const { done, value } = await reader.read()
      if (done) return
      rest += decoder.decode(value, { stream: true })
      const blocks = rest.split('\n\n')
      rest = blocks.pop() ?? ''
      for (const block of blocks) {
        const frame = frameOf(block)
        if (frame !== null) yield frame
      }
    }
  } finally {
    await reader.cancel().catch(() => undefined)
  }
}

function frameOf(block: string): Frame | null {
  const fields = new Map(
    block.split('\n').map(line => {
      const at = line.indexOf(':')
      return [line.slice(0, at), line.slice(at + 1).trimStart()] as const
    }),
  )
  const data = fields.get('data')
  return data === undefined ? null : { event: fields.get('event') ?? 'message', id: fields.get('id') ?? null, data }
}
