import { type ChildProcess, execFileSync, spawn } from 'node:child_process'
import { once } from 'node:events'
import { createInterface } from 'node:readline'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { signatureHeaders } from '#control-plane/alerting/channels/kinds/sign.ts'
import { eventually, type Serving, serving } from '#test/control-plane/serving.ts'
import { anIncident, aTenantOf, happen } from './alerted.ts'
import { Receiver } from './receiver.ts'

/** The example receivers of contract/receivers. */
const languages: [name: string, command: string, file: string][] = [
  ['Python', 'python3', 'contract/receivers/receiver.py'],
  ['Node', process.execPath, 'contract/receivers/receiver.mjs'],
]

interface Example {
  url: string
  accepted: { id: string; event: string }[]
}
const running: ChildProcess[] = []
let served: Serving
let unused: Receiver
beforeAll(async () => {
  unused = await Receiver.open()
  served = await serving('receivers', { roles: ['api', 'worker'] })
})
afterAll(async () => {
  for (const child of running) child.kill('SIGKILL')
  await served?.close()
  await unused?.close()
})

async function start(command: string, file: string, secrets: Record<string, string>): Promise<Example> {
  const child = spawn(command, [file], {
    env: { PATH: process.env.PATH, PORT: '0', ...secrets },
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  running.push(child)
  const accepted: Example['accepted'] = []
  const lines = createInterface({ input: child.stdout })
  const [first] = await once(lines, 'line')
  lines.on('line', line => accepted.push(JSON.parse(line)))
  return { url: `http://127.0.0.1:${JSON.parse(first).port}`, accepted }
}

describe.each(languages)('the receiver in %s', (_, command, file) => {
  test('accepts messages by either signature, and by the former secret after a change', async () => {
    const [first, second] = [
      'first secret, in words',
      `whsec_${Buffer.from('the second secret, as bytes').toString('base64')}`,
    ]
    const [knowsFirst, knowsBoth] = await Promise.all([
      start(command, file, { WEBHOOK_SECRET: first }),
      start(command, file, { WEBHOOK_SECRET: second, WEBHOOK_SECRET_FORMER: first }),
    ])
    const tenant = await aTenantOf(served, unused)
    const channels = await Promise.all(
      [`${knowsFirst.url}/`, `${knowsBoth.url}/`, `${knowsBoth.url}/plain`].map(
        async url => (await tenant.subscribe(['incident.created'], {}, { url, secret: first })).channel.id,
      ),
    )
    const deliverTo = async (expected: number) => {
      await happen(served, tenant.id, 'incident.created', anIncident({ title: 'Grüße / 日本語 "quoted" 😀' }))
      return eventually(async () => {
        const logs = await tenant.call('GET', '/notification-logs?status=delivered')
        return logs.length === expected ? logs : undefined
      })
    }
    await deliverTo(3)
    for (const id of channels)
      await tenant.call('PATCH', `/notification-channels/${id}`, { config: { secret: second } })
    await deliverTo(6)
    expect(knowsFirst.accepted.map(({ event }) => event)).toEqual(['incident.created', 'incident.created'])
    expect(knowsBoth.accepted).toHaveLength(4)
    const [log] = await tenant.call('GET', `/notification-logs?channel_id=${channels[1]}`)
    await tenant.call('POST', `/notification-logs/${log.id}/replay`)
    await eventually(async () =>
      (await tenant.call('GET', `/notification-logs/${log.id}`)).attempts.length === 2 ? true : undefined,
    )
    expect(knowsBoth.accepted).toHaveLength(4) // known by its id
  })

  test('refuses changed, old, future and unsigned messages, and those signed with another secret', async () => {
    const secret = 'a secret of sixteen'
    const { url, accepted } = await start(command, file, { WEBHOOK_SECRET: secret })
    const now = Math.floor(Date.now() / 1_000)
    const body = JSON.stringify({ event: 'incident.created', title: 'ä/b' })
    const post = async (path: string, text: string, headers: Record<string, string>) => {
      const response = await fetch(url + path, { method: 'POST', body: text, headers })
      return response.status
    }
    const signed = (by: string, at = now, id = 'msg_1') => signatureHeaders([by], { id, at }, body)
    const { 'webhook-signature': _, ...unsigned } = signed(secret)
    const { 'X-Webhook-Signature': __, ...notPlain } = signed(secret)
    const refused: [path: string, text: string, headers: Record<string, string>][] = [
      ['/', `${body} `, signed(secret)],
      ['/', body, signed(secret, now - 400)],
      ['/', body, signed(secret, now + 400)],
      ['/', body, { ...signed(secret), 'webhook-id': 'msg_2' }],
      ['/', body, { ...signed(secret), 'webhook-timestamp': 'soon' }],
      ['/', body, signed('another secret')],
      ['/', body, unsigned],
      ['/', body, {}],
      ['/plain', `${body} `, signed(secret)],
      ['/plain', body, signed('another secret')],
      ['/plain', body, notPlain],
      ['/plain', body, { ...signed(secret), 'X-Webhook-Signature': 'é'.repeat(64) }],
      ['/', body, { ...signed(secret), 'webhook-signature': `v1,${'é'.repeat(44)}` }],
    ]
    for (const [path, text, headers] of refused)
      expect(await post(path, text, headers), `${path} ${JSON.stringify(headers)}`).toBe(401)
    expect(accepted).toEqual([])
    expect(await post('/', body, signed(secret, now - 200))).toBe(204)
    expect(await post('/plain', body, signed(secret, now - 4_000, 'msg_3'))).toBe(204)
    await eventually(() => accepted[1])
  })
})

test('the receiver in PHP has valid syntax', context => {
  try {
    execFileSync('php', ['-l', 'contract/receivers/receiver.php'], { stdio: 'pipe' })
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') context.skip('there is no php here')
    throw error
  }
})
