import { request } from 'undici'
import { until } from '#cli/local/loopback.ts'

export interface Frame {
  event: string
  id: string | null
  // biome-ignore lint/suspicious/noExplicitAny: the test that reads it knows the event
  data: any
}

interface Asked {
  headers: Record<string, string>
  /** Whether the answer is read at once. */
  reads?: boolean
}

/** A client of Server-Sent Events: keeps what it is sent. */
export class EventStreamUnderTest {
  readonly status: number
  readonly headers: Record<string, string | string[] | undefined>
  readonly frames: Frame[] = []
  text = ''
  isEnded = false
  readonly #leave: AbortController
  #body: AsyncIterable<Buffer> | undefined

  private constructor(status: number, headers: EventStreamUnderTest['headers'], leave: AbortController) {
    this.status = status
    this.headers = headers
    this.#leave = leave
  }

  static async open(url: string, { headers, reads = true }: Asked): Promise<EventStreamUnderTest> {
    const leave = new AbortController()
    const response = await request(url, { headers, signal: leave.signal, bodyTimeout: 0 })
    const stream = new EventStreamUnderTest(response.statusCode, response.headers, leave)
    stream.#body = response.body
    if (reads) stream.read()
    else response.body.on('error', () => undefined)
    return stream
  }

  /** The events with content, of these names. */
  named(...names: string[]): Frame[] {
    return this.frames.filter(({ event }) => names.includes(event))
  }

  get lastId(): string {
    return this.frames.findLast(({ id }) => id !== null)?.id ?? ''
  }

  /** Waits for a frame that passes. */
  async next(passes: (frame: Frame) => boolean): Promise<Frame> {
    if (!(await until(async () => this.frames.some(passes), { withinMs: 15_000, everyMs: 10 })))
      throw new Error(`No such event came; these did: ${JSON.stringify(this.frames.map(({ event }) => event))}`)
    return this.frames.find(passes)!
  }

  async ended(): Promise<void> {
    if (!(await until(async () => this.isEnded, { withinMs: 15_000, everyMs: 20 })))
      throw new Error('The stream did not end.')
  }

  leave(): void {
    this.#leave.abort()
  }

  /** Begins to read, where the stream was opened without. */
  read(): void {
    if (this.#body) void this.#read(this.#body)
  }

  async #read(body: AsyncIterable<Buffer>): Promise<void> {
    let rest = ''
    try {
      for await (const chunk of body) {
        const text = chunk.toString('utf8')
        this.text += text
        rest += text
        const blocks = rest.split('\n\n')
        rest = blocks.pop() ?? ''
        for (const block of blocks) this.#take(block)
      }
    } catch {
      // cut off, as a kill does
    }
    this.isEnded = true
  }

  #take(block: string): void {
    const fields = new Map(
      block.split('\n').map(line => [line.split(': ')[0] ?? '', line.slice(line.indexOf(': ') + 2)]),
    )
    const data = fields.get('data')
    if (data === undefined) return
    this.frames.push({ event: fields.get('event') ?? 'message', id: fields.get('id') ?? null, data: JSON.parse(data) })
  }
}
