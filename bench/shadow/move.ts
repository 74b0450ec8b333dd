import { eventually, type System } from '#test/support/system.ts'

// biome-ignore lint/suspicious/noExplicitAny: answers are read as a user's script would
type Json = any

/** A migration of another provider into a running system, step by step. */
export class Move {
  readonly #system: System
  readonly #path: string

  /** Begins with `POST /migrations`; `file` is sent as it is. */
  static async begin(system: System, sent: Record<string, unknown>, file?: Buffer): Promise<Move> {
    const { status, body } = await system.post('/migrations', sent)
    if (status !== 201) throw new Error(`the migration was refused: ${JSON.stringify(body)}`)
    const move = new Move(system, `/migrations/${body.data.id}`)
    if (file) await move.#send(file)
    return move
  }

  private constructor(system: System, path: string) {
    this.#system = system
    this.#path = path
  }

  async #send(file: Buffer): Promise<void> {
    const { email, password } = this.#system.local.team
    const session = await this.#system.post('/auth/token', { email, password, device_name: 'moving' }, '')
    const sent = await fetch(`${this.#system.local.base_url}/api/v1${this.#path}/file`, {
      method: 'PUT',
      headers: { Authorization: `Bearer ${session.body.token}`, 'Content-Type': 'application/octet-stream' },
      body: new Uint8Array(file),
    })
    if (!sent.ok) throw new Error(`the file was refused: ${await sent.text()}`)
  }

  /** The migration once it is in this state. */
  readonly is = (state: string): Promise<Json> =>
    eventually(`a migration that is ${state}`, async () => {
      const { data } = (await this.#system.get(this.#path)).body
      if (data.state === 'failed') throw new Error(`the migration failed: ${data.failure}`)
      return data.state === state && data
    })

  async #step(name: string, body: Record<string, unknown> = {}): Promise<void> {
    const { status, body: answer } = await this.#system.post(`${this.#path}/${name}`, body)
    if (status !== 200) throw new Error(`${name} was refused: ${JSON.stringify(answer)}`)
  }

  /** The items of the preview by name. */
  async items(): Promise<Map<string, Json>> {
    const { data } = (await this.#system.get(`${this.#path}/items?per_page=100`)).body
    return new Map(data.map((item: Json) => [item.name, item]))
  }

  async import(): Promise<Json> {
    await this.#step('import')
    return this.is('imported')
  }

  /** The monitors of the team by name. */
  async monitors(): Promise<Map<string, Json>> {
    const { data } = (await this.#system.get('/monitors?per_page=100')).body
    return new Map(data.map((monitor: Json) => [monitor.name, monitor]))
  }

  readonly shadow = (sent: Record<string, unknown>): Promise<void> => this.#step('shadow', sent)

  /** The open divergences, each as `name: kind`. */
  async differing(): Promise<string[]> {
    const names = new Map([...(await this.monitors()).values()].map(({ id, name }) => [id, name]))
    const { data } = (await this.#system.get(`${this.#path}/divergences?open=true&per_page=100`)).body
    return data.map(({ monitor_id, kind }: Json) => `${names.get(monitor_id)}: ${kind}`).sort()
  }

  /** Waits until the old provider was asked so many times more. */
  async polled(times: number): Promise<void> {
    const first = Date.now()
    let [last, count] = ['', 0]
    await eventually(
      `${times} polls`,
      async () => {
        const { data } = (await this.#system.get(this.#path)).body
        if (data.poll_failure !== null) throw new Error(`the old provider cannot be asked: ${data.poll_failure}`)
        if (data.polled_at !== null && data.polled_at !== last && Date.parse(data.polled_at) > first) count++
        last = data.polled_at ?? last
        return count > times
      },
      600_000,
      1_000,
    )
  }
}
