import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { expect } from 'vitest'
import { openOrm } from '#control-plane/db/orm.ts'
import { advanceMigration } from '#control-plane/importing/advance.ts'
import { parseAllowList } from '#egress/address.ts'
import { Guard } from '#egress/guard.ts'
import { app, type CallerUnderTest } from '#test/support/app.ts'

export interface Received {
  method: string
  path: string
  headers: IncomingMessage['headers']
  body: string
}

type Handle = (received: Received, response: ServerResponse) => unknown

/** The server of a provider from which a team moves, under a public name, and what the workflow does with it. */
export class OldProvider {
  readonly url: string
  readonly received: Received[] = []
  /** What is answered: JSON that is returned, or what it writes itself. */
  handle: Handle = () => ({})
  readonly #server: ReturnType<typeof createServer>
  readonly #orm: Awaited<ReturnType<typeof openOrm>>

  static async open(): Promise<OldProvider> {
    const server = createServer()
    await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve))
    return new OldProvider(server, await openOrm(app.services.config))
  }

  private constructor(server: ReturnType<typeof createServer>, orm: Awaited<ReturnType<typeof openOrm>>) {
    this.#server = server
    this.#orm = orm
    this.url = `http://provider.example.com:${(server.address() as AddressInfo).port}`
    server.on('request', (request, response) => void this.#answer(request, response))
  }

  async #answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const chunks: Buffer[] = []
    for await (const chunk of request) chunks.push(chunk)
    const received = {
      method: request.method ?? '',
      path: request.url ?? '',
      headers: request.headers,
      body: Buffer.concat(chunks).toString(),
    }
    this.received.push(received)
    const answer = await this.handle(received, response)
    if (answer === undefined) return
    response.setHeader('Content-Type', 'application/json')
    response.end(JSON.stringify(answer))
  }

  /** The name of the provider leads to this machine. */
  readonly guard = new Guard(parseAllowList('127.0.0.0/8'), {
    lookup: async () => [{ address: '127.0.0.1', family: 4 }],
  })

  /** Does what the workflow does. */
  readonly advance = (id: string) =>
    advanceMigration({ services: { ...app.services, guard: this.guard }, em: this.#orm.em }, id)

  /** A migration with its preview. */
  async preview(team: CallerUnderTest, body: Record<string, unknown>): Promise<string> {
    const { body: made, status, text } = await team.post('/migrations', body)
    expect(status, text).toBe(201)
    await this.advance(made.data.id)
    return made.data.id
  }

  async close(): Promise<void> {
    this.#server.closeAllConnections()
    this.#server.close()
    await this.#orm.close()
  }
}

/** Sends the file of a migration, as it is. */
export async function sendFile(team: CallerUnderTest, id: string, file: Buffer): Promise<void> {
  const sent = await fetch(`${app.baseUrl}/api/v1/migrations/${id}/file`, {
    method: 'PUT',
    headers: {
      'Content-Type': 'application/octet-stream',
      Authorization: `Bearer ${team.token}`,
      'X-Forwarded-For': team.ip,
    },
    body: new Uint8Array(file),
  })
  expect(sent.status, await sent.text()).toBe(200)
}

export const migrationOf = async (team: CallerUnderTest, id: string) => (await team.get(`/migrations/${id}`)).body.data

export interface Item {
  source_id: string
  name: string
  action: string
  reason: string
  target: string | null
  stand_ins: string[]
}
/** The items of a preview, by their ids at the source. */
export async function itemsOf(team: CallerUnderTest, id: string): Promise<Map<string, Item>> {
  const { data } = (await team.get(`/migrations/${id}/items?per_page=100`)).body
  return new Map(data.map((item: Item) => [item.source_id, item]))
}

/** Imports everything. Returns the new monitors by name. */
export async function importAll(provider: OldProvider, team: CallerUnderTest, id: string) {
  expect((await team.post(`/migrations/${id}/import`)).status).toBe(200)
  await provider.advance(id)
  expect(await migrationOf(team, id)).toMatchObject({ state: 'imported', counts: { failed: 0 } })
  const { data } = (await team.get('/monitors?per_page=100')).body
  return new Map<string, { id: string; [field: string]: unknown }>(
    data.map((monitor: { name: string; id: string }) => [monitor.name, monitor]),
  )
}

/** The checks of an imported monitor, each its type and its settings. */
export const checksOf = async (
  team: CallerUnderTest,
  monitor: { id: string } | undefined,
): Promise<[string, Record<string, unknown>][]> =>
  (await team.get(`/monitors/${monitor?.id}/checks`)).body.data.map(
    ({ type, settings }: { type: string; settings: Record<string, unknown> }) => [type, settings],
  )
