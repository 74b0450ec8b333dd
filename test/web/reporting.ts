import { expect } from 'vitest'
import { serverAgentPaths } from '#contract/server-agent.ts'
import { app, type CallerUnderTest } from '#test/support/app.ts'

/** The API under test is not at the address that its URLs name. */
export const ping = async (url: string, fields: Record<string, string>) =>
  expect(
    (await fetch(app.baseUrl + new URL(url).pathname, { method: 'POST', body: new URLSearchParams(fields) })).status,
  ).toBe(200)

export async function aJob(person: CallerUnderTest) {
  const { body } = await person.post('/cron-monitors', {
    ...{ name: 'Backup', schedule: '30 2 * * *', timezone: 'America/New_York', grace_minutes: 30, max_run_minutes: 60 },
  })
  const { ping_url } = body.data
  await ping(ping_url, { state: 'start' })
  await ping(ping_url, { state: 'complete', exit_code: '0', output: 'copied <b>3</b> files' })
  return body.data
}

const minuteMs = 60_000

/** An hour of reports. */
export async function report(token: string) {
  const now = Date.now()
  const samples = Array.from({ length: 60 }, (_, n) => ({
    at: now - n * minuteMs,
    metrics: {
      ...{ cpu: 20 + (n % 7), memory: 61, disk: { '/': 40, '/data': 71 }, load: 0.4, load_5m: 0.5, load_15m: 0.6 },
      ...{ network_in: { eth0: 12_000 + n * 100 }, network_out: { eth0: 9_000 }, temperature: { cpu: 48 } },
    },
  }))
  const host = { name: 'db-2', os: 'Debian 13', kernel: '6.12', arch: 'x64', cores: 8, memory_bytes: 16e9, agent: '1' }
  const response = await fetch(app.baseUrl + serverAgentPaths.metrics, {
    method: 'POST',
    headers: { Authorization: `Bearer ${token}`, 'Content-Type': 'application/json' },
    body: JSON.stringify({ batch: crypto.randomUUID(), host, samples }),
  })
  expect([response.status, await response.text()]).toEqual([200, expect.anything()])
}

export async function aServer(person: CallerUnderTest) {
  const { body } = await person.post('/agent-monitors', { name: 'db-2' })
  await report(body.plain_text_token)
  return body.data
}
